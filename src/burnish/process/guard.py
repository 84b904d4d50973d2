"""The guard: a small program between Burnish and a child that leaves none of the child's descendants behind.

Run as `python -I -S guard.py CONTROL REPORT CWD PROGRAM ARGUMENT...`; the child gets the guard's environment
and its standard streams. CONTROL is the read end of a pipe: one byte says go, and when it closes (Burnish
says stop, or died, even by SIGKILL) everything is killed. Every orphan below becomes the guard's own child
(it is a "child subreaper"), so nothing can leave the tree by forking twice, by a new session or by an empty
environment. REPORT gets lines: `pid N`, then `exit N`, `signal N` or `errno N`, then `left N`.

Only the standard library, and as little of it as possible: this starts once for each child, and the public
faces of `_signal` and `_ctypes` would make half of its time.
"""

import _ctypes
import _signal as signal  # type: ignore[import-not-found]
import errno
import os
import select
import sys
import time

PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
GIVE_UP_S = 10.0
IGNORED = ("HUP", "INT", "QUIT", "TERM", "USR1", "USR2", "ALRM", "TSTP", "TTIN", "TTOU", "PIPE")
RESET = (*IGNORED, "CHLD", "XFSZ")


def become_subreaper() -> None:
    """Inherit every orphan below; be unreadable to them (they may run as the same user)."""
    try:
        prctl = _ctypes.dlsym(_ctypes.dlopen(None, 0), "prctl")  # type: ignore[arg-type]
    except OSError:
        return
    for option, value in ((PR_SET_CHILD_SUBREAPER, 1), (PR_SET_DUMPABLE, 0)):
        _ctypes.call_function(prctl, (option, value, 0, 0, 0))


def given_environment() -> "dict[bytes, bytes]":
    """The environment we were started with. Python itself may have added LC_CTYPE to os.environ since."""
    try:
        with open("/proc/self/environ", "rb") as environ:  # noqa: PTH123
            pairs = [pair.partition(b"=") for pair in environ.read().split(b"\0") if pair]
    except OSError:
        return dict(os.environb)
    return {name: value for name, _, value in pairs}


def processes() -> "dict[int, tuple[int, int, int]]":
    """Every process there is: its parent, process group and session."""
    found = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():  # noqa: PTH112, PTH208
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as stat:  # noqa: PTH123
                # The name in brackets may itself hold brackets and spaces: count from the last one.
                fields = stat.read().rpartition(b")")[2].split()
        except OSError:
            continue
        found[int(name)] = (int(fields[1]), int(fields[2]), int(fields[3]))
    return found


def descendants(root: int, table: "dict[int, tuple[int, int, int]]") -> "set[int]":
    children: dict[int, list[int]] = {}
    for pid, (parent, _, _) in table.items():
        children.setdefault(parent, []).append(pid)
    found: set[int] = set()
    waiting = [root]
    while waiting:
        for pid in children.get(waiting.pop(), ()):
            if pid not in found:
                found.add(pid)
                waiting.append(pid)
    return found


def kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


class Guard:
    def __init__(self, control: int, report: int, env: "dict[bytes, bytes]") -> None:
        self.env = env
        self.control = control
        self.report = report
        self.child = 0
        self.status: int | None = None

    def say(self, what: str, number: int) -> None:
        try:
            os.write(self.report, f"{what} {number}\n".encode())
        except OSError:
            return

    def start(self, argv: "list[str]", cwd: str) -> None:
        self.child = os.fork()
        if self.child:
            return
        try:
            os.setsid()
            # Told by the child itself: it may kill us as the first thing it does.
            self.say("pid", os.getpid())
            for name in RESET:
                signal.signal(getattr(signal, f"SIG{name}"), signal.SIG_DFL)
            os.chdir(cwd)
            self.become(argv)
        except OSError as error:
            self.say("errno", error.errno or 0)
        finally:
            os._exit(127)

    def become(self, argv: "list[str]") -> None:
        try:
            os.execve(argv[0], argv, self.env)  # noqa: S606
        except OSError as error:
            if error.errno != errno.ENOEXEC:
                raise
        # A script without a first line is run by the shell, as a shell would.
        os.execve("/bin/sh", ["/bin/sh", *argv], self.env)  # noqa: S606

    def reap(self) -> bool:
        """Collect the dead. False when there is nobody left below us, dead or alive."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.child:
                self.status = status

    def watch(self, wakeup: int) -> None:
        """Until the child is over or the control pipe closes."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        poll.register(wakeup, select.POLLIN)
        while self.status is None:
            ready = [fd for fd, _ in poll.poll()]
            if wakeup in ready:
                os.read(wakeup, 4096)
                self.reap()
            if self.control in ready and not os.read(self.control, 1):
                return

    def sweep(self) -> None:
        """Kill everybody below us until nobody is left: who is born meanwhile is found in the next round."""
        give_up = time.monotonic() + GIVE_UP_S
        while self.reap():
            table = processes()
            below = descendants(os.getpid(), table)
            if not table and self.status is None:
                below = {self.child, -self.child}
            # A whole group dies at once, so that it cannot fork faster than we count.
            for group in {table[pid][1] for pid in below if pid in table} - {os.getpgid(0), 0, 1}:
                kill(-group)
            for pid in below:
                kill(pid)
            if time.monotonic() > give_up:
                self.say("left", len(below))
                return
            time.sleep(0.0005)

    def tell(self) -> None:
        if self.status is None:
            self.say("signal", int(signal.SIGKILL))
        elif os.WIFSIGNALED(self.status):
            self.say("signal", os.WTERMSIG(self.status))
        else:
            self.say("exit", os.WEXITSTATUS(self.status))


def main(arguments: "list[str]") -> int:
    control, report = int(arguments[0]), int(arguments[1])
    for fd in (control, report):
        os.set_inheritable(fd, False)
    for name in IGNORED:
        signal.signal(getattr(signal, f"SIG{name}"), signal.SIG_IGN)
    env = given_environment()
    become_subreaper()
    if not os.read(control, 1):
        return 0
    wakeup, wake = os.pipe()
    for fd in (wakeup, wake):
        os.set_blocking(fd, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    guard = Guard(control, report, env)
    guard.start(arguments[3:], arguments[2])
    guard.reap()
    guard.watch(wakeup)
    guard.sweep()
    guard.tell()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
