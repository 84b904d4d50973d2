"""How the end of a child is noticed: by the kernel's handle on it, not by a thread for each."""

from __future__ import annotations

import asyncio
import os
import sys


def wait_without_threads() -> None:
    """Before the loop is started: Python 3.11 starts a thread for every child, later versions do not."""
    if sys.version_info >= (3, 12) or not hasattr(os, "pidfd_open"):
        return
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return
    asyncio.set_child_watcher(asyncio.PidfdChildWatcher())
