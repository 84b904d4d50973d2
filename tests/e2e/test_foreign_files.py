"""A repository names no file outside of itself: not by a link, not by its settings, not by climbing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import Said, burnish
from tests.repos import TestRepo
from tests.slots import Slots, bead

MakeRepo = Callable[..., TestRepo]
SECRET = "cnry-of-the-user-7351"
AGENTS = ("--implementer", "true", "--reviewer", "true")


@pytest.fixture
def key(isolated_environment: Path) -> Path:
    path = isolated_environment / ".ssh/id_ed25519"
    path.parent.mkdir()
    path.write_text(f"# Phase 1: {SECRET}\n\n- [ ] {SECRET}\n")
    return path


@pytest.fixture
def slots(tmp_path: Path, repo: MakeRepo) -> Slots:
    found = Slots(tmp_path / "slots", repo({"app.py": ""}))
    found.beads(bead("bd-1"))
    return found


def committed(repo: TestRepo) -> None:
    repo.git("add", "-A")
    repo.git("commit", "-qm", "as others wrote it")


def refused(said: Said, *words: str) -> None:
    assert said.code == 2, (said.code, said.out, said.err)
    for word in words:
        assert word in said.err
    assert len(said.err.strip().splitlines()) <= 3
    assert SECRET not in said.out + said.err


@pytest.mark.parametrize("name", ["prompts/developer.md", "prompt.md", "prompts/reviewer.md"])
def test_a_committed_link_is_no_prompt_of_slots(slots: Slots, key: Path, name: str) -> None:
    path = slots.repo.path / ".ai_agents" / name
    path.parent.mkdir(parents=True)
    path.symlink_to(key)
    committed(slots.repo)
    refused(slots.run("--review", code=2), f"'.ai_agents/{name}'", "it is a symlink")
    assert slots.asked == []


def test_a_link_among_the_folders_above_is_no_way_to_a_prompt(slots: Slots, key: Path) -> None:
    (key.parent / "prompts").mkdir()
    (key.parent / "prompts/developer.md").write_text(SECRET)
    (slots.repo.path / ".ai_agents").symlink_to(key.parent)
    committed(slots.repo)
    refused(slots.run(code=2), "it goes through a symlink")


@pytest.mark.parametrize(
    "setting",
    [
        "slots.prompt = '{key}'",
        "slots.prompt = '~/.ssh/id_ed25519'",
        "slots.prompt = '../x/../../.ssh/id_ed25519'",
        "prompts.implement = '{key}'",
        "prompts.review = '{key}'",
        "slots.source = 'checklist:{key}'",
        "slots.source = 'checklist:~/.ssh/id_ed25519'",
        "sandbox.home_paths = ['.ssh']",
        "sandbox.home_paths = ['.config']",
        "sandbox.home_paths = ['{key}']",
        "sandbox.home_paths = ['.']",
        "sandbox.pass_env = ['*']",
    ],
)
def test_settings_of_a_repository_reach_nothing_outside_of_it(slots: Slots, key: Path, setting: str) -> None:
    slots.repo.commit("settings", {"burnish.toml": setting.format(key=key) + "\n"})
    refused(slots.run(code=2), "burnish.toml at ", ", line 1: ")
    assert slots.asked == []
    refused(burnish(slots.repo.path, "run", "Add it", *AGENTS), "burnish.toml at ")


def test_the_same_settings_of_the_user_hold(slots: Slots, key: Path, isolated_environment: Path) -> None:
    own = isolated_environment / "config/burnish/burnish.toml"
    own.parent.mkdir(parents=True)
    own.write_text("slots.prompt = '~/.ssh/id_ed25519'\nsandbox.home_paths = ['.ssh']\n")
    slots.run()
    assert SECRET in slots.prompt("bd-1-implement-1")


def test_beads_are_not_read_through_a_link(slots: Slots, key: Path) -> None:
    (slots.repo.path / ".beads/issues.jsonl").unlink()
    (slots.repo.path / ".beads/issues.jsonl").symlink_to(key)
    refused(slots.run("--source", "beads", code=2, env={"PATH": "/usr/bin:/bin"}), "it is a symlink")


@pytest.mark.parametrize("verb", ["spec", "build"])
def test_a_document_that_is_a_link_is_not_read(repo: MakeRepo, key: Path, verb: str) -> None:
    user = repo({"app.py": ""})
    (user.path / "spec.md").symlink_to(key)
    committed(user)
    refused(burnish(user.path, verb, "spec.md", *AGENTS), "the spec spec.md cannot be read: it is a symlink")
    # From a folder below, and by its whole path: the same file.
    (user.path / "sub").mkdir()
    refused(burnish(user.path / "sub", verb, "../spec.md", *AGENTS), "it is a symlink")
    refused(burnish(user.path, verb, os.fspath(user.path / "spec.md"), *AGENTS), "it is a symlink")


def test_a_manifest_that_is_a_link_is_not_read(repo: MakeRepo, key: Path) -> None:
    user = repo({"app.py": "", "spec.md": "---\nmanifest: plan.json\n---\n# Spec 042: Add it\n"})
    (user.path / "plan.json").symlink_to(key)
    committed(user)
    said = burnish(user.path, "spec", "spec.md", *AGENTS)
    refused(said, "the manifest plan.json cannot be read: it is a symlink")


def test_a_checklist_that_is_a_link_is_not_read(slots: Slots, key: Path) -> None:
    (slots.repo.path / "TODO.md").symlink_to(key)
    committed(slots.repo)
    refused(slots.run("--source", "checklist:TODO.md", code=2), "it is a symlink")


def test_tasks_are_not_taken_from_a_link(repo: MakeRepo, key: Path) -> None:
    user = repo({"app.py": ""})
    (user.path / "TODO.md").symlink_to(key)
    refused(burnish(user.path, "add", "--from", "TODO.md"), "cannot read 'TODO.md': it is a symlink")
    assert burnish(user.path, "add", "--from", str(key)).code == 0


def test_settings_that_are_a_link_count_as_none_and_that_is_said(repo: MakeRepo, key: Path) -> None:
    user = repo({"app.py": ""})
    key.write_text("limits.cycles = 7\n")
    (user.path / "burnish.toml").symlink_to(key)
    committed(user)
    said = burnish(user.path, "config", "show")
    assert said.code == 0
    assert "limits.cycles = 7" not in said.out
    assert "is not used" in said.err
