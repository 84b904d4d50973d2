"""Receipts: made by real runs, checked in the repository and in a fresh clone, and broken on purpose."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli import burnish
from tests.receipt_bench import Bench
from tests.receipts import forged, sealed, verdict_of
from tests.repos import TestRepo


@pytest.fixture
def bench(tmp_path: Path, repo: Callable[..., TestRepo]) -> Bench:
    return Bench(tmp_path, repo({"app.py": "x = 1\n"}))


def test_a_receipt_tells_what_the_pass_rests_on(bench: Bench) -> None:
    end = bench.run()
    receipt = json.loads(Path(end["receipt"]).read_text())
    last = receipt["reviews"][-1]
    assert (last["verdict"], last["tree"]) == ("pass", receipt["result_tree"])
    assert last["given"] == [{"path": "app.py", "hunks": ["-1 +1,3"]}]
    assert [gate["exit"] for gate in receipt["gates"]] == [0, 0, 0]
    assert receipt["files"] == ["app.py"]
    page = burnish(bench.repo.path, "receipt", "show", end["run"]).out
    assert "review cycle 2: APPROVED" in page


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from _leaves(value[key], (*path, key))
    else:
        yield path


def _changed(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case None:
            return "something"
        case str():
            return "0" + value[1:] if value[:1] != "0" else "1" + value[1:]
    return "x"


def test_no_value_of_a_receipt_can_be_altered_unnoticed(bench: Bench) -> None:
    end = bench.run()
    receipt = json.loads(Path(end["receipt"]).read_text())
    leaves = list(_leaves(receipt))
    survived = []
    for path in leaves:
        altered = copy.deepcopy(receipt)
        inner = altered
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = _changed(inner[path[-1]])
        if verdict_of(altered, bench.repo.path) == "holds":
            survived.append(path)
    assert survived == []
    assert len(leaves) > 150


@pytest.mark.parametrize("what", ["delete", "swap", "double", "cut"])
def test_an_event_removed_moved_or_doubled_is_noticed(bench: Bench, what: str) -> None:
    receipt = json.loads(Path(bench.run()["receipt"]).read_text())
    events = receipt["events"]
    match what:
        case "delete":
            del events[4]
        case "swap":
            events[4], events[5] = events[5], events[4]
        case "double":
            events.insert(4, events[4])
        case "cut":
            del events[-1]
    said = burnish(bench.repo.path, "receipt", "verify", str(bench.altered(sealed(receipt))))
    assert said.code == 1
    assert "✗ event chain" in said.out


def test_a_pass_of_another_tree_is_named(bench: Bench) -> None:
    receipt = json.loads(Path(bench.run()["receipt"]).read_text())
    receipt["result_tree"] = receipt["base_tree"]
    said = burnish(bench.repo.path, "receipt", "verify", str(bench.altered(sealed(receipt))))
    assert "✗ verdict: the pass is for tree" in said.out


def test_what_no_event_tells_is_held_by_the_seal_and_what_one_tells_by_that_too(bench: Bench) -> None:
    receipt = json.loads(Path(bench.run()["receipt"]).read_text())
    tree, parent = receipt["result_tree"], receipt["base_commit"]
    twin = bench.repo.git("commit-tree", "-p", parent, "-m", "the same tree", tree).strip()
    assert verdict_of(receipt | {"burnish": "9.9"}, bench.repo.path) == "seal"
    for version in (0, -1, 2):
        assert verdict_of(sealed(receipt | {"v": version}), bench.repo.path) == "format"
    assert verdict_of(sealed(receipt | {"result_commit": twin}), bench.repo.path) == "evidence"
    assert "unknown field 'more'" in verdict_of(sealed(receipt | {"more": 1}), bench.repo.path)
    assert "field 'v' holds" in verdict_of(sealed(receipt | {"v": True}), bench.repo.path)
    assert sealed(receipt) == receipt
    assert verdict_of(receipt, bench.repo.path) == "holds"
    receipt["reviews"][0]["more"] = 1
    assert "field 'reviews' holds" in verdict_of(sealed(receipt), bench.repo.path)


def test_a_pass_beside_a_gate_that_turned_red_is_named(bench: Bench) -> None:
    receipt = json.loads(Path(bench.run()["receipt"]).read_text())
    *_, last = (event for event in receipt["events"] if event.get("result_type") == "GateResult")
    assert verdict_of(forged(receipt), bench.repo.path) == "holds"
    receipt["gates"][-1]["exit"] = last["result"]["exit"] = 1
    assert verdict_of(forged(receipt), bench.repo.path) == "gate"


def test_in_another_repository_the_missing_commit_is_named(
    bench: Bench, repo: Callable[..., TestRepo]
) -> None:
    end = bench.run()
    said = burnish(repo({"other": "1\n"}, name="other").path, "receipt", "verify", end["receipt"])
    assert said.code == 1
    assert "is not in this repository" in said.out


def test_an_altered_journal_no_longer_matches_its_receipt(bench: Bench, isolated_environment: Path) -> None:
    end = bench.run()
    [database] = (isolated_environment / "burnish-state").glob("repos/*/burnish.db")
    script = "UPDATE events SET body = replace(body, 'CHANGES_REQUESTED', 'CHANGES-REQUESTED') WHERE kind = 'step_finished'"
    import sqlite3

    connection = sqlite3.connect(database)
    connection.execute(script)
    connection.commit()
    connection.close()
    said = burnish(bench.repo.path, "receipt", "verify", end["run"])
    assert said.code == 1
    assert "✗ journal: event" in said.out


def test_a_run_that_did_not_pass_has_a_receipt_too_and_it_says_so(bench: Bench) -> None:
    end = bench.run("--cycles", "1")
    said = burnish(bench.repo.path, "receipt", "verify", end["run"])
    assert said.out.splitlines()[-1].endswith(
        "is proven by the journal of this machine: exhausted (cycles_exhausted)"
    )
    receipt = json.loads(Path(end["receipt"]).read_text())
    for other in ({"outcome": "stopped"}, {"reason": "no_progress"}):
        assert verdict_of(receipt | other, bench.repo.path) == "seal"
        said = burnish(bench.repo.path, "receipt", "verify", str(bench.altered(sealed(receipt | other))))
        assert "✗ journal: the run ended exhausted (cycles_exhausted)" in said.out


STEERING = "\x1b[2J\x9b31m\u202e\u200b\x7f\U000e0041"


def test_nothing_that_a_file_says_steers_the_terminal(bench: Bench) -> None:
    end = bench.run("--cycles", "1")
    receipt = json.loads(Path(end["receipt"]).read_text())
    shown = burnish(bench.repo.path, "receipt", "show", "--json", end["run"]).out
    assert shown == Path(end["receipt"]).read_text()
    steering = {name: receipt[name] + STEERING for name in ("run", "outcome", "reason", "chain", "burnish")}
    events = [event | {"run": STEERING} for event in receipt["events"]]
    holding = forged(receipt | {"run": STEERING, "burnish": STEERING, "events": events})
    assert verdict_of(holding, bench.repo.path) == "holds"
    for file in (receipt | steering, sealed(receipt | steering), holding):
        path = bench.folder / "steering.json"
        path.write_text(json.dumps(file, ensure_ascii=False), "utf8")
        for words in (("verify",), ("show",), ("show", "--json")):
            said = burnish(bench.repo.path, "receipt", *words, str(path))
            assert said.out
            assert not set(STEERING) - set("[2J31m") & set(said.out + said.err), words
        assert json.loads(said.out) == file


def test_work_on_top_of_uncommitted_files_has_a_receipt_that_holds(bench: Bench) -> None:
    bench.repo.write("app.py", "x = 2\n")
    end = bench.run("--land", "apply")
    assert burnish(bench.repo.path, "receipt", "verify", end["run"]).code == 0


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "not json", '{"format": "burnish-receipt"}', '{"format": "other"}']
)
def test_what_is_no_receipt_gets_one_sentence(bench: Bench, text: str) -> None:
    path = bench.folder / "file.json"
    path.write_text(text)
    said = burnish(bench.repo.path, "receipt", "verify", str(path))
    assert said.code == 2
    assert "receipt" in said.err


# Stale


def test_a_later_edit_of_what_was_reviewed_makes_the_pass_stale(bench: Bench) -> None:
    end = bench.run()
    assert "stale" not in burnish(bench.repo.path, "runs").out
    bench.repo.git("switch", "-q", end["branch"])
    bench.repo.commit("beside", {"other.py": "y = 1\n"})
    assert "stale" not in burnish(bench.repo.path, "runs").out
    bench.repo.commit("edit", {"app.py": "x = 3\n"})
    assert "stale" in burnish(bench.repo.path, "runs").out
    page = burnish(bench.repo.path, "show", end["run"]).out
    assert f"stale: app.py on {end['branch']} is no longer what was reviewed" in page
    assert json.loads(burnish(bench.repo.path, "runs", "--json").out)[0]["stale"] != ""


def test_an_edit_of_applied_files_makes_the_pass_stale(bench: Bench) -> None:
    end = bench.run("--land", "apply")
    assert "stale" not in burnish(bench.repo.path, "show", end["run"]).out
    bench.repo.write("app.py", "x = 4\n")
    assert (
        "stale: app.py in your checkout is no longer what was reviewed"
        in burnish(bench.repo.path, "show", end["run"]).out
    )
