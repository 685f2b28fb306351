#!/bin/sh
# Resolves the packages anew into requirements.lock: versions and hashes, for every platform.
set -eu
cd "$(dirname "$0")/.."
uv=$(command -v uv || echo .uv/bin/uv)
"$uv" pip compile pyproject.toml --group dev --extra server --extra webhooks --extra models --extra mcp --extra telemetry --extra editor --extra postgres --universal --generate-hashes --no-emit-index-url \
    --custom-compile-command "make lock" --output-file requirements.lock --upgrade --quiet
# The packages of the studio. npm writes a lock without addresses only in part (it leaves out other platforms), so they are
# written and removed.
node=$(.venv/bin/python -c "import sys; sys.path.insert(0, 'scripts'); import build_studio; print(*build_studio.find_node())")
cd studio
[ ! -e /etc/ssl/certs/ca-certificates.crt ] || export NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}"
# shellcheck disable=SC2086
$node install --package-lock-only --omit-lockfile-registry-resolved=false --ignore-scripts --no-audit --no-fund --silent
sed '/^ *"resolved": /d' package-lock.json > package-lock.json.new
mv package-lock.json.new package-lock.json
