"""Who is taken when nobody was named, who is asked after whom, and what is said when there is nobody."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from burnish.app.agent_choice import TAKEN, decide, taken_by
from burnish.app.chains import chain, review_chain
from burnish.config.load import Flag, Loaded, Sources, load
from burnish.errors import UsageError
from burnish.model.mode import Mode

LOGINS = {"claude": "ANTHROPIC_API_KEY", "codex": "OPENAI_API_KEY"}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


class Machine:
    """A PATH and a home of our own: programs that are there need not run to be found."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.home = folder / "bin", folder / "home"
        self.bin.mkdir()
        self.home.mkdir()
        self.environ = {"PATH": str(self.bin), "HOME": str(self.home)}

    def has(self, *names: str, logged_in: bool = True) -> Machine:
        for name in names:
            path = self.bin / name
            path.write_text("#!/bin/sh\nexit 1\n")
            path.chmod(0o755)
            if logged_in:
                self.environ[LOGINS[name]] = "dummy"
        return self

    def decides(self, mode: Mode = Mode.LOOP, **flags: Any) -> Loaded:
        return decide(settings(flags), self.environ, mode)


def settings(flags: Mapping[str, Any], environ: Mapping[str, str] | None = None) -> Loaded:
    given = {
        f"agents.{name}" if "__" not in name else name.replace("__", "."): value
        for name, value in flags.items()
    }
    named = {key: Flag(f"--{key.rpartition('.')[2]}", value) for key, value in given.items()}
    return load(Sources(flags=named, environ=environ or {}))


def roles(loaded: Loaded) -> tuple[str | None, str | None, str | None]:
    agents = loaded.settings.agents
    return agents.implementer, agents.reviewer, agents.fixer


def test_with_nothing_named_another_vendor_reviews_and_that_is_told(machine: Machine) -> None:
    found = machine.has("claude", "codex").decides()
    assert roles(found) == ("claude", "codex", None)
    assert found.notices == ("took claude to implement and fix, codex to review",)
    assert taken_by(found) == {"agents.implementer": "claude", "agents.reviewer": "codex"}


def test_one_agent_alone_does_everything_and_it_is_said_that_nobody_else_looks(machine: Machine) -> None:
    found = machine.has("codex").decides()
    assert roles(found) == ("codex", "codex", None)
    assert found.notices == (
        "took codex to implement, review and fix (no agent of another vendor is ready to review)",
    )


def test_an_agent_that_is_not_logged_in_is_not_taken(machine: Machine) -> None:
    machine.has("codex").has("claude", logged_in=False)
    assert roles(machine.decides())[:2] == ("codex", "codex")


def test_beside_a_named_agent_the_other_vendor_is_taken(machine: Machine) -> None:
    machine.has("claude", "codex")
    assert roles(machine.decides(implementer="codex:fast"))[:2] == ("codex:fast", "claude")
    assert roles(machine.decides(reviewer="claude"))[:2] == ("codex", "claude")
    told = machine.decides(reviewer="claude").notices
    assert told == ("took codex to implement and fix",)


def test_a_named_model_is_one_vendors_so_one_agent_does_it_all(machine: Machine) -> None:
    machine.has("claude", "codex")
    assert roles(machine.decides(model="opus"))[:2] == ("claude", "claude")
    assert roles(machine.decides(model="fast"))[:2] == ("claude", "codex")


def test_only_the_roles_that_a_mode_needs_are_filled(machine: Machine) -> None:
    machine.has("claude", "codex")
    assert machine.decides(Mode.REVIEW).notices == ("took claude to review",)
    assert machine.decides(Mode.PLAN).notices == ("took claude to implement",)
    assert machine.decides(Mode.IMPROVE, fixer="./mine").notices == ()


def test_agent_is_for_every_role_that_has_none_of_its_own(machine: Machine) -> None:
    found = machine.decides(agent="claude", fixer="./mine")
    assert roles(found) == ("claude", "claude", "./mine")
    assert found.notices == ()


def test_an_agent_given_as_a_flag_is_stronger_than_roles_in_a_weaker_place() -> None:
    loaded = settings({"agent": "codex"}, {"BURNISH_AGENTS_REVIEWER": "./old"})
    assert loaded.settings.agents.reviewer is None
    assert settings({"reviewer": "./new", "agent": "codex"}).settings.agents.reviewer == "./new"


def test_a_fallback_is_asked_after_each_agent_but_never_twice(machine: Machine) -> None:
    found = machine.decides(implementer="claude", reviewer="codex", fallback=["codex", "./last"])
    assert roles(found) == ("fallback:claude|codex|./last", "fallback:codex|./last", None)
    assert chain("fallback:claude|codex", ("codex",)) == "fallback:claude|codex"


def test_embedded_is_nobodys_first_choice_for_a_task(machine: Machine) -> None:
    for flags in ({"agent": "embedded"}, {"implementer": "embedded"}, {"reviewer": "embedded"}):
        with pytest.raises(UsageError, match="cannot do a task itself"):
            machine.decides(**flags)


@pytest.mark.parametrize("by", ["flag", "file"])
def test_embedded_ends_the_chains_of_reviewer_and_fixer_and_never_that_of_an_implementer(
    machine: Machine, by: str
) -> None:
    if by == "flag":
        found = machine.decides(agent="claude", fallback=["codex", "embedded"])
    else:
        loaded = settings({"agent": "claude"}, {"BURNISH_AGENTS_FALLBACK": "codex,embedded"})
        found = decide(loaded, machine.environ)
    whole = "fallback:claude|codex|embedded"
    assert roles(found) == ("fallback:claude|codex", whole, whole)
    assert "it cannot implement" in found.notices[-1]
    assert "not approved" in found.notices[-1]


def test_a_fixer_that_nobody_named_has_the_stand_in_too_and_none_stays_none(machine: Machine) -> None:
    found = machine.decides(implementer="claude", reviewer="codex", fallback=["embedded"])
    assert roles(found) == ("claude", "fallback:codex|embedded", "fallback:claude|embedded")
    found = machine.decides(implementer="none", reviewer="codex", fixer="none", fallback=["embedded"])
    assert roles(found) == ("none", "fallback:codex|embedded", "none")


def test_a_fallback_that_nobody_knows_is_refused_with_those_that_are_known(machine: Machine) -> None:
    with pytest.raises(UsageError, match=r"--fallback: expected agents .*found 'nosuch'") as told:
        machine.decides(agent="claude", fallback=["codex", "nosuch"])
    assert "known are claude, codex, embedded" in told.value.hint
    machine.has("claude")
    (machine.bin / "nosuch").write_bytes((machine.bin / "claude").read_bytes())
    (machine.bin / "nosuch").chmod(0o755)
    assert roles(machine.decides(agent="claude", fallback=["nosuch --fast", "codex:fast"]))[0] == (
        "fallback:claude|nosuch --fast|codex:fast"
    )
    with pytest.raises(UsageError, match="as the last"):
        machine.decides(agent="claude", fallback=["embedded", "codex"])


def test_a_model_takes_the_agent_of_its_vendor_and_a_fallback_of_another_takes_its_own(
    machine: Machine,
) -> None:
    machine.has("claude", "codex")
    assert roles(machine.decides(model="gpt-5.5"))[:2] == ("codex", "codex")
    assert roles(machine.decides(model="claude-opus-4-5"))[:2] == ("claude", "claude")
    assert roles(machine.decides(model="mine-1"))[:2] == ("claude", "claude")
    found = machine.decides(model="gpt-5.5", fixer="codex", fallback=["claude", "embedded"])
    assert roles(found) == (
        "fallback:codex|claude:strong",
        "fallback:codex|claude:strong|embedded",
        "fallback:codex|claude:fast|embedded",
    )


@pytest.mark.parametrize(
    ("model", "what"),
    [
        ("gpt-5.5", "'gpt-5.5' of openai: codex is not installed"),
        ("o3", "'o3' of openai: codex is not installed"),
        ("gemini-3-pro", "'gemini-3-pro' of google: no agent of theirs is driven"),
    ],
)
def test_a_model_whose_agent_is_not_ready_is_refused_and_not_given_to_another(
    machine: Machine, model: str, what: str
) -> None:
    with pytest.raises(UsageError) as told:
        machine.has("claude").decides(model=model)
    assert what in told.value.message
    assert "--agent" in told.value.hint
    assert roles(machine.decides(model=model, agent="claude"))[0] == "claude"


def test_a_review_asks_its_agents_then_the_fallback_and_ends_with_the_embedded_reviewer() -> None:
    given = settings({"fallback": ["codex", "claude", "embedded"]})
    assert review_chain((), given) == ("codex", "claude")
    assert review_chain(("claude",), given) == ("claude", "codex")
    in_file = settings({}, {"BURNISH_AGENTS_FALLBACK": "codex"})
    assert review_chain((), in_file) == ()
    assert review_chain(("claude",), in_file) == ("claude", "codex")
    with pytest.raises(UsageError, match="as the last"):
        review_chain((), settings({"fallback": ["embedded", "codex"]}))


@pytest.mark.parametrize(
    ("there", "what", "hint"),
    [
        ((), "no agent that Burnish knows is installed", "install one"),
        (("codex",), "codex is installed but not logged in", "run: codex login"),
    ],
)
def test_with_nobody_ready_one_sentence_says_what_cannot_be_done_and_what_can(
    machine: Machine, there: tuple[str, ...], what: str, hint: str
) -> None:
    machine.has(*there, logged_in=False)
    with pytest.raises(UsageError) as told:
        machine.decides()
    assert what in told.value.message
    assert told.value.message.startswith("expected --implementer CMD")
    assert hint in told.value.hint
    assert "burnish review --fix works without an agent" in told.value.hint


def test_what_was_taken_has_an_origin_that_says_so(machine: Machine) -> None:
    found = machine.has("claude").decides(reviewer="./mine")
    assert found.origins["agents.implementer"] == TAKEN
    assert found.origins["agents.reviewer"] == "flag --reviewer"
