"""What a sandboxed child cannot do, and what it still can."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import subprocess
import sys
import venv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.ports import Sandbox
from burnish.process import bubblewrap
from burnish.process.child import Finished
from tests.integration.process.conftest import Room

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


@pytest.fixture
def home(isolated_environment: Path) -> Path:
    for name in (".ssh/id_ed25519", ".aws/credentials", ".netrc", ".config/gh/hosts.yml", "notes.txt"):
        path = isolated_environment / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("SECRET")
    return isolated_environment


def shell(room: Room, home: Path, script: str, *, path: str = SYSTEM_PATH, **sandbox: object) -> Finished:
    assert room.sandbox is not None
    command = room.command("/bin/sh", "-c", script, env={"HOME": str(home), "PATH": path})
    return room.run(replace(command, sandbox=replace(room.sandbox, **sandbox)))  # type: ignore[arg-type]


def test_it_can_write_in_its_workspace_and_the_result_is_there_afterwards(caged: Room, home: Path) -> None:
    assert shell(caged, home, "mkdir sub && echo hi > sub/file").exit == 0
    assert (caged.workspace / "sub/file").read_text() == "hi\n"


def test_it_cannot_write_outside(caged: Room, home: Path, tmp_path: Path) -> None:
    beside = tmp_path / "beside"
    beside.mkdir()
    script = "; ".join(
        f"(echo x > {target}) 2>/dev/null && echo wrote {target}"
        for target in (
            "/etc/burnish-test",
            "/usr/burnish-test",
            "/var/burnish-test",
            "/sys/burnish",
            f"{beside}/x",
        )
    )
    done = shell(caged, home, script, readable=(beside,))
    assert done.stdout.text == ""
    assert list(beside.iterdir()) == []


def test_its_temporary_folder_and_home_are_its_own_and_thrown_away(caged: Room, home: Path) -> None:
    mine = f"mine-{home.name}-{os.getpid()}"
    done = shell(
        caged, home, f"echo x > /tmp/{mine} && echo x > $HOME/mine && ls -A /tmp $HOME && echo x > /var/tmp/x"
    )
    assert done.exit == 0
    assert not Path("/tmp", mine).exists()
    assert not (home / "mine").exists()


def test_nothing_in_the_home_folder_can_be_seen(caged: Room, home: Path) -> None:
    done = shell(
        caged,
        home,
        f"ls -A {home}; find /root /home /tmp -name id_ed25519 2>/dev/null; grep -rs SECRET {home}",
    )
    assert done.stdout.text == ""


def test_a_declared_path_of_the_home_folder_is_readable_and_nothing_beside_it(
    caged: Room, home: Path
) -> None:
    script = "cat $HOME/.config/gh/hosts.yml; ls -A $HOME $HOME/.config; echo x > $HOME/.config/gh/x"
    for declared in (Path(".config/gh"), Path("~/.config/gh"), home / ".config/gh"):
        done = shell(caged, home, script, home_paths=(declared,))
        assert done.stdout.text == f"SECRET{home}:\n.config\n\n{home}/.config:\ngh\n"
        assert done.exit != 0
        assert not (home / ".config/gh/x").exists()


def test_secrets_inside_a_declared_folder_stay_hidden(caged: Room, home: Path) -> None:
    done = shell(caged, home, "cat $HOME/notes.txt; grep -rs SECRET $HOME | sort", home_paths=(Path(),))
    assert done.stdout.text == f"SECRET{home}/notes.txt:SECRET\n"


def test_a_hidden_path_is_empty_even_inside_what_it_may_write(caged: Room, home: Path) -> None:
    private = caged.workspace / "private"
    private.mkdir()
    (private / "key").write_text("SECRET")
    (caged.workspace / "file").write_text("SECRET")
    done = shell(caged, home, "cat private/key file; ls private", hidden=(private, caged.workspace / "file"))
    assert done.stdout.text == ""
    assert (private / "key").read_text() == "SECRET"


def test_a_workspace_inside_a_hidden_folder_is_still_there(caged: Room, home: Path) -> None:
    state = home / "state"
    workspace = state / "run/workspace"
    workspace.mkdir(parents=True)
    (state / "database").write_text("SECRET")
    room = Room(workspace, Sandbox(writable=(workspace,)))
    done = shell(room, home, f"echo done > result; ls {state}; pwd", hidden=(state,))
    assert done.stdout.text == f"run\n{workspace}\n"
    assert (workspace / "result").read_text() == "done\n"


def test_a_workspace_behind_a_link_is_found_by_both_its_names(caged: Room, home: Path) -> None:
    real = home / "real"
    (real / "workspace").mkdir(parents=True)
    link = home / "link"
    link.symlink_to(real)
    room = Room(link / "workspace", Sandbox(writable=(link / "workspace",)))
    done = shell(room, home, f"echo a > {link}/workspace/a && echo b > {real}/workspace/b")
    assert (done.exit, done.stderr.text) == (0, "")
    assert sorted(path.name for path in (real / "workspace").iterdir()) == ["a", "b"]


def test_capabilities_are_dropped_and_cannot_be_regained(caged: Room, home: Path) -> None:
    done = shell(caged, home, "grep -E 'Cap(Inh|Prm|Eff|Amb)|NoNewPrivs' /proc/self/status")
    fields = dict(line.split() for line in done.stdout.text.splitlines())
    assert fields.pop("NoNewPrivs:") == "1"
    assert set(fields.values()) == {"0" * 16}


def test_kernel_settings_and_devices_cannot_be_written(caged: Room, home: Path) -> None:
    probe = """
import os
for top in ("/proc", "/sys", "/dev"):
    for folder, folders, files in os.walk(top):
        if folder == "/proc":
            folders[:] = [name for name in folders if not name.isdigit() and name not in ("self", "thread-self")]
        for name in files:
            path = os.path.join(folder, name)
            if os.path.islink(path):
                continue
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            except OSError:
                continue
            print(path)
"""
    done = caged.python(probe)
    harmless = {f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty", "pts/ptmx")}
    found = {path for path in done.stdout.text.split() if not path.startswith("/proc/pressure/")}
    assert done.exit == 0
    assert found <= harmless
    assert "/dev/null" in found


def test_it_sees_no_process_but_its_own(caged: Room, home: Path) -> None:
    with subprocess.Popen(["sleep", "87.654"]) as outside:
        done = shell(caged, home, "cat /proc/[0-9]*/cmdline | tr '\\0' ' '; ls -d /proc/[0-9]* | wc -l")
        outside.kill()
    assert "87.654" not in done.stdout.text
    assert int(done.stdout.text.split()[-1]) < 10


@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("unshare"), reason="needs a namespace made by root")
def test_the_watcher_refuses_to_start_where_it_could_reach_the_whole_machine() -> None:
    """In a namespace of its own, so that a mistake here ends only this test."""
    apart = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "/bin/sh", "-c"]
    inner = (
        f"sh -c {shlex.quote(bubblewrap.WATCHED)} 0 echo started </dev/null; echo $?; sleep 0.2; echo alive"
    )
    done = subprocess.run([*apart, inner], capture_output=True, text=True, check=False)
    assert done.stdout == "125\nalive\n"


def test_it_cannot_read_what_only_root_may_read(caged: Room, home: Path) -> None:
    done = shell(caged, home, "cat /etc/shadow /etc/gshadow /etc/ssh/ssh_host_*_key 2>/dev/null")
    assert done.stdout.text == ""


def test_sockets_of_the_system_are_out_of_reach_unless_given(caged: Room, home: Path, tmp_path: Path) -> None:
    path = Path("/run") / f"burnish-{os.getpid()}.sock"
    if not os.access("/run", os.W_OK):
        path = tmp_path / "docker.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        try:
            server.listen()
            code = f"import socket; socket.socket(socket.AF_UNIX).connect({str(path)!r}); print('reached')"
            script = f'{sys.executable} -I -S -c "{code}" 2>/dev/null'
            route = f"{Path(sys.executable).parent}:{SYSTEM_PATH}"
            assert shell(caged, home, script, path=route).stdout.text == ""
            assert shell(caged, home, script, path=route, sockets=(path,)).stdout.text == "reached\n"
        finally:
            path.unlink()


@pytest.fixture
def server() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_the_network_can_be_switched_off(caged: Room, home: Path, server: int) -> None:
    assert caged.sandbox is not None
    code = f"import socket; socket.create_connection(('127.0.0.1', {server}), 3); print('connected')"
    assert caged.python(code).stdout.text == "connected\n"
    offline = replace(caged, sandbox=replace(caged.sandbox, network=False)).python(code)
    assert offline.stdout.text == ""
    assert offline.isolation == "bubblewrap, no network"


def test_names_can_be_resolved_while_the_network_is_on(caged: Room, home: Path) -> None:
    done = shell(caged, home, "cat /etc/resolv.conf; getent hosts localhost")
    assert done.exit == 0
    assert done.stdout.text.startswith(Path("/etc/resolv.conf").read_text())


def test_a_virtual_environment_in_the_home_folder_still_runs(caged: Room, home: Path) -> None:
    venv.create(home / "project/.venv", symlinks=True)
    done = shell(
        caged,
        home,
        "python -c 'import sys, json; print(sys.prefix)'",
        path=f"{home}/project/.venv/bin:{SYSTEM_PATH}",
    )
    assert (done.stdout.text, done.stderr.text) == (f"{home}/project/.venv\n", "")


def test_programs_of_version_managers_in_the_home_folder_still_run(caged: Room, home: Path) -> None:
    real = home / ".nvm/versions/node/v20/lib/tool/cli.sh"
    real.parent.mkdir(parents=True)
    real.write_text("#!/usr/bin/env helper\n")
    real.chmod(0o755)
    link = home / ".local/bin/tool"
    link.parent.mkdir(parents=True)
    link.symlink_to(real)
    helper = home / "tools/bin/helper"
    helper.parent.mkdir(parents=True)
    helper.write_text(f'#!/bin/sh\ncat {home}/tools/lib/said "$1"\n')
    helper.chmod(0o755)
    (home / "tools/lib").mkdir()
    (home / "tools/lib/said").write_text("it runs: ")
    done = shell(caged, home, "tool", path=f"{home}/.local/bin:{home}/tools/bin:{SYSTEM_PATH}")
    assert done.stdout.text == "it runs: #!/usr/bin/env helper\n"


def test_a_script_named_on_the_command_line_can_be_read(caged: Room, home: Path) -> None:
    script = home / "agents/agent.sh"
    script.parent.mkdir()
    script.write_text(". $(dirname $0)/part.sh\n")
    (script.parent / "part.sh").write_text("echo found\n")
    command = caged.command("/bin/sh", str(script), env={"HOME": str(home), "PATH": SYSTEM_PATH})
    assert caged.run(command).stdout.text == "found\n"


def test_naming_a_secret_on_the_command_line_does_not_show_it(caged: Room, home: Path) -> None:
    command = caged.command(
        "/bin/cat",
        str(home / ".ssh/id_ed25519"),
        str(home / ".netrc"),
        env={"HOME": str(home), "PATH": SYSTEM_PATH},
    )
    assert caged.run(command).stdout.text == ""


def test_naming_a_folder_above_the_home_does_not_show_the_home(caged: Room, home: Path) -> None:
    names = ("/", str(home), str(home.parent), "--root=/")
    command = caged.command(
        "/bin/sh", "-c", "ls -A $HOME", *names, env={"HOME": str(home), "PATH": SYSTEM_PATH}
    )
    assert caged.run(command).stdout.text == ""


OTHER_USER = """
import asyncio, sys
from pathlib import Path
from burnish.ports import Sandbox
from burnish.process.child import Command
from burnish.process.supervisor import run
workspace = Path(sys.argv[1])
script = "id -u; echo x > made; grep CapEff /proc/self/status; touch /etc/x; sleep 77.123456 & exit 5"
for sandbox in (Sandbox(writable=(workspace,)), None):
    command = Command(("/bin/sh", "-c", script), workspace, {"PATH": "/usr/bin:/bin"}, 20.0, sandbox=sandbox)
    done = asyncio.run(run(command))
    print(done.exit, done.isolation, *done.stdout.text.split())
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_an_unprivileged_user_gets_the_same(caged: Room, tmp_path_factory: pytest.TempPathFactory) -> None:
    python = shutil.which("python3", path="/usr/bin")
    source = Path(bubblewrap.__file__).parents[2]
    if not python or not os.access(source, os.X_OK):
        pytest.skip("no interpreter that everybody may use")
    workspace = Path("/var/tmp") / f"burnish-{os.getpid()}"
    copy = workspace / "src"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    try:
        for path in (workspace, *workspace.rglob("*")):
            os.chown(path, 65534, 65534)
        ran = subprocess.run(
            [python, "-c", OTHER_USER, str(workspace)],
            check=False, capture_output=True, text=True, user=65534, group=65534, extra_groups=[], cwd="/",
            env={"PYTHONPATH": str(copy), "PATH": SYSTEM_PATH, "HOME": "/nonexistent"},
        )  # fmt: skip
        assert ran.stdout.splitlines() == [
            "5 bubblewrap 65534 CapEff: 0000000000000000",
            "5 guard (unsandboxed) 65534 CapEff: 0000000000000000",
        ], ran.stderr
        assert (workspace / "made").exists()
    finally:
        shutil.rmtree(workspace)
