#!/bin/sh
# bubblewrap is optional: install it where that needs no questions, else say what is not tested.
command -v bwrap >/dev/null 2>&1 && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    (apt-get install -y -qq bubblewrap || (apt-get update -qq && apt-get install -y -qq bubblewrap)) >/dev/null 2>&1
fi
command -v bwrap >/dev/null 2>&1 || echo "not tested: the bubblewrap sandbox (no bwrap on this machine; install the package bubblewrap)"
exit 0
