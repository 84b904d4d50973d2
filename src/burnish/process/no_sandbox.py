"""Why there is no sandbox here, and the one line that gets one."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from burnish.model.sandbox_mode import SandboxMode
from burnish.process import bubblewrap

# The package is called the same everywhere.
INSTALLERS = {
    "apt-get": "apt-get install bubblewrap",
    "dnf": "dnf install bubblewrap",
    "pacman": "pacman -S bubblewrap",
    "apk": "apk add bubblewrap",
    "zypper": "zypper install bubblewrap",
    "yum": "yum install bubblewrap",
    "xbps-install": "xbps-install bubblewrap",
    "emerge": "emerge sys-apps/bubblewrap",
}
# Where kernels forbid user namespaces: the file, the value that forbids them, and the value that allows them.
KERNEL_SETTINGS = (
    ("kernel/unprivileged_userns_clone", "0", "1"),
    ("kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
    ("user/max_user_namespaces", "0", "10000"),
)
PROC_SYS = Path("/proc/sys")
# Only folders of the system: what PATH leads to is not for root to run.
SYSTEM = "/usr/bin:/bin:/usr/sbin:/sbin"


def why_none(mode: SandboxMode, folders: tuple[Path, ...] = bubblewrap.FOLDERS) -> str:
    """Why children are not sandboxed, in a few words; empty where they are."""
    if mode is SandboxMode.OFF:
        return "it is switched off"
    if bubblewrap.usable(folders):
        return ""
    if bubblewrap.find(folders):
        return "bubblewrap is installed, but cannot make a sandbox here"
    return "bubblewrap is not installed"


def remedy(
    mode: SandboxMode = SandboxMode.AUTO,
    folders: tuple[Path, ...] = bubblewrap.FOLDERS,
    proc_sys: Path = PROC_SYS,
) -> str:
    """What to do about it: a command where one is known."""
    if mode is SandboxMode.OFF:
        return "--sandbox auto uses it"
    if sys.platform != "linux":
        return "bubblewrap needs Linux"
    if bubblewrap.find(folders):
        return _allowing(proc_sys) or "allow user namespaces in this kernel or container"
    known = (command for program, command in INSTALLERS.items() if shutil.which(program, path=SYSTEM))
    found = next(known, "")
    return f"install it: {_as_root(found)}" if found else "install the package bubblewrap"


def _allowing(proc_sys: Path) -> str:
    """The kernel setting that forbids user namespaces, changed."""
    for name, forbids, allows in KERNEL_SETTINGS:
        try:
            if (proc_sys / name).read_text("ascii").strip() == forbids:
                dotted = name.replace("/", ".")
                return f"allow it: {_as_root(f'sysctl -w {dotted}={allows}')}"
        except (OSError, UnicodeDecodeError):
            continue
    return ""


def _as_root(command: str) -> str:
    return command if os.geteuid() == 0 else f"sudo {command}"
