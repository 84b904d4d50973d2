"""The words that stories are made of: who is asked, what a reviewer answers, what must be true at the end."""

from __future__ import annotations

from typing import Any

from tests.cli import Said
from tests.model_server import Answer, Edit, Say, Scene, Turn

from e2e._stage import Stage

TASK = "Add subtract(a, b) to calc.py"
IMPLEMENTER = "You are the implementer"
REVIEWER = "You are the reviewer"
FIXER = "You are the fixer"
ADD = "    return a + b"
WRONG = f"{ADD}\n\n\ndef subtract(a, b):\n    return b - a"
SUBTRACT = "    return b - a"
RIGHT = "    return a - b"


def verdict(word: str, *problems: str) -> dict[str, Any]:
    """An answer in the form of the profile `task`."""
    issues = [{"file": "calc.py", "line": 9, "problem": text, "suggestion": None} for text in problems]
    return {"review": "I have read the change and its tests.", "must_fix": issues, "verdict": word}


def approves(when: str = REVIEWER, **told: Any) -> Scene:
    return Scene([Answer(verdict("APPROVED"))], when=when, **told)


def refuses(problem: str, when: str = REVIEWER, **told: Any) -> Scene:
    return Scene([Answer(verdict("CHANGES_REQUESTED", problem))], when=when, **told)


def writes(old: str, new: str, when: str = IMPLEMENTER, **told: Any) -> Scene:
    return Scene([Edit("calc.py", old, new), Say("I have changed calc.py.")], when=when, **told)


def implements(**told: Any) -> Scene:
    """Right at once."""
    return writes(ADD, WRONG.replace(SUBTRACT, RIGHT), **told)


def only(*turns: Turn, when: str, **told: Any) -> Scene:
    return Scene(turns, when=when, **told)


def ended(said: Said, outcome: str, code: int) -> dict[str, Any]:
    """The last event of a run that ended as it should."""
    told = f"exit {said.code}; {said.err.strip()[-400:]}"
    assert said.out.strip(), f"nothing on stdout, {told}"
    found = said.events[-1]
    assert found["kind"] == "run_finished", f"the last event is {found['kind']}, {told}"
    what = f"{found['outcome']} ({found['reason']}: {found['message']}), exit {said.code}"
    assert found["outcome"] == outcome, f"expected {outcome}, found {what}"
    assert said.code == code, f"expected exit {code}, found {what}"
    return found


def not_passed(said: Said) -> dict[str, Any]:
    """The last event of a run that ended somehow, but not as a pass."""
    assert said.out.strip(), f"nothing on stdout, exit {said.code}; {said.err.strip()[-400:]}"
    found = said.events[-1]
    assert found["kind"] == "run_finished", f"the last event is {found['kind']}, exit {said.code}"
    assert found["outcome"] != "passed", "it passed"
    return found


def told(said: Said, *any_of: str) -> None:
    """One of the words is somewhere in what was printed about how it went."""
    lines = [line for line in said.out.splitlines() if '"kind":"run_started"' not in line]
    everything = "\n".join([*lines, said.err]).lower()
    assert any(word.lower() in everything for word in any_of), f"none of {any_of} was told: {last(said)}"


def notices(said: Said) -> str:
    return "; ".join(event["text"] for event in said.events if event["kind"] == "notice")


def last(said: Said) -> str:
    line = (said.out.strip().splitlines() or [""])[-1]
    return f"{line[-500:]} {said.err.strip()[-300:]}"


def commits_once(stage: Stage, branch: str, count: int) -> None:
    ids = stage.step_ids(branch)
    assert len(ids) == count, f"expected {count} commits, found {len(ids)}: {ids}"
    assert len(set(ids)) == count and all(ids), f"step ids are not one a commit: {ids}"


def untouched(stage: Stage, before: dict[str, str]) -> None:
    after = stage.repo.fingerprint()
    changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    assert not changed, f"the user's repository was changed: {changed[:5]}"
