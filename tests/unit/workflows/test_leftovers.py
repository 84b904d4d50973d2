"""What a reviewer leaves in its throw-away copy: named, no reason to fail, and caches not even that."""

from __future__ import annotations

from pathlib import Path

from burnish.model.agent import Request
from burnish.model.change import Dropped, Snapshot
from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit
from burnish.ports import Touched
from burnish.workflows.leftovers import NAMES_SHOWN, few, left_behind
from tests.loops import Drive, passing, profile_named

TASK = profile_named("task")
CACHES = (
    "__pycache__/app.cpython-311.pyc", "src/pkg/__pycache__/x.pyc", ".pytest_cache/v/cache/lastfailed",
    ".coverage", ".coverage.host.1", "node_modules/.cache/x", "web/coverage/index.html", "src/app.gcda",
)  # fmt: skip


def left_by(folder: Path, *names: str, answer: str = "") -> tuple[Outcome, list[str], tuple[str, ...]]:
    def review(request: Request) -> str:
        for name in names:
            path = request.workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("mine\n")
        return answer or passing(TASK)

    drive = Drive(folder, TASK, review, limit=Limit(LimitUnit.REVIEWS, 1))
    ending = drive.run()
    told = [note.text for note in drive.notes() if note.key.startswith("left_behind/")]
    return ending.stop.outcome, told, ending.history.reviews[0].left_behind


def test_a_file_that_a_reviewer_leaves_is_named_in_the_run_and_the_review_counts(tmp_path: Path) -> None:
    outcome, told, kept = left_by(tmp_path, "planted.py")
    assert (outcome, kept) == (Outcome.PASSED, ("planted.py",))
    assert len(told) == 1
    assert told[0].startswith("the reviewer ") and told[0].endswith(" left behind: planted.py")


def test_caches_of_the_tests_that_a_reviewer_ran_are_neither_told_nor_held_against_it(tmp_path: Path) -> None:
    assert left_by(tmp_path, *CACHES) == (Outcome.PASSED, [], ())


def test_what_is_left_is_told_whatever_the_answer_is_worth(tmp_path: Path) -> None:
    outcome, told, _ = left_by(tmp_path, "planted.py", answer="hm")
    assert outcome is not Outcome.PASSED
    assert told and all("planted.py" in text for text in told)


def test_what_no_snapshot_takes_is_named_too_and_each_name_once() -> None:
    dropped = (Dropped("nested", "a repository of its own"), Dropped("pipe", "not a file"))
    touched = Touched(edited=("app.py",), added=("new.py", "pipe"))
    assert left_behind(touched, Snapshot("t", dropped)) == ("new.py", "pipe", "nested")


def test_many_names_are_cut_and_their_text_is_clean() -> None:
    names = [f"{number}.txt" for number in range(NAMES_SHOWN + 3)]
    assert few(names).endswith(f"{NAMES_SHOWN - 1}.txt, and 3 more")
    assert "\x1b" not in few(["\x1b[31mred"])
