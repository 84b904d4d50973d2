"""A loop whose reviewer gives its verdict by a tool, over the real socket."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.errors import AgentFailed
from burnish.model.agent import Request
from burnish.model.review import Review, Verdict
from burnish.model.step import Role
from burnish.tools.client import call
from burnish.tools.desk import SocketTools
from tests.loops import Answer, Drive, profile_named

LOOP = "set_loop_review_result"
ID = "r-memory"
ISSUE = {"file": "app.py", "line": 1, "type": "dead-code", "description": "unused", "suggestion": "remove it"}


def tell(request: Request, **arguments: object) -> tuple[str, bool]:
    assert request.open_tools is not None
    return call(str(request.open_tools.socket), request.open_tools.token, LOOP, dict(arguments))


def loop(folder: Path, review: Answer) -> Drive:
    return Drive(folder, profile_named("loops"), review, tools=SocketTools())


def asks_of(drive: Drive) -> list[str]:
    return [request.prompt for request in drive.asked(Role.REVIEW)]


def test_a_tool_call_is_the_verdict_and_the_last_message_need_not_be_one(tmp_path: Path) -> None:
    def review(request: Request) -> str:
        assert tell(request, loopId=ID, passed=True, interpretedIntent="a check")[1]
        return "REVIEW_COMPLETE"

    drive = loop(tmp_path, review)
    assert drive.run().passed
    assert drive.asked(Role.REVIEW)[0].schema is None


def test_issues_of_a_tool_call_reach_the_fixer(tmp_path: Path) -> None:
    def review(request: Request) -> str:
        first = request.variables["BURNISH_CYCLE"] == "1"
        tell(request, loopId=ID, passed=not first, **({"issues": [ISSUE]} if first else {}))
        return "REVIEW_COMPLETE"

    drive = loop(tmp_path, review)
    ending = drive.run()
    assert ending.passed
    assert len(drive.asked(Role.FIX)) == 1
    assert "unused" in drive.asked(Role.FIX)[0].prompt
    reviews = [fact for fact in ending.history.facts if isinstance(fact, Review)]
    assert [review.verdict for review in reviews] == [Verdict.FAIL, Verdict.PASS]
    assert reviews[0].findings[0].category == "dead-code"


def test_a_missing_call_is_asked_for_once_more_with_the_exact_ids(tmp_path: Path) -> None:
    def review(request: Request) -> str:
        if request.variables.get("BURNISH_ASK", "1") != "1":
            tell(request, loopId=ID, passed=True)
        return "REVIEW_COMPLETE"

    drive = loop(tmp_path, review)
    assert drive.run().passed
    first, second = asks_of(drive)
    assert f"no valid result came by {LOOP}; report it with loopId '{ID}', exactly" in second
    assert "no valid result came" not in first


def test_without_any_call_it_is_asked_twice_and_has_not_passed(tmp_path: Path) -> None:
    drive = loop(tmp_path, lambda request: "I have seen it: REVIEW_COMPLETE")
    assert not drive.run().passed
    assert len(asks_of(drive)) == 2 * len(drive.asked(Role.FIX)) + 2


def test_each_ask_has_tools_of_its_own_and_earlier_ones_are_gone(tmp_path: Path) -> None:
    seen: list[tuple[str, bool]] = []

    def review(request: Request) -> str:
        assert request.open_tools is not None
        seen.append((request.open_tools.token, request.open_tools.socket.exists()))
        tell(request, loopId=ID, passed=len(seen) > 1, **({} if len(seen) > 1 else {"issues": [ISSUE]}))
        return ""

    drive = loop(tmp_path, review)
    assert drive.run().passed
    assert [there for _, there in seen] == [True, True]
    assert seen[0][0] != seen[1][0]
    assert not any(
        request.open_tools.socket.exists() for request in drive.asked(Role.REVIEW) if request.open_tools
    )


def test_an_agent_that_dies_after_its_call_has_said_nothing(tmp_path: Path) -> None:
    def review(request: Request) -> str:
        assert tell(request, loopId=ID, passed=True)[1]
        raise AgentFailed("it died", agent_exit=137)

    assert not loop(tmp_path, review).run().passed


@pytest.mark.parametrize("words", ['{"loopId": "r-memory", "passed": false}', '"passed": false'])
def test_words_that_contradict_the_call_do_not_pass(tmp_path: Path, words: str) -> None:
    def review(request: Request) -> str:
        tell(request, loopId=ID, passed=True)
        return words

    assert not loop(tmp_path, review).run().passed


def test_without_tools_the_same_as_json_will_do(tmp_path: Path) -> None:
    drive = Drive(tmp_path, profile_named("loops"), lambda request: f'{{"loopId": "{ID}", "passed": true}}')
    assert drive.run().passed
    assert drive.asked(Role.REVIEW)[0].open_tools is None
    assert drive.asked(Role.REVIEW)[0].schema is not None
