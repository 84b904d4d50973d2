#!/bin/sh
# Optional programs: what is missing is not installed behind anybody's back, but said, with what goes untested.
# `make system` installs them where that needs no password.
if [ "$1" = install ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq && apt-get install -y -qq bubblewrap
fi
command -v bwrap >/dev/null 2>&1 || echo "not tested: the bubblewrap sandbox (no bwrap here; install the package bubblewrap, or: make system)"
exit 0
