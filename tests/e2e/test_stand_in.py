"""`--fallback ..., embedded`: what it may say and repair when no agent answers, and that it never approves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import Said, burnish, program
from tests.repos import TestRepo

LIMITED = "sys.exit('429 Too Many Requests: usage limit reached')\n"
QUOTA = "sys.exit('quota exceeded')"
REPAIRABLE = (
    "import yaml\n\n\ndef read(text: str) -> object:\n    return yaml.load(text, Loader=yaml.Loader)\n"
)
GOOD = "def twice(n: int) -> int:\n    return 2 * n\n"


class Bench:
    """A writer that writes one file, and a reviewer that has no answer."""

    def __init__(self, folder: Path, repo: TestRepo) -> None:
        self.folder, self.repo = folder, repo
        deep = folder / ("long-enough-to-be-told-by-its-hash-in-a-receipt-" * 4)
        self.reviewer = program(deep, "asleep", LIMITED)

    def run(self, text: str, *more: str, fix: str = "", reviewer: str = "") -> Said:
        body = f"p = Path('new.py')\nif role == 'implement':\n    p.write_text({text!r})\n"
        writer = program(self.folder / "agents", "writer", body + (f"else:\n    {fix}" if fix else ""))
        flags = ("--implementer", writer, "--reviewer", reviewer or self.reviewer, "--fallback", "embedded")
        return burnish(self.repo.path, "run", "Add it", *flags, *more, env={"BURNISH_SANDBOX_MODE": "off"})

    def burnish(self, *arguments: str) -> Said:
        return burnish(self.repo.path, *arguments)


@pytest.fixture
def bench(tmp_path: Path, repo: Callable[..., TestRepo]) -> Bench:
    return Bench(tmp_path, repo({"app.py": "print('hi')\n"}))


def run_of(said: Said) -> str:
    return next(word.rstrip(":") for word in said.out.split() if word.startswith("r-"))


def test_that_analysers_find_nothing_is_no_approval_and_the_reason_names_everybody(bench: Bench) -> None:
    said = bench.run(GOOD)
    assert said.code == 1
    assert "none of 2 agents answered" in said.out
    assert "cannot judge whether the task was done: that is no approval" in said.out
    assert "burnish/unapproved/" in said.out
    assert "approved" not in bench.burnish("runs").out.lower().replace("unapproved", "")


def test_a_review_and_a_fix_of_the_stand_in_are_named_as_its_own_wherever_they_are_told(bench: Bench) -> None:
    """The writer cannot fix; both stand-ins work on what analysers found, and in the end nobody approves."""
    said = bench.run(REPAIRABLE, fix=QUOTA)
    assert said.code == 1
    assert "note: review: embedded stood in for" in said.out
    assert "note: fix: embedded stood in for" in said.out
    assert "that is no approval" in said.out
    run = run_of(said)
    for verb in (("show", run), ("receipt", "show", run)):
        told = bench.burnish(*verb).out
        assert "embedded" in told
        assert "asleep.py: rate limit (" in told, told
    assert "embedded stood in for" in bench.burnish("log", run).out
    assert bench.burnish("receipt", "verify", run).code == 0
    branch = bench.repo.git("show", f"burnish/unapproved/{run}:new.py")
    assert "safe_load" in branch


def test_a_finding_in_words_is_nothing_it_could_repair_and_that_is_the_reason_told(bench: Bench) -> None:
    says = "print('## Must-Fix\\n\\n- new.py:1: name it better\\n\\n**Verdict: CHANGES_REQUESTED**')\n"
    said = bench.run(REPAIRABLE, fix=QUOTA, reviewer=program(bench.folder / "agents", "judge", says))
    assert said.code == 1
    assert "fix: failed" in said.out
    assert "embedded: cannot repair any of" in said.out
    assert "safe_load" not in bench.repo.git("show", f"burnish/unapproved/{run_of(said)}:new.py")


def test_a_red_gate_is_enough_for_a_no_of_the_stand_in(bench: Bench) -> None:
    said = bench.run(GOOD, "--gate", "test ! -e new.py", "--fixes", "0")
    assert "review: CHANGES_REQUESTED" in said.out, said.out
    assert "embedded stood in for" in said.out
    assert "the gate 'test ! -e new.py' turned red" in bench.burnish("show", run_of(said)).out


def test_an_implementer_that_gives_no_answer_has_no_stand_in(bench: Bench) -> None:
    writer = program(bench.folder / "agents", "quiet", LIMITED)
    flags = ("--implementer", writer, "--reviewer", bench.reviewer, "--fallback", "embedded")
    said = bench.burnish("run", "Add it", *flags, "--sandbox", "off")
    assert said.code == 1
    assert "implement: failed" in said.out
    assert "embedded:" not in said.out
    assert "it cannot implement" in said.out
