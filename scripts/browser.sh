#!/bin/sh
# Prints the path of a Chromium for the tests of the page; installs one where there is none (as root on Debian and Ubuntu).
# The headless shell runs them with less than half of the work, so it is preferred, and installed where this is possible.
set -eu

SHELL_PACKAGE=chromium-headless-shell
APT="env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-remove --no-install-recommends"

find_first() {
    for name in "$@"; do
        if [ -n "$name" ] && command -v "$name" 2>/dev/null; then return 0; fi
    done
    return 1
}

find_browser() {
    find_first $SHELL_PACKAGE chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" "/Applications/Chromium.app/Contents/MacOS/Chromium"
}

can_install() { command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; }

say() { printf '%s\n' "$*" >&2; }

find_first "${TURNWISE_CHROMIUM:-}" $SHELL_PACKAGE && exit 0
if can_install && ! $APT $SHELL_PACKAGE >/dev/null 2>&1 && ! find_browser >/dev/null; then
    say "installing Chromium for the tests of the page ..."
    apt-get update -qq >&2
    $APT $SHELL_PACKAGE fonts-liberation >/dev/null 2>&1 || $APT chromium fonts-liberation >/dev/null ||
        say "apt-get could not install chromium"
fi
find_browser && exit 0
say "The tests of the page need Chromium or Chrome, and none was found. Install it (on Debian: apt-get install $SHELL_PACKAGE),"
say "or set TURNWISE_CHROMIUM to its program, or leave these tests out: make test TURNWISE_BROWSER=skip"
exit 1
