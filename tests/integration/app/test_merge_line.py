"""One green main: a change lands as the very tree that passed the gate, or main stays as it is."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from signal import SIGKILL

import pytest

from burnish.app.merge_line import MOST_TRIES, Candidate, Commits, Merge, Merged, conflict_prompt
from burnish.app.place import find_place
from burnish.app.templates import find_templates
from burnish.config.schema import Prompts
from burnish.errors import NotApplied, WorkspaceError
from burnish.git.forwarding import Point
from burnish.prompts.book import MERGE_NAMES, PromptBook
from tests.cli import until_killed
from tests.merge_lines import Deed, Landing, candidate, land_until
from tests.repos import TestRepo, clone

MakeRepo = Callable[..., TestRepo]
LINES = "".join(f"line {number}\n" for number in range(9))
CHECK = 'found=$(ls parts | wc -l)\necho "$found parts"\n[ "$found" -le 2 ]\n'
FILES = {"app.txt": LINES, "check.sh": CHECK, "parts/first": "1\n", ".gitignore": "*.log\n"}
GATE = "sh check.sh"
USER = "git -c user.name=Ada -c user.email=a@example.com"


def ready(user: TestRepo, *scripts: str, run: str = "r-1") -> Candidate:
    async def scenario() -> Candidate:
        return await candidate(await find_place(user.path), run, user.head, scripts)

    return asyncio.run(scenario())


def landed(user: TestRepo, change: Candidate, gate: str = GATE, commits: Commits = Commits.ONE) -> Merged:
    return asyncio.run(Landing(user.path, "main", change, gate, commits).land())


def refused(user: TestRepo, change: Candidate, gate: str = GATE) -> WorkspaceError:
    """The error; nothing of the user's is another than before."""
    before, status = user.head, user.git("status", "--porcelain", "--ignored")
    with pytest.raises(WorkspaceError) as caught:
        landed(user, change, gate)
    assert (user.head, user.git("status", "--porcelain", "--ignored")) == (before, status)
    return caught.value


def meanwhile(folder: Path, script: str, *, times: int = 1) -> str:
    """A gate during which a user does something, the first few times that it runs."""
    path = folder / "meanwhile.sh"
    count = f'n=$(cat {folder}/n 2>/dev/null || echo 0); echo $((n + 1)) > {folder}/n; [ "$n" -ge {times} ]'
    path.write_text(f"if {count}; then exit 0; fi\n{script}\n")
    return f"sh {path} && {GATE}"


def user_commits(user: TestRepo, *, unlike: bool = True) -> str:
    """As shell words: a commit on main that touches none of the files of others."""
    change = "date +%s%N >> by-user.txt" if unlike else "sed -i 's/line 1$/by the user/' app.txt"
    return f"cd {user.path} && {change} && {USER} add -A . && {USER} commit -q -m 'by the user'"


def test_the_very_commits_land_with_their_files_when_nothing_moved(repo: MakeRepo) -> None:
    user = repo(FILES)
    change = ready(user, "echo 2 > parts/second")
    found = landed(user, change)
    assert found == Merged(Merge.LANDED, change.commit, user.tree())
    assert user.head == change.commit
    assert (user.path / "parts/second").read_text() == "2\n"
    assert user.git("status", "--porcelain") == ""
    assert landed(user, change) == found


def test_changes_that_began_together_land_one_upon_the_other(repo: MakeRepo) -> None:
    user = repo(FILES)
    one = ready(user, "sed -i 's/line 1$/one/' app.txt", run="r-1")
    two = ready(user, "sed -i 's/line 7$/two/' app.txt", run="r-2")
    user.commit("by the user", {"by-user.txt": "u\n"})
    results = [landed(user, change) for change in (one, two)]
    assert [result.fate for result in results] == [Merge.LANDED, Merge.LANDED]
    assert user.head == results[1].commit
    assert user.git("log", "--format=%s").splitlines() == [
        "Step 1 of r-2", "Step 1 of r-1", "by the user", "first",
    ]  # fmt: skip
    text = (user.path / "app.txt").read_text()
    assert "one\n" in text
    assert "two\n" in text


def test_a_change_of_several_commits_is_one_commit_on_the_branch(repo: MakeRepo) -> None:
    user = repo(FILES)
    began = user.head
    change = ready(user, "touch parts/b parts/c parts/d", "rm parts/c parts/d")
    found = landed(user, change)
    assert user.git("rev-parse", "main^") == began
    said = user.git("log", "-1", "--format=%B")
    assert said == "The change of r-1\n\n- Step 1 of r-1\n- Step 2 of r-1\n\nBurnish-Run: r-1"
    assert user.tree() == found.tree
    assert sorted(user.files()) == sorted([*FILES, "parts/b"])
    assert landed(user, change).commit == found.commit


def test_what_a_change_took_back_itself_is_not_contested(repo: MakeRepo) -> None:
    user = repo(FILES)
    edit, back = "sed -i 's/line 1$/by the loop/' app.txt", "sed -i 's/by the loop/line 1/' app.txt"
    change = ready(user, edit, f"{back}; touch parts/b")
    user.commit("by the user", {"app.txt": LINES.replace("line 1\n", "by the user\n")})
    assert landed(user, change, commits=Commits.ALL).fate is Merge.CONTESTED
    assert landed(user, change).fate is Merge.LANDED
    assert "by the user\n" in (user.path / "app.txt").read_text()


def test_all_commits_are_kept_where_that_is_wanted(repo: MakeRepo) -> None:
    user = repo(FILES)
    change = ready(user, "touch parts/b", "echo > parts/b")
    assert landed(user, change, commits=Commits.ALL).commit == change.commit == user.head


def test_both_sides_of_a_conflict_are_told_and_main_stays_as_it_is(repo: MakeRepo) -> None:
    user = repo(FILES)
    change = ready(user, "sed -i 's/line 1$/by the loop/' app.txt; echo 2 > parts/second")
    user.commit("by the user", {"app.txt": LINES.replace("line 1\n", "by the user\n")})
    before = user.fingerprint()
    found = landed(user, change)
    assert user.fingerprint() == before
    assert (found.fate, found.commit, found.paths) == (Merge.CONTESTED, user.head, ("app.txt",))
    assert found.message == "main and the change of r-1 both changed the same lines of app.txt"
    for words in ("+by the user", "+by the loop", "parts/second"):
        assert words in found.sides
    assert "<<<<<<<" not in found.sides
    prompt = conflict_prompt("Add a part", found)
    for words in (found.message, "- app.txt", "+by the user", "+by the loop", user.head[:12]):
        assert words in prompt
    assert "gate said" not in prompt


def test_of_the_branch_only_what_is_contested_is_shown(repo: MakeRepo) -> None:
    user = repo({**FILES, "we[i]rd*.txt": "one\n"})
    change = ready(user, "echo two > 'we[i]rd*.txt'")
    user.commit("by the user", {"we[i]rd*.txt": "three\n", "weird.txt": "else\n", "other.txt": "aside\n"})
    found = landed(user, change)
    assert found.paths == ("we[i]rd*.txt",)
    assert "+three" in found.sides
    assert "+two" in found.sides
    assert "+else" not in found.sides
    assert "+aside" not in found.sides


def test_green_alone_and_red_together_is_told_with_what_the_gate_said(repo: MakeRepo) -> None:
    user = repo(FILES)
    changes = [ready(user, f"echo > parts/{run}", run=run) for run in ("r-1", "r-2")]
    assert landed(user, changes[0]).fate is Merge.LANDED
    before = user.fingerprint()
    found = landed(user, changes[1])
    assert user.fingerprint() == before
    assert (found.fate, found.commit, found.tree) == (Merge.RED, user.head, user.tree())
    assert found.message == "the gate 'sh check.sh' is red on main and the change of r-2 together (exit 1)"
    assert found.output == "3 parts"
    assert "parts/r-1" in found.sides
    prompt = conflict_prompt("Add a part", found)
    assert "3 parts" in prompt
    assert "parts/r-2" in prompt


def test_what_only_the_targets_own_judges_find_green_does_not_land(repo: MakeRepo) -> None:
    """They come first, but main would be the tree as it is, with the change's version of them."""
    user = repo(FILES)
    found = landed(user, ready(user, "echo exit 3 > check.sh"))
    assert found.fate is Merge.RED
    assert "(exit 3)" in found.message
    assert landed(user, ready(user, "rm check.sh", run="r-2")).fate is Merge.RED


def test_a_main_that_is_red_by_itself_takes_only_what_repairs_it(repo: MakeRepo) -> None:
    user = repo({**FILES, "parts/b": "", "parts/c": ""})
    error = refused(user, ready(user, "echo x > unrelated"))
    assert "is red on main already, and the change of r-1 does not repair it" in error.message
    assert "make main green" in error.hint
    repaired = landed(user, ready(user, "rm parts/c", run="r-2"))
    assert repaired.fate is Merge.LANDED
    assert landed(user, ready(user, "echo x > unrelated", run="r-3")).fate is Merge.LANDED


def test_what_the_user_commits_while_the_gate_runs_is_joined_and_tested_again(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo(FILES)
    change = ready(user, "echo 2 > parts/second")
    found = landed(user, change, meanwhile(tmp_path, user_commits(user)))
    assert (found.fate, found.commit) == (Merge.LANDED, user.head)
    assert user.git("log", "--format=%s").splitlines() == ["Step 1 of r-1", "by the user", "first"]
    assert (tmp_path / "n").read_text() == "2\n"
    assert user.git("status", "--porcelain") == ""


def test_what_the_user_commits_meanwhile_may_make_it_contested(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    change = ready(user, "sed -i 's/line 1$/by the loop/' app.txt")
    found = landed(user, change, meanwhile(tmp_path, user_commits(user, unlike=False)))
    assert found.fate is Merge.CONTESTED
    assert user.git("log", "--format=%s").splitlines() == ["by the user", "first"]


def test_a_branch_that_never_rests_is_left_alone_with_a_sentence(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    change = ready(user, "echo 2 > parts/second")
    with pytest.raises(WorkspaceError, match=f"main was moved {MOST_TRIES} times"):
        landed(user, change, meanwhile(tmp_path, user_commits(user), times=99))
    assert user.git("log", "--format=%s").splitlines() == [*["by the user"] * MOST_TRIES, "first"]


def test_a_branch_that_is_deleted_meanwhile_is_told_with_the_remedy(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    change = ready(user, "echo 2 > parts/second")
    user.git("checkout", "-q", "-b", "elsewhere")
    gate = meanwhile(tmp_path, f"git -C {user.path} branch -q -D main")
    found = landed(user, change, gate)
    assert found.fate is Merge.GONE
    assert f"`git branch main {change.base[:12]}` makes it again" in found.message
    assert user.branches == ["elsewhere"]


def test_a_file_of_the_users_in_the_way_is_neither_lost_nor_committed(repo: MakeRepo) -> None:
    user = repo(FILES)
    change = ready(user, "echo 2 > parts/second; echo 3 > kept.txt")
    for name, text in (("kept.txt", "mine\n"), ("app.txt", "edited\n")):
        user.write(name, text)
    error = refused(user, change)
    assert isinstance(error, NotApplied)
    assert "kept.txt is in the way" in error.message
    (user.path / "kept.txt").unlink()
    assert landed(user, change).fate is Merge.LANDED
    assert (user.path / "app.txt").read_text() == "edited\n"
    assert user.git("status", "--porcelain") == " M app.txt"


def test_a_branch_checked_out_in_another_worktree_is_not_moved(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    change = ready(user, "echo 2 > parts/second")
    user.git("checkout", "-q", "-b", "elsewhere")
    user.git("worktree", "add", "-q", tmp_path / "other", "main")
    assert "is checked out in" in refused(user, change).message


@pytest.mark.parametrize("point", ["advance:before", *Point, "advance:after"])
def test_a_landing_that_was_killed_is_done_once_and_whole(repo: MakeRepo, point: str) -> None:
    user = repo(FILES)
    change = ready(user, "echo 2 > parts/second; sed -i 's/line 7$/two/' app.txt")
    user.commit("by the user", {"by-user.txt": "u\n"})
    deed = Deed(Landing(user.path, "main", change, GATE), point)
    assert until_killed(land_until, deed)[0] == -SIGKILL
    found = landed(user, change)
    assert (found.fate, found.commit) == (Merge.LANDED, user.head)
    assert user.git("log", "--format=%s").splitlines() == ["Step 1 of r-1", "by the user", "first"]
    assert user.git("status", "--porcelain") == ""
    assert list((user.path / ".git").rglob("*.lock")) == []


@pytest.mark.parametrize("point", ["advance:before", "advance:after"])
def test_so_is_one_of_a_branch_that_nobody_has_checked_out(repo: MakeRepo, point: str) -> None:
    user = repo(FILES)
    change = ready(user, "echo 2 > parts/second")
    user.git("checkout", "-q", "-b", "elsewhere")
    before = user.git("status", "--porcelain"), user.files()
    assert until_killed(land_until, Deed(Landing(user.path, "main", change, GATE), point))[0] == -SIGKILL
    assert landed(user, change).commit == change.commit == user.git("rev-parse", "main")
    assert (user.git("status", "--porcelain"), user.files()) == before


@pytest.mark.parametrize("point", [Point.PREPARED, Point.WRITTEN, Point.INDEXED])
def test_another_change_finishes_first_what_a_kill_left_half_done(repo: MakeRepo, point: Point) -> None:
    user = repo(FILES)
    killed = ready(user, "sed -i 's/line 7$/two/' app.txt", run="r-1")
    other = ready(user, "sed -i 's/line 1$/one/' app.txt", run="r-2")
    assert until_killed(land_until, Deed(Landing(user.path, "main", killed, GATE), point))[0] == -SIGKILL
    assert landed(user, other).fate is Merge.LANDED
    assert landed(user, killed).fate is Merge.LANDED
    assert sorted(user.git("log", "--format=%s").splitlines()) == ["Step 1 of r-1", "Step 1 of r-2", "first"]
    assert user.git("status", "--porcelain") == ""


def test_two_processes_that_land_at_once_do_so_one_after_the_other(repo: MakeRepo, tmp_path: Path) -> None:
    user, log = repo(FILES), tmp_path / "log"
    changes = [ready(user, f"echo > parts/{run}", run=run) for run in ("r-1", "r-2")]
    gate = f"echo begin >> {log}; sleep 0.1; {GATE}; code=$?; echo end >> {log}; exit $code"
    deeds = [Deed(Landing(user.path, "main", change, gate)) for change in changes]
    with ThreadPoolExecutor(2) as pool:
        found = [told for _, told in pool.map(partial(until_killed, land_until), deeds)]
    assert sorted(fate for [fate] in found) == [Merge.LANDED, Merge.RED]
    assert len(user.git("log", "--format=%s").splitlines()) == 2
    gates = log.read_text().split()
    assert gates == ["begin", "end"] * (len(gates) // 2), "two gates of the line ran at once"


def test_a_repository_may_bring_its_own_words_for_those_who_settle_it(repo: MakeRepo) -> None:
    user = repo({"words/conflict.md": "Settle {{ title }}: {{ merged.message }}\n"})

    async def scenario() -> tuple[tuple[str, str], ...]:
        place = await find_place(user.path)
        return await find_templates(place, Prompts(build="words"), user.head, MERGE_NAMES)

    book = PromptBook(dict(asyncio.run(scenario())))
    found = Merged(Merge.CONTESTED, user.head, user.tree(), message="both changed it")
    assert conflict_prompt("the till", found, book) == "Settle the till: both changed it\n"


def test_a_partial_clone_is_refused_before_anything_is_done(repo: MakeRepo, tmp_path: Path) -> None:
    origin = repo(FILES)
    origin.git("config", "uploadpack.allowFilter", "true")
    user = clone(origin, tmp_path / "partial", "--filter=blob:none")
    change = Candidate("r-1", user.head, user.head, "Nothing")
    assert "is a partial clone" in refused(user, change).message


def test_what_landed_is_known_by_its_run_also_after_the_user_has_taken_it_back(repo: MakeRepo) -> None:
    user = repo(FILES)
    change = ready(user, "sed -i 's/line 1$/one/' app.txt")
    user.commit("by the user", {"by-user.txt": "mine\n"})
    assert landed(user, change).fate is Merge.LANDED
    user.git("revert", "--no-edit", "HEAD")
    head = user.head
    assert (landed(user, change).fate, user.head) == (Merge.LANDED, head)


def test_without_a_gate_the_tree_lands_as_it_is_joined(repo: MakeRepo) -> None:
    user = repo(FILES)
    changes = [ready(user, f"echo > parts/{run}", run=run) for run in ("r-1", "r-2")]
    assert [landed(user, change, "").fate for change in changes] == [Merge.LANDED, Merge.LANDED]
