"""The probes of the sandbox section: small programs that print GOT when they reach what they must not."""

from __future__ import annotations

from dataclasses import dataclass

ONLY_ROOT = "only root may"
# What the programs share. `read` knows a secret by its canary; `plant` leaves a file that is looked for outside.
PRELUDE = """
import ctypes, errno, fcntl, os, socket, stat, struct, subprocess, sys, termios, time
libc = ctypes.CDLL(None, use_errno=True)
def got(what=''):
    print('GOT', what, flush=True)
def read(path):
    try:
        with open(path, 'rb') as file:
            data = file.read(1 << 20)
    except OSError as error:
        print(path, error)
        return
    if W['canary'].encode() in data:
        got(path)
def plant(path):
    try:
        with open(path, 'w') as file:
            file.write('planted')
    except OSError as error:
        print(path, error)
def call(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def sandbox_in_sandbox():
    user, group = os.getuid(), os.getgid()
    call(libc.unshare(0x10000000 | 0x00020000))
    open('/proc/self/setgroups', 'w').write('deny')
    open('/proc/self/uid_map', 'w').write(f'0 {user} 1')
    open('/proc/self/gid_map', 'w').write(f'0 {group} 1')
def mount(source, target, kind, flags=0, data=None):
    call(libc.mount(source.encode(), target.encode(), kind and kind.encode(), flags, data))
"""


@dataclass(frozen=True)
class Probe:
    """`unprivileged` and `never` say why the program cannot be shown to work without a sandbox, by an ordinary
    user or by anybody; `here` why it may not on this machine. `apart`: shown in namespaces of its own."""

    code: str
    network: bool = True
    unprivileged: str = ""
    never: str = ""
    here: str = ""
    apart: bool = False


READS = {
    "ssh key": Probe("read(W['home'] + '/.ssh/id_ed25519')"),
    "credential files": Probe("for name in ('.netrc', '.git-credentials', '.aws/credentials'):\n    read(f\"{W['home']}/{name}\")"),
    "everything in the home folder": Probe("for parent, _, names in os.walk(W['home']):\n    for name in names:\n        read(os.path.join(parent, name))"),
    "another user's home": Probe("read(W['other'])"),
    "the user's .git": Probe("read(W['repository'] + '/.git/config')"),
    "our state folder": Probe("read(W['state'] + '/burnish.db')"),
    "temporary files": Probe("read(W['temporary'])"),
    "shadow passwords": Probe("data = open('/etc/shadow').read()\nif ':' in data:\n    got()", unprivileged=ONLY_ROOT),
    "symlink in the workspace": Probe("os.symlink(W['secret'], 'link')\nread('link')"),
    ".. out of the workspace": Probe("read(os.path.relpath(W['secret']))\nread(os.path.join('own/..', os.path.relpath(W['secret'])))"),
    "hard link into the workspace": Probe("os.link(W['secret'], 'linked')\nread('linked')"),
    "environment of the orchestrator": Probe("read(f\"/proc/{W['victim']}/environ\")\nread(f\"/proc/{W['driver']}/environ\")"),
    "environment of any process": Probe("for name in os.listdir('/proc'):\n    if name.isdigit():\n        read(f'/proc/{name}/environ')"),
    "root and folder of any process": Probe("for name in os.listdir('/proc'):\n    for way in ('root', 'cwd/../../../../../../..'):\n        if name.isdigit():\n            read(f\"/proc/{name}/{way}{W['secret']}\")"),
    "memory of a process outside": Probe(
        "names = [f\"/proc/{W['victim']}/maps\"]\nif 'stack' in open(names[0]).read():\n    got()"
    ),
    "shared memory files": Probe("read(W['shm'])"),
    "shared memory segments": Probe("call(libc.shmget(W['shared_key'], 4096, 0o600))\ngot()"),
    "inherited file descriptors": Probe("for fd in range(3, 256):\n    try:\n        if W['canary'].encode() in os.pread(fd, 4096, 0):\n            got(fd)\n    except OSError:\n        pass"),
    "environment variables": Probe("if W['canary'] in repr(os.environ):\n    got()"),
    "keys of the session": Probe(
        "libc.syscall.restype = ctypes.c_long\nfound = call(libc.syscall(W['keys'][1], 10, -3, b'user', b'chaos', 0))\n"
        "data = ctypes.create_string_buffer(200)\ncall(libc.syscall(W['keys'][1], 11, found, data, 200))\n"
        "if W['canary'].encode() in data.raw:\n    got()",
    ),
    "a file by its handle": Probe(
        "handle = ctypes.create_string_buffer(W['handle'].encode('latin1'), 136)\nfd = os.open(W['mounted'], os.O_RDONLY)\n"
        "opened = call(libc.open_by_handle_at(fd, handle, 0))\nif W['canary'].encode() in os.read(opened, 4096):\n    got()",
        unprivileged=ONLY_ROOT,
    ),
}  # fmt: skip
WRITES = {
    "home folder": Probe("plant(W['home'] + '/chaos-planted')\nplant(W['home'] + '/.ssh/chaos-planted')"),
    "start-up file of the shell": Probe("with open(W['home'] + '/.bashrc', 'a') as file:\n    file.write('evil')"),
    "the user's checkout (written)": Probe("plant(W['repository'] + '/chaos-planted')"),
    "hook in the user's .git": Probe("plant(W['repository'] + '/.git/hooks/chaos-planted')"),
    "our state folder (written)": Probe("plant(W['state'] + '/chaos-planted')"),
    "inbox": Probe("plant(W['inbox'] + '/chaos-planted')"),
    "beside the workspace": Probe("plant('../chaos-planted')"),
    "through a symlink in the workspace": Probe("os.symlink(W['outside'], 'way')\nplant('way/chaos-planted')"),
    "through a symlink in the outbox": Probe("os.symlink(W['outside'], W['outbox'] + '/way')\nplant(W['outbox'] + '/way/chaos-planted')"),
    "through the root of a process": Probe("for name in os.listdir('/proc'):\n    if name.isdigit():\n        plant(f\"/proc/{name}/root{W['outside']}/chaos-planted\")"),
    "hard link and write": Probe("os.link(W['kept_file'], 'linked')\nopen('linked', 'w').write('evil')"),
    "rename out of the workspace": Probe("os.rename('own', W['outside'] + '/chaos-planted')"),
    "rights of a file outside": Probe("os.chmod(W['kept_file'], 0o777)"),
    "temporary folders": Probe("plant(os.path.dirname(W['temporary']) + '/chaos-planted')"),
    "programs and settings of the system": Probe(
        "for name in ('/etc', '/usr/bin', '/usr/local/bin', '/var/lib', '/opt', '/boot', '/'):\n"
        "    path = f'{name}/chaos-planted-probe'\n    plant(path)\n    if os.path.exists(path):\n        os.unlink(path)\n        got(path)",
        unprivileged=ONLY_ROOT,
    ),
    "through a write descriptor on a read-only mount": Probe("fd = os.open(W['kept_file'], os.O_RDONLY)\nopen(f'/proc/self/fd/{fd}', 'w').write('evil')"),
}  # fmt: skip
PROCESSES = {
    "signal to a process outside": Probe("os.kill(W['victim'], 18)\ngot()"),
    "signal to the orchestrator": Probe("os.kill(W['driver'], 0)\ngot()"),
    "handle on a process outside": Probe("os.pidfd_open(W['victim'])\ngot()"),
    "trace a process outside": Probe("call(libc.ptrace(16, W['victim'], 0, 0))\ntime.sleep(0.1)\nlibc.ptrace(17, W['victim'], 0, 0)\ngot()"),
    "priority of a process outside": Probe("os.setpriority(os.PRIO_PROCESS, W['victim'], os.getpriority(os.PRIO_PROCESS, W['victim']))\ngot()"),
    "namespaces of a process outside": Probe("fd = os.open(f\"/proc/{W['victim']}/ns/uts\", os.O_RDONLY)\ncall(libc.setns(fd, 0))\ngot()", unprivileged=ONLY_ROOT),
    # Whom we kill is read from bubblewrap's report: whoever can write there has us kill any process of the machine.
    "bubblewrap's report of who is inside": Probe(
        "for name in os.listdir('/proc'):\n    if not name.isdigit():\n        continue\n    try:\n        numbers = os.listdir(f'/proc/{name}/fd')\n    except OSError:\n        continue\n"
        "    for number in numbers:\n        path = f'/proc/{name}/fd/{number}'\n        try:\n            if 'bwrap-status' in os.readlink(path):\n                fd = os.open(path, os.O_RDWR)\n                os.pwrite(fd, b' ', 4000)\n                got(path)\n"
        "        except OSError as error:\n            print(path, error)",
        never="there is no such report without bubblewrap",
    ),
    "two hundred children": Probe("for _ in range(200):\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(600)\nprint('forked')", never="they would stay: that none stays is looked at from outside"),
    "core dump": Probe("import resource, signal\nhard = resource.getrlimit(resource.RLIMIT_CORE)[1]\nresource.setrlimit(resource.RLIMIT_CORE, (hard, hard))\nos.chdir('/')\nos.kill(os.getpid(), signal.SIGSEGV)", never="where a core goes is the machine's setting: nothing must appear outside"),
}  # fmt: skip
KERNEL = {
    "mount": Probe("mount('none', W['workspace'], 'tmpfs')\ngot()", apart=True),
    "root writable again": Probe("mount('none', '/', None, 32 | 4096)\nplant(W['outside'] + '/chaos-planted')", never="it would change a mount of this machine"),
    "hidden folder uncovered": Probe("call(libc.umount2(W['home'].encode(), 2))\nread(W['home'] + '/.netrc')", never="nothing is mounted there without a sandbox"),
    "user namespace, then hidden folder uncovered": Probe(
        "sandbox_in_sandbox()\nfor name in (W['home'], os.path.dirname(W['home']), '/var/tmp', '/tmp', '/home', '/root', W['repository'], W['state']):\n    libc.umount2(name.encode(), 2)\n"
        "for name in ('secret', 'temporary', 'other'):\n    read(W[name])\nread(W['home'] + '/.netrc')\nread(W['state'] + '/burnish.db')",
    ),
    "user namespace, then root writable again": Probe("sandbox_in_sandbox()\nfor name in ('/', W['outside']):\n    libc.mount(b'none', name.encode(), None, 32 | 4096, None)\nplant(W['outside'] + '/chaos-planted')"),
    "user namespace, then a bind of the outside": Probe("sandbox_in_sandbox()\nmount(W['mounted'], W['workspace'], None, 4096 | 16384)\nplant(W['workspace'] + '/outside/chaos-planted')\nplant(W['workspace'] + '/inbox/chaos-planted')"),
    "user namespace, then a fresh /proc": Probe("sandbox_in_sandbox()\nmount('proc', W['workspace'], 'proc')\nread(f\"{W['workspace']}/{W['victim']}/environ\")", here="the kernel allows it only with a process namespace"),
    "user namespace, then control groups": Probe(
        "user = os.getuid()\ncall(libc.unshare(0x10000000 | 0x00020000 | 0x02000000))\nopen('/proc/self/setgroups', 'w').write('deny')\nopen('/proc/self/uid_map', 'w').write(f'0 {user} 1')\n"
        "mount('none', W['workspace'], 'cgroup2')\nos.chdir(W['workspace'])\nfor name in ('cgroup.procs', 'cgroup.kill', 'cgroup.freeze'):\n    fd = os.open(W['workspace'] + '/' + name, os.O_WRONLY)\n    got(name)",
        here="the kernel may not allow this mount",
        unprivileged="the groups belong to root",
    ),
    "control groups": Probe("for parent, _, names in os.walk('/sys/fs/cgroup'):\n    for name in ('cgroup.procs', 'release_agent', 'tasks'):\n        if name in names:\n            try:\n                os.close(os.open(f'{parent}/{name}', os.O_WRONLY))\n                got(parent)\n            except OSError:\n                pass", unprivileged=ONLY_ROOT),
    "kernel settings": Probe("for name in ('kernel/core_pattern', 'kernel/modprobe', 'vm/drop_caches', 'fs/binfmt_misc/register'):\n    try:\n        os.close(os.open(f'/proc/sys/{name}', os.O_WRONLY))\n        got(name)\n    except OSError:\n        pass", never="kernel settings of a shared machine are not opened for writing"),
    "sysrq": Probe("os.close(os.open('/proc/sysrq-trigger', os.O_WRONLY))\ngot()", unprivileged=ONLY_ROOT, here="the kernel may have none"),
    "/sys": Probe("for name in ('/sys/power/state', '/sys/kernel/uevent_helper', '/sys/kernel/mm/transparent_hugepage/enabled', '/sys/kernel/profiling'):\n    try:\n        os.close(os.open(name, os.O_WRONLY))\n        got(name)\n    except OSError:\n        pass", unprivileged=ONLY_ROOT, here="none of them may be there"),
    "/dev": Probe("for name in os.listdir('/dev'):\n    if name in ('mem', 'kmsg', 'kvm', 'fuse', 'port', 'loop-control') or name[:2] in ('sd', 'vd', 'nv', 'dm'):\n        try:\n            os.close(os.open(f'/dev/{name}', os.O_RDONLY | os.O_NONBLOCK))\n            got(name)\n        except OSError:\n            pass", unprivileged=ONLY_ROOT),
    "make a device": Probe("os.mknod('device', 0o600 | stat.S_IFCHR, os.makedev(1, 3))\ngot()", unprivileged=ONLY_ROOT),
    "become another user": Probe("os.setresuid(1, 1, 1)\ngot()", unprivileged=ONLY_ROOT),
    "give a file to another user": Probe("os.chown('own', 1, 1)\ngot()", unprivileged=ONLY_ROOT),
    "setuid programs": Probe(
        "text = open('/proc/self/status').read()\nif 'NoNewPrivs:\\t0' in text:\n    got()"
    ),
    "change the root folder": Probe("call(libc.chroot(b'/tmp'))\ngot()", unprivileged=ONLY_ROOT),
    "name of the machine": Probe("name = socket.gethostname().encode()\ncall(libc.sethostname(name, len(name)))\ngot()", apart=True),
    "load a kernel module": Probe("libc.syscall(W['module'], -1, b'', 0)\nif ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):\n    got(ctypes.get_errno())", unprivileged=ONLY_ROOT, here="the kernel may have no modules"),
    "words into the user's terminal": Probe("fd = os.open('/dev/tty', os.O_RDWR)\ngot()"),
}  # fmt: skip
NETWORK = {
    "tcp while the network is off": Probe("socket.create_connection(('127.0.0.1', W['port']), 3)\ngot()", network=False),
    "abstract socket while the network is off": Probe("socket.socket(socket.AF_UNIX).connect('\\0' + W['abstract'])\ngot()", network=False),
    "interfaces while the network is off": Probe("names = [name for _, name in socket.if_nameindex() if name != 'lo']\nif names:\n    got(names)", network=False, here="there may be no interface but lo"),
    "socket of a service (docker, dbus)": Probe("socket.socket(socket.AF_UNIX).connect(W['socket'])\ngot()"),
    "sockets of the system": Probe("found = [name for name in ('/run/docker.sock', '/var/run/docker.sock', '/run/dbus/system_bus_socket', '/run/containerd/containerd.sock') if os.path.exists(name)]\nfound += os.listdir('/run')\nif [name for name in found if name != 'systemd']:\n    got(found)"),
    "raw socket": Probe("socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)\ngot()", unprivileged=ONLY_ROOT),
    "packet socket": Probe("socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)\ngot()", unprivileged=ONLY_ROOT),
}  # fmt: skip
PROBES = {**READS, **WRITES, **PROCESSES, **KERNEL, **NETWORK}
