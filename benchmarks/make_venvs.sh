#!/bin/sh
# Makes the virtual environments of the benchmarks: one per peer, newest versions from the package index.
#
#   sh benchmarks/make_venvs.sh [-d FOLDER] [NAME...]
#
# FOLDER is .bench/venvs in the checkout unless said. An environment that was made from the same list of
# packages is left as it is; delete the folder to have newest versions again. A peer that cannot be installed is
# skipped with a word (its log stands beside it). Needs `uv`: on the PATH, in .uv, or as a module of `python`.
# BENCH_PYTHON chooses the interpreter (">=3.11" unless said).
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
folder="$root/.bench/venvs"
if [ "${1:-}" = "-d" ]; then
    folder=${2:?the folder of the environments}
    shift 2
fi
mkdir -p "$folder" || exit 1
folder=$(cd "$folder" && pwd)
python=${BENCH_PYTHON:->=3.11}
all="turnwise server base langgraph burr pydantic-ai openai-agents google-adk llama fsm crewai pipecat"

find_uv() {
    if command -v uv >/dev/null 2>&1; then
        tool="uv"
    elif [ -x "$root/.uv/bin/uv" ]; then
        tool="./.uv/bin/uv"
    elif python -m uv --version >/dev/null 2>&1; then
        tool="python -m uv"
    elif python3 -m uv --version >/dev/null 2>&1; then
        tool="python3 -m uv"
    else
        echo "uv is needed: https://docs.astral.sh/uv/ (or: python -m pip install uv)" >&2
        exit 2
    fi
}

packages() {
    case $1 in
        turnwise) echo "-r pyproject.toml --extra editor" ;;
        server) echo "-r pyproject.toml --extra server" ;;
        base) echo "starlette uvicorn httptools uvloop httpx orjson msgspec pydantic aiosqlite asyncpg psycopg[binary] common-expression-language cel-python" ;;
        langgraph) echo "langgraph langgraph-checkpoint-sqlite langgraph-checkpoint-postgres psycopg[binary,pool] aiosqlite" ;;
        burr) echo "apache-burr aiosqlite asyncpg" ;;
        pydantic-ai) echo "pydantic-ai-slim pydantic-graph psycopg[binary,pool]" ;;
        openai-agents) echo "openai-agents sqlalchemy[asyncio] aiosqlite asyncpg" ;;
        google-adk) echo "google-adk[db] aiosqlite asyncpg" ;;
        llama) echo "llama-index-workflows" ;;
        fsm) echo "transitions python-statemachine" ;;
        crewai) echo "crewai" ;;
        pipecat) echo "pipecat-ai-flows" ;;
        *) return 1 ;;
    esac
}

made_from() {
    echo "$python: $(packages "$1")"
    if [ "$1" = turnwise ] || [ "$1" = server ]; then cksum <"$root/pyproject.toml"; fi
}

install() {
    rm -rf "${folder:?}/$1" "$folder/$1.made"
    cd "$root" || return 1
    $tool venv -q --python "$python" "$folder/$1" || return 1
    set -f # the list is split at its spaces, and nothing in it is a pattern for file names
    # shellcheck disable=SC2046
    VIRTUAL_ENV="$folder/$1" $tool pip install -q --compile-bytecode $(packages "$1") || return 1
    set +f
    made_from "$1" >"$folder/$1.made"
}

# The certificates of the system, where it has them: behind a proxy they are the ones that count.
[ ! -e /etc/ssl/certs/ca-certificates.crt ] || export UV_SYSTEM_CERTS="${UV_SYSTEM_CERTS:-true}"
failed=0
tool=""
for name in ${*:-$all}; do
    if ! packages "$name" >/dev/null; then
        echo "no environment is called $name; there are: $all" >&2
        exit 2
    fi
    if [ -f "$folder/$name.made" ] && [ "$(made_from "$name")" = "$(cat "$folder/$name.made")" ]; then
        continue
    fi
    if [ -z "$tool" ]; then find_uv; fi
    echo "making the environment of $name" >&2
    if ! install "$name" >"$folder/$name.log" 2>&1; then
        echo "skipped $name: it could not be installed; $folder/$name.log says why" >&2
        if [ "$name" = turnwise ]; then failed=1; fi
    fi
done
exit $failed
