#!/bin/sh
# Prints the path of a Chromium for the tests of the page; installs one where there is none (as root on Debian and Ubuntu).
set -eu

find_browser() {
    for name in "${TURNWISE_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" "/Applications/Chromium.app/Contents/MacOS/Chromium"; do
        if [ -n "$name" ] && command -v "$name" 2>/dev/null; then return 0; fi
    done
    return 1
}

say() { printf '%s\n' "$*" >&2; }

find_browser && exit 0
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    say "installing Chromium for the tests of the page ..."
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >&2
    apt-get install -y -qq --no-install-recommends chromium fonts-liberation >/dev/null || say "apt-get could not install chromium"
    find_browser && exit 0
fi
say "The tests of the page need Chromium or Chrome, and none was found. Install it (on Debian: apt-get install chromium),"
say "or set TURNWISE_CHROMIUM to its program, or leave these tests out: make test TURNWISE_BROWSER=skip"
exit 1
