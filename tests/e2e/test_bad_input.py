"""What bad input gets: it works, or one clear sentence and an exit code; never a traceback, nothing lost."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.process import bubblewrap
from tests.cli import Said, burnish, program
from tests.repos import TestRepo, run_git

WRITER = "Path('new.txt').write_text('x\\n')\n"
REVIEWER = "print('**Verdict: APPROVED**')\n"


@pytest.fixture
def agents(tmp_path: Path) -> list[str]:
    writer, reviewer = (
        program(tmp_path / "a", "writer", WRITER),
        program(tmp_path / "a", "reviewer", REVIEWER),
    )
    return ["--implementer", writer, "--reviewer", reviewer]


def works(said: Said) -> bool:
    return said.code == 0 and said.end["outcome"] == "passed"


def refuses(said: Said, words: str, code: int = 2) -> None:
    """One sentence on stderr that holds the words, perhaps a hint, nothing else."""
    assert said.code == code, (said.code, said.err)
    assert words in said.err
    assert said.err.startswith("burnish: ")
    assert len([line for line in said.err.splitlines() if line and not line.startswith("hint: ")]) == 1


def test_a_folder_that_is_no_repository(tmp_path: Path, agents: list[str]) -> None:
    refuses(burnish(tmp_path, "run", "x", *agents), "is not inside a git repository")


def test_an_empty_repository(repo: Callable[..., TestRepo], agents: list[str]) -> None:
    refuses(burnish(repo().path, "run", "x", *agents), "has no commit yet")


def test_a_bare_repository(tmp_path: Path, agents: list[str]) -> None:
    run_git(tmp_path, "init", "-q", "--bare", "bare.git")
    refuses(burnish(tmp_path / "bare.git", "run", "x", *agents), "is a bare repository")


def test_a_detached_head(repo: Callable[..., TestRepo], agents: list[str]) -> None:
    made = repo({"a": "1\n"})
    made.git("checkout", "-q", "--detach")
    assert works(burnish(made.path, "run", "x", *agents, "--json"))
    assert made.git("symbolic-ref", "-q", "HEAD", check=False) == ""


def test_a_shallow_clone(tmp_path: Path, repo: Callable[..., TestRepo], agents: list[str]) -> None:
    source = repo({"a": "1\n"})
    source.commit("second", {"a": "2\n"})
    run_git(tmp_path, "clone", "-q", "--depth=1", f"file://{source.path}", "shallow")
    assert works(burnish(tmp_path / "shallow", "run", "x", *agents, "--json"))


def test_no_identity(repo: Callable[..., TestRepo], agents: list[str]) -> None:
    said = burnish(repo({"a": "1\n"}).path, "run", "x", *agents, "--json", env={"EMAIL": ""})
    assert works(said)


@pytest.mark.parametrize("setting", ["commit.gpgsign=true", "core.hooksPath=hooks", "core.fsmonitor=./evil"])
def test_settings_that_get_in_gits_way(
    repo: Callable[..., TestRepo], agents: list[str], setting: str
) -> None:
    made = repo({"a": "1\n", "hooks/pre-commit": "#!/bin/sh\nexit 1\n"})
    made.git("config", *setting.split("=", 1))
    assert works(burnish(made.path, "run", "x", *agents, "--json"))


def test_failing_hooks(repo: Callable[..., TestRepo], agents: list[str]) -> None:
    made = repo({"a": "1\n"})
    for name in (
        "pre-commit",
        "commit-msg",
        "post-commit",
        "pre-push",
        "post-checkout",
        "reference-transaction",
    ):
        made.write(f".git/hooks/{name}", "#!/bin/sh\ntouch ../hook-ran\nexit 1\n", mode=0o755)
    assert works(burnish(made.path, "run", "x", *agents, "--json"))
    assert not list(made.path.parent.glob("**/hook-ran"))


def test_submodules(tmp_path: Path, repo: Callable[..., TestRepo], agents: list[str]) -> None:
    inner, outer = repo({"i": "1\n"}), repo({"o": "1\n"})
    outer.git("submodule", "add", "-q", str(inner.path), "sub")
    outer.commit("sub")
    said = burnish(outer.path, "run", "x", *agents, "--json")
    assert works(said)
    assert "160000" in outer.git("ls-tree", said.end["branch"], "sub")


def test_a_path_with_spaces_and_other_letters(repo: Callable[..., TestRepo], agents: list[str]) -> None:
    made = repo({"a": "1\n"}, name="my größtes repo 'x'")
    assert works(burnish(made.path, "run", "x", *agents, "--json"))


def test_a_folder_below_the_top(repo: Callable[..., TestRepo], agents: list[str]) -> None:
    made = repo({"deep/er/a": "1\n"})
    assert works(burnish(made.path / "deep" / "er", "run", "x", *agents, "--json"))


def test_an_index_that_somebody_else_has_locked(repo: Callable[..., TestRepo], agents: list[str]) -> None:
    made = repo({"a": "1\n"})
    made.write(".git/index.lock", "")
    assert works(burnish(made.path, "run", "x", *agents, "--json"))
    assert (made.path / ".git/index.lock").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--profile", "tasks"], "unknown profile 'tasks'; known: loops, review, slots, spec, task"),
        (["--contract", "grad"], "unknown contract 'grad'; known: findings, grade, json-verdict"),
        (["--cycles", "0"], "Invalid value for '--cycles'"),
        (["--cycles", "many"], "'many' is not a valid integer"),
        (["--cycles", "2", "--fixes", "1"], "two ways to say one limit"),
        (["--base", "nowhere"], "'nowhere' is not a commit or branch"),
        (["--base", "--all"], "expected the name of a commit"),
        (["--land", "moon"], "Invalid value for '--land'"),
        (["--timeout-review", "-1"], "Invalid value for '--timeout-review'"),
        (["--implementer", "no-such-program --x"], "program 'no-such-program' was not found on PATH"),
        (["--implementer", "'unclosed"], "cannot be split into words"),
        (["--reviewer", "none"], "never ends without a review"),
        (["--policy", "hope=2"], "unknown policy 'hope'"),
        (["--policy", "patience=x"], "patience takes a whole number"),
        (["--no-such-flag"], "No such option"),
    ],
)
def test_arguments_that_cannot_be_meant(
    repo: Callable[..., TestRepo], agents: list[str], arguments: list[str], words: str
) -> None:
    made = repo({"a": "1\n"})
    before = made.fingerprint(landed_aside=False)
    refuses(burnish(made.path, "run", "x", *agents, *arguments), words)
    assert made.fingerprint(landed_aside=False) == before
    assert burnish(made.path, "runs", "--json").out == "[]\n"


def test_a_task_without_words(repo: Callable[..., TestRepo], agents: list[str]) -> None:
    refuses(burnish(repo({"a": "1\n"}).path, "run", "  ", *agents), "expected a task in words")


def test_a_misspelt_configuration_key(repo: Callable[..., TestRepo], agents: list[str]) -> None:
    made = repo({"burnish.toml": "[limits]\ncycels = 3\n"})
    refuses(burnish(made.path, "run", "x", *agents), "cycels")
    assert "cycles" in burnish(made.path, "run", "x", *agents).err


def test_configuration_in_the_checkout_does_not_name_programs(
    repo: Callable[..., TestRepo], agents: list[str]
) -> None:
    made = repo({"a": "1\n"})
    made.write("burnish.toml", '[gate]\ncommand = "touch gate-ran"\n')
    said = burnish(made.path, "run", "x", *agents, "--json")
    assert works(said)
    assert said.events[0]["gate"] == ""
    assert any("is not used" in event.get("text", "") for event in said.events)


@pytest.mark.parametrize("verb", ["resume", "cancel", "show", "log"])
def test_a_run_that_is_not_there(repo: Callable[..., TestRepo], verb: str) -> None:
    refuses(burnish(repo({"a": "1\n"}).path, verb, "r-none"), "there is no run 'r-none'")


def test_a_finished_run_is_not_resumed_or_cancelled(repo: Callable[..., TestRepo], agents: list[str]) -> None:
    made = repo({"a": "1\n"})
    run = burnish(made.path, "run", "x", *agents, "--json").end["run"]
    for verb in ("resume", "cancel"):
        refuses(burnish(made.path, verb, run), f"run {run} has already ended: passed")


def test_a_command_that_does_not_exist(tmp_path: Path) -> None:
    refuses(burnish(tmp_path, "statsu"), "there is no command 'statsu'. Did you mean 'status'?")


def test_a_state_folder_that_cannot_be_written(
    tmp_path: Path, repo: Callable[..., TestRepo], agents: list[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    said = burnish(
        repo({"a": "1\n"}).path, "run", "x", *agents, env={"BURNISH_STATE": str(tmp_path / "file" / "state")}
    )
    assert said.code in (1, 2)
    assert "hint: " in said.err


def test_a_reader_that_goes_away_is_no_crash(repo: Callable[..., TestRepo]) -> None:
    made = repo({"a": "1\n"})
    done = subprocess.run(
        ["bash", "-c", "set -o pipefail; python3 -m burnish contract show grade | head -n 1"],
        cwd=made.path,
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert b"Traceback" not in done.stderr


def test_a_sandbox_that_is_required_but_not_there_begins_no_run(
    repo: Callable[..., TestRepo], agents: list[str]
) -> None:
    if bubblewrap.usable():
        pytest.skip("bubblewrap is usable here; tests/unit/process shows the refusal itself")
    made = repo({"a": "1\n"})
    refuses(burnish(made.path, "run", "x", *agents, "--sandbox", "require"), "a sandbox is required")
    assert burnish(made.path, "runs", "--json").out == "[]\n"
