#!/bin/sh
# Resolves the packages anew into requirements.lock: versions and hashes, for every platform.
set -eu
cd "$(dirname "$0")/.."
uv=$(command -v uv || echo .uv/bin/uv)
"$uv" pip compile pyproject.toml --group dev --extra server --extra models --extra mcp --extra telemetry --universal --generate-hashes --no-emit-index-url \
    --custom-compile-command "make lock" --output-file requirements.lock --upgrade --quiet
