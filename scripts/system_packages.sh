#!/bin/sh
# bubblewrap, the sandbox: installed where that needs no password, else explained in one line. Without it `burnish review`
# runs no tests, and the tests of the sandbox are skipped.
works() {
    bwrap --unshare-pid --ro-bind / / --dev /dev --proc /proc true >/dev/null 2>&1
}
without="no sandbox here: burnish review runs no tests, and the tests of the sandbox are skipped"

works && exit 0
if command -v bwrap >/dev/null 2>&1; then
    echo "$without; bubblewrap is installed, but this kernel or container forbids user namespaces"
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing bubblewrap (the sandbox, once)"
    apt="timeout 120 apt-get -qq -o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10"
    { $apt install -y bubblewrap || { $apt update && $apt install -y bubblewrap; }; } >/dev/null 2>&1
    works && exit 0
fi
how="install the package bubblewrap"
for command in "apt-get install" "dnf install" "pacman -S" "apk add" "zypper install"; do
    if command -v "${command%% *}" >/dev/null 2>&1; then
        how="as root: $command bubblewrap"
        break
    fi
done
echo "$without; $how"
exit 0
