#!/bin/sh
# Makes .venv with exactly the locked packages and turnwise itself.
# Needs Python 3.11 or newer; takes uv where it is installed, and else gets one for itself into .uv.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}

say() { printf '%s\n' "$*" >&2; }

find_uv() {
    if command -v uv >/dev/null 2>&1; then
        uv=uv
    elif [ -x .uv/bin/uv ]; then
        uv=.uv/bin/uv
    else
        get_uv
    fi
}

# A virtual environment is not bound by a system Python that refuses `pip install`. Where the system
# has no ensurepip, its pip can still install into a folder of ours.
get_uv() {
    command -v "$python" >/dev/null 2>&1 || { say "turnwise needs Python 3.11 or newer: $python is not there."; exit 1; }
    say "getting uv ..."
    rm -rf .uv
    if "$python" -m venv .uv >/dev/null 2>&1; then
        .uv/bin/python -m pip install --quiet --disable-pip-version-check uv
    elif "$python" -m pip --version >/dev/null 2>&1; then
        rm -rf .uv
        "$python" -m pip install --quiet --disable-pip-version-check --target .uv uv
    else
        rm -rf .uv
        say "turnwise needs the venv module of Python: install it first (on Debian: apt-get install python3-venv)."
        exit 1
    fi
    uv=.uv/bin/uv
}

find_uv
export UV_PYTHON_DOWNLOADS=never
# The certificates of the system, where it has them: behind a proxy they are the ones that count.
[ ! -e /etc/ssl/certs/ca-certificates.crt ] || export UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-true}"
[ -x .venv/bin/python ] || "$uv" venv --quiet --python ">=3.11" .venv ||
    { say "turnwise needs Python 3.11 or newer."; exit 1; }
say "installing the locked packages: about 800 MB in .venv, a minute or two ..."
"$uv" pip sync --quiet --python .venv/bin/python --require-hashes requirements.lock
# `make studio` builds the page.
TURNWISE_STUDIO=skip "$uv" pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation --editable .
# What every command loads is compiled once, also where Python is told to keep no bytecode (PYTHONDONTWRITEBYTECODE).
for package in annotated_types click pydantic rich ruamel typer typing_inspection; do
    .venv/bin/python -m compileall -qq .venv/lib/python*/site-packages/"$package" >/dev/null 2>&1 || true
done
.venv/bin/python -m compileall -qq src >/dev/null 2>&1 || true
touch .venv/.ready
