"""The frame of `make e2e` sees what it must not miss: processes left, false passes, requests to elsewhere."""

from __future__ import annotations

import http.client
import subprocess
import sys
from pathlib import Path

import pytest
from e2e._clis import CLIS, KEY
from e2e._stage import Stage, alive
from e2e.scenario import Result, Scenario
from scripts import get_agents

from e2e import __main__ as frame
from e2e import _page, overhead
from tests.cli import Said
from tests.model_server import Say, Scene

PASSED = '{"kind":"run_finished","outcome":"passed"}\n'
FAILED = '{"kind":"run_finished","outcome":"failed"}\n'


def played(story: Scenario, place: Path) -> Result:
    return frame.play(CLIS[0], story, place=place)


def test_a_story_that_holds_leaves_nothing_behind(tmp_path: Path) -> None:
    result = played(Scenario("nothing", lambda stage: "all well"), tmp_path)
    assert (result.held, result.said) == (True, "all well")
    assert list(tmp_path.iterdir()) == []


def test_what_was_found_instead_is_told_and_its_folder_is_kept(tmp_path: Path) -> None:
    def story(stage: Stage) -> str:
        raise AssertionError("expected rain, found sun")

    result = played(Scenario("weather", story), tmp_path)
    assert (result.held, result.said) == (False, "expected rain, found sun")
    assert len(list(tmp_path.iterdir())) == 1


def test_a_process_that_is_left_is_found_by_its_environment_and_ended(tmp_path: Path) -> None:
    started = []

    def story(stage: Stage) -> str:
        with stage.script():
            env = stage.environment()
        code = "import os, time; os.setsid(); time.sleep(600)"
        started.append(subprocess.Popen([sys.executable, "-c", code], env=env))
        return "all well"

    result = played(Scenario("left", story), tmp_path)
    [child] = started
    assert child.wait(10) == -9
    assert not result.held
    assert [line.partition(":")[0] for line in result.left] == [str(child.pid)]


@pytest.mark.parametrize(
    ("out", "may_pass", "false"),
    [(PASSED, False, 1), (PASSED * 2, False, 2), (PASSED, True, 0), (FAILED, False, 0)],
)
def test_a_pass_in_a_story_without_an_approval_is_a_false_one(
    tmp_path: Path, out: str, may_pass: bool, false: int
) -> None:
    def story(stage: Stage) -> str:
        stage.said.append(Said(0, out, ""))
        return "all well"

    result = played(Scenario("passes", story, may_pass=may_pass), tmp_path)
    assert result.false_passes == false
    assert result.held is (false == 0)


def test_a_request_to_elsewhere_makes_a_story_fall(tmp_path: Path) -> None:
    def story(stage: Stage) -> str:
        with stage.script(Scene([Say("hello")])) as server:
            away = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
            away.request("GET", "http://updates.example/")
            away.getresponse().read()
            away.close()
        return "all well"

    result = played(Scenario("away", story), tmp_path)
    assert (result.held, result.elsewhere) == (False, ["http://updates.example/"])


def test_a_key_in_a_file_and_something_left_in_the_home_make_a_story_fall(tmp_path: Path) -> None:
    def leaks(stage: Stage) -> str:
        (stage.folder / "state" / "burnish.db").write_bytes(b"\0" + KEY.encode() + b"\0")
        return "all well"

    def litters(stage: Stage) -> str:
        (stage.home / ".claude").mkdir()
        (stage.home / ".claude" / "history.jsonl").touch()
        return "all well"

    first, second = (played(Scenario("x", story), tmp_path) for story in (leaks, litters))
    assert (first.held, first.leaks, first.strays) == (False, ["state/burnish.db"], [])
    assert (second.held, second.leaks, second.strays) == (False, [], [".claude/history.jsonl"])


def test_children_get_nothing_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-real-key")
    monkeypatch.setenv("SOMETHING_OF_OURS", "x")
    stage = Stage(CLIS[0], tmp_path / "stage")
    with stage.script() as server:
        env = stage.environment()
        assert env["ANTHROPIC_BASE_URL"] == env["HTTPS_PROXY"] == server.url
    assert "SOMETHING_OF_OURS" not in env
    assert "a-real-key" not in env.values()
    assert Path(env["HOME"]).is_relative_to(tmp_path)
    assert alive(str(tmp_path / "stage")) == []


def test_the_page_tells_what_fell_and_what_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "agents.md"
    monkeypatch.setitem(vars(_page), "DOCS", page)
    results = [
        Result("claude", "one", True, "fine", 1.0),
        Result("claude", "two", False, "a | b\nc", 2.0, ["7: x"], 1, ["x.example:443"]),
    ]
    costs = [overhead.Cost("claude", 20, overhead.Spent(1.0, 600.0), overhead.Spent(11.0, 2.0))]
    _page.write(
        _page.Played(results, costs, {"claude": "1.2.3", "codex": ""}, {"claude": ["x.example:443"]}), page
    )
    text = page.read_text("utf8")
    assert "| claude | 1.2.3 | 2 | 1 | 1 | 1 | 1 |" in text
    assert "**fell**, 2.0 s: a / b c; left: 1 processes; went to x.example:443" in text
    assert "| claude | 1 ms | 11 ms | 10 ms | 600 ms | 20 |" in text
    assert "- codex: it could not be installed here." in text


def test_the_clis_are_those_that_are_got_pinned_and_without_an_address() -> None:
    assert [source.name for source in get_agents.SOURCES] == [cli.name for cli in CLIS]
    assert all(source.npm.count("@") == 2 and "==" in source.wheel for source in get_agents.SOURCES)
    assert "://" not in Path(get_agents.__file__).read_text("utf8")
