"""`review --fix` and `fix` as a user meets them: what is fixed is tested or undone, and nothing of theirs is touched."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from burnish.cli.last_line import guarded
from burnish.cli.main import burnish as verbs
from burnish.dossier.dimension import DimensionFile
from burnish.dossier.fix_history import FixHistory
from burnish.dossier.fix_progress import FixProgress
from burnish.dossier.iteration import IterationFile
from burnish.dossier.page import Page
from burnish.dossier.plan import FixPlanFile, PartialPlanFile
from burnish.dossier.progress import ReviewProgress
from burnish.dossier.session_file import WorkflowSession
from burnish.dossier.state import ReviewState
from tests.cli import Said, burnish, start
from tests.repos import TestRepo, make_repo

CLEAN = "def same(a, b):\n    return a == b\n"
# The import and the comparison can be fixed, the eval cannot.
FLAWED = f"import sys\n\n\n{CLEAN}\n\ndef first(a):\n    found = eval(a)\n    return found == None\n"
# One test was red before, and another one needs the import that looks unused.
GATE = (
    "echo 'FAILED test_a.py::test_red - old'; "
    "grep -q 'import sys' calc.py || echo 'FAILED test_a.py::test_sys - new'; exit 1"
)
QUICK = ("--sandbox", "off", "--run-unsandboxed", "--no-tests")
PAGES: dict[str, type[Page]] = {
    "workflow-session.json": WorkflowSession,
    ".review/review-state.json": ReviewState,
    ".review/review-progress.json": ReviewProgress,
    ".review/dimensions/*.json": DimensionFile,
    ".review/iterations/*.json": IterationFile,
    ".review/fixes/fix-history.json": FixHistory,
    ".review/fixes/*/fix-history.json": FixHistory,
    ".review/fixes/*/fix-plan.json": FixPlanFile,
    ".review/fixes/*/partial-plan-*.json": PartialPlanFile,
    ".review/fixes/*/fix-progress-*.json": FixProgress,
}


@pytest.fixture
def repo(tmp_path: Path) -> TestRepo:
    """A user with a stash, something staged, a hook, untracked and ignored work, and flawed work unstaged."""
    repo = make_repo(tmp_path / "repo", {"calc.py": CLEAN, "doc.md": "doc\n", ".gitignore": "*.log\n"})
    repo.write("doc.md", "stashed\n")
    repo.git("stash")
    repo.write("doc.md", "staged\n")
    repo.git("add", "doc.md")
    repo.write("calc.py", FLAWED)
    repo.write("mine.log", "ignored\n")
    repo.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch hook-ran\n", mode=0o755)
    return repo


def branch_of(repo: TestRepo) -> str:
    [name] = [name for name in repo.branches if name.startswith("burnish/")]
    return name


def subjects(repo: TestRepo, branch: str) -> list[str]:
    return repo.git("log", "--format=%s", f"main..{branch}").splitlines()


@pytest.mark.conformance("C-52", "C-55", "C-97")
def test_what_can_be_fixed_is_fixed_on_a_branch_and_what_breaks_the_gate_is_undone(repo: TestRepo) -> None:
    burnish(repo.path, "session", "start", "pay")
    folder = repo.path / ".burnish/sessions/WFS-pay"
    for name in ("review-state.json", "fixes/fix-history.json", "dimensions/security.json"):
        repo.write(f".burnish/sessions/WFS-pay/.review/{name}", "{ not JSON")
    before = repo.fingerprint()
    said = burnish(repo.path, "review", "--fix", *QUICK, "--gate", GATE)
    assert said.code == 1, said.err
    branch = branch_of(repo)
    assert branch.startswith("burnish/fix-r-")
    assert repo.show(branch, "calc.py") == FLAWED.replace("== None", "is None"), said.out
    first, begun = subjects(repo, branch)
    assert first.startswith("fix(best-practices): Comparison to `None` should be `cond is None` [bp-001-")
    assert begun == "Uncommitted work as it was when the review began"
    assert repo.fingerprint() == before
    assert "test_sys" in said.out, "why the other fix was undone"
    assert "eval" in said.out, "what is left is listed"
    _check_files(folder)
    landed = [item.commit_hash for one in _progress(folder) for item in one.findings if item.commit_hash]
    assert landed == [repo.git("rev-parse", branch)], "the commits as they landed"


def _progress(folder: Path) -> list[FixProgress]:
    return [FixProgress.read(path.read_text(), "p") for path in folder.rglob("fix-progress-*.json")]


def _check_files(folder: Path) -> None:
    """Every file of the seed is there and says what its model says; what was corrupt is whole again."""
    for pattern, page in PAGES.items():
        found = list(folder.glob(pattern))
        assert found, pattern
        for path in found:
            page.read(path.read_text("utf8"), str(path))
    fixes = folder / ".review/fixes"
    [session] = [path for path in fixes.iterdir() if path.is_dir()]
    [entry] = FixHistory.read((fixes / "fix-history.json").read_text(), "history").sessions
    assert (entry.fix_session_id, entry.status, entry.fixed_count) == (session.name, "partial", 1)
    assert entry.findings_count == 3
    assert (session / "fix-summary.md").read_text().strip()
    assert not list(fixes.rglob("active-fix-session.json"))
    progress = [FixProgress.read(path.read_text(), "p") for path in session.glob("fix-progress-*.json")]
    results = {item.result for one in progress for item in one.findings}
    assert results == {"fixed", "failed"}


@pytest.mark.parametrize("meanwhile", [False, True], ids=["unchanged", "changed"])
def test_fixes_are_applied_only_to_a_checkout_that_did_not_change(repo: TestRepo, meanwhile: bool) -> None:
    repo.write("calc.py", f"{CLEAN}\n\ndef nothing(a):\n    return a == None\n")
    gate = "true"
    if meanwhile:
        gate = f"echo '# mine' >> '{repo.path}/calc.py'"
    before = repo.fingerprint()
    said = burnish(repo.path, "review", "--fix", *QUICK, "--gate", gate, "--land", "apply")
    assert said.code == 0, said.out + said.err
    changed = {path for path, kind in repo.fingerprint().items() if before.get(path) != kind}
    assert changed == {"calc.py"}
    text = (repo.path / "calc.py").read_text()
    if meanwhile:
        assert "a == None" in text, "the user's own file was written over"
        assert "not applied" in said.out + said.err
        assert "is None" in repo.show(branch_of(repo), "calc.py"), "the fixes are not lost"
    else:
        assert text == f"{CLEAN}\n\ndef nothing(a):\n    return a is None\n"
        assert not any(name.startswith("burnish/") for name in repo.branches)


def finding(**fields: Any) -> dict[str, Any]:
    return {"id": "bp-001-0a1b2c3d", "title": "None", "severity": "low", "dimension": "best-practices",
            "file": "calc.py", "line": 10, "rule": "ruff:E711", **fields}  # fmt: skip


def export(folder: Path, name: str, content: object) -> str:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(path)


@pytest.mark.conformance("C-12", "C-16", "C-99")
def test_findings_are_fixed_from_a_folder_an_export_or_a_run(repo: TestRepo, tmp_path: Path) -> None:
    """One review; every way to name it means the same findings, and a dry run changes nothing."""
    assert burnish(repo.path, "review", *QUICK).code == 1
    [folder] = (repo.path / ".burnish/sessions").glob("*/.review")
    run = json.loads(burnish(repo.path, "runs", "--json").out)[0]["run"]
    before = repo.fingerprint(landed_aside=False)
    dry = {
        burnish(repo.path, "fix", name, "--dry-run").out
        for name in ("", run, str(folder), folder.parent.name)
    }
    assert len(dry) == 1, dry
    told = dry.pop()
    assert "calc.py:10  Comparison to `None` should be `cond is None`  (by codemods)" in told
    assert "needs an agent or a person" in told
    for name, content in (
        ("fix-export-1700000000000.json", {"findings": [finding()], "findings_count": 1}),
        ("review-1-fix-export.json", {"findings": [finding()]}),
        ("anything.json", [finding()]),
    ):
        said = burnish(repo.path, "fix", export(tmp_path, name, content), "--dry-run")
        assert "1 of 1 would be tried without an agent; nothing was changed" in said.out, said.err
    assert repo.fingerprint(landed_aside=False) == before
    nothing = burnish(repo.path, "fix", "--resume")
    assert nothing.code == 2
    assert "expected an interrupted review or fix session to resume, found none" in nothing.err


def test_one_finding_of_a_folder_is_fixed_and_the_rest_is_left_alone(repo: TestRepo) -> None:
    burnish(repo.path, "review", *QUICK)
    [folder] = (repo.path / ".burnish/sessions").glob("*/.review")
    pages = {path: path.read_text() for path in folder.rglob("dimensions/*.json")}
    ledger = json.loads(burnish(repo.path, "findings", "list", "--json").out)
    [number] = [entry["number"] for entry in ledger if entry["finding"]["rule"] == "ruff:E711"]
    said = burnish(repo.path, "fix", str(folder), "--finding", f"F{number}", "--gate", "true", *QUICK[:3])
    assert said.code == 0, said.err
    branch = branch_of(repo)
    assert repo.show(branch, "calc.py") == FLAWED.replace("== None", "is None")
    assert len(subjects(repo, branch)) == 2
    unknown = burnish(repo.path, "fix", "--finding", "F99")
    assert unknown.code == 2
    assert "there is no finding 'F99' in that review" in unknown.err
    assert pages == {path: path.read_text() for path in folder.rglob("dimensions/*.json")}, (
        "the review is kept"
    )
    # `review --fix DIR` enters the same pipeline, with all that this folder holds.
    again = burnish(repo.path, "review", "--fix", str(folder), *QUICK, "--gate", "true")
    assert again.code == 1, again.err
    [both] = [name for name in repo.branches if name.startswith("burnish/") and name != branch]
    assert repo.show(both, "calc.py") == FLAWED.replace("== None", "is None").replace("import sys\n", "")
    history = FixHistory.read((folder / "fixes/fix-history.json").read_text(), "history")
    assert [entry.fixed_count for entry in history.sessions] == [1, 2]


@pytest.mark.conformance("C-15", "C-98")
def test_another_process_watches_a_review_and_its_fixes(repo: TestRepo) -> None:
    repo.write("calc.py", f"{CLEAN}\n\ndef nothing(a):\n    return a == None\n")
    child = start(repo.path, "review", "--fix", *QUICK, "--gate", "true")
    assert child.stderr is not None
    assert any(line.startswith(b"Phase 2") for line in child.stderr)
    watched = burnish(repo.path, "view")
    _, said = child.communicate(timeout=90)
    assert (child.returncode, watched.code) == (0, 0), said
    phases = [line for line in watched.err.splitlines() if line.startswith("Phase ")]
    assert phases[0] == "Phase 2: Parallel Reviews (7 dimensions) -> in_progress"
    assert "Phase 9: Fix Completion -> completed" in phases
    assert "Fixes: 1 fixed" in watched.out
    assert burnish(repo.path, "view", "r-none").code == 2


BAD_EXPORTS: dict[str, tuple[object, str]] = {
    "garbage": ("\x00\x01 garbage", "not JSON"),
    "cut off": ('{"findings": [', "not JSON"),
    "a number": ("7", "invalid export file"),
    "no findings field": ({"review_id": "x"}, "findings"),
    "a finding without a title": ({"findings": [{"id": "a", "severity": "low"}]}, "findings.0.title"),
    "an unknown severity": ([finding(severity="awful")], "severity"),
    "a line that is none": ([finding(line="first")], "line"),
    "nested too deeply": ("[" * 200_000, "invalid export file"),
    "another repository": ({"repository": "elsewhere-1", "findings": [finding()]}, "of another repository"),
    "files that are not here": ([finding(file="gone.py")], "is in"),
    "a path upwards": ([finding(file="../out.py")], "expected paths inside the repository"),
    "an absolute path": ([finding(file="/etc/passwd")], "expected paths inside the repository"),
    "a file of git": ([finding(file=".git/config")], "expected paths inside the repository"),
    "a file of git in capitals": ([finding(file=".GIT/config")], "expected paths inside the repository"),
    "a zero byte": ([finding(file="a\x00b.py"), finding(id="x")], "expected paths inside the repository"),
    "half a character": ([finding(file="a\ud800.py")], "is in"),
    "an id that is none": ([finding(id="../x")], "expected every finding to have an id"),
    "two of one id": ([finding(), finding(line=1)], "bp-001-0a1b2c3d"),
}


@pytest.mark.conformance("C-45", "C-83")
def test_a_bad_export_is_refused_in_a_sentence(
    repo: TestRepo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All in this process, which is as the command line does it and saves its start each time."""
    monkeypatch.chdir(repo.path)
    before = repo.fingerprint(landed_aside=False)
    for kind, (content, words) in BAD_EXPORTS.items():
        code = guarded(verbs, ["fix", export(tmp_path, "fix-export-1.json", content)])
        said = capsys.readouterr()
        assert (code, said.out) == (2, ""), f"{kind}: {said.out} {said.err}"
        assert words in said.err, kind
    assert repo.fingerprint(landed_aside=False) == before
    assert burnish(repo.path, "runs", "--json").out.strip() == "[]", "no run was begun"


def test_an_export_of_a_hundred_megabytes_or_of_other_bytes_is_refused(
    repo: TestRepo, tmp_path: Path
) -> None:
    with (tmp_path / "fix-export-1.json").open("wb") as file:
        os.truncate(file.fileno(), 100 * 1024 * 1024)
    said = burnish(repo.path, "fix", str(tmp_path / "fix-export-1.json"))
    assert (said.code, "larger than 64 MB" in said.err) == (2, True), said.err
    (tmp_path / "fix-export-2.json").write_bytes(b'[{"id": "\xff"}]' * 200)
    assert "not UTF-8" in burnish(repo.path, "fix", str(tmp_path / "fix-export-2.json")).err
    os.mkfifo(tmp_path / "fix-export-3.json")
    assert burnish(repo.path, "fix", str(tmp_path / "fix-export-3.json")).code == 2


@pytest.mark.conformance("C-84")
def test_nothing_to_fix_and_nothing_there_are_said(repo: TestRepo, tmp_path: Path) -> None:
    def say(*words: str) -> Said:
        said = burnish(repo.path, "fix", *words)
        assert said.code == 2, said.out
        return said

    assert "there is nothing to fix in" in say(export(tmp_path, "fix-export-1.json", {"findings": []})).err
    assert "no review yet" in say().err
    assert "does not exist" in say("missing/fix-export.json").err
    assert "no run" in say("r-none").err
    (tmp_path / "empty").mkdir()
    assert "expected an export or dimensions/*.json" in say(str(tmp_path / "empty")).err


FAILS_ONCE = """#!/bin/sh
case " $* " in
*" commit-tree "*) if [ -e '{armed}' ]; then rm '{armed}'; echo 'fatal: disk on fire' >&2; exit 128; fi ;;
esac
exec {git} "$@"
"""


@pytest.mark.conformance("C-88")
def test_a_git_that_fails_ends_the_session_and_resuming_goes_on(repo: TestRepo, tmp_path: Path) -> None:
    repo.git("checkout", "-q", "--", "calc.py")
    repo.git("stash", "drop", "-q")
    (repo.path / ".git/hooks/pre-commit").unlink()
    repo.commit("flawed", {"calc.py": f"{CLEAN}\n\ndef nothing(a):\n    return a == None\n"})
    tools, armed = tmp_path / "tools", tmp_path / "armed"
    tools.mkdir()
    armed.touch()
    (tools / "git").write_text(FAILS_ONCE.format(armed=armed, git=shutil.which("git")))
    (tools / "git").chmod(0o755)
    env = {"PATH": f"{tools}:{os.environ['PATH']}"}
    before = repo.fingerprint()
    said = burnish(repo.path, "review", "calc.py", "--fix", *QUICK, "--gate", "true", env=env)
    assert not armed.exists(), "git was never asked for the commit"
    assert said.code == 1
    assert "disk on fire" in said.err
    assert not any(name.startswith("burnish/") for name in repo.branches)
    again = burnish(repo.path, "fix", "--resume")
    assert again.code == 0, again.err
    assert len(subjects(repo, branch_of(repo))) == 1
    assert repo.fingerprint() == before
    _check_progress_after_resume(repo)


def _check_progress_after_resume(repo: TestRepo) -> None:
    """The files of a resumed session are as full as those of one that was never cut short."""
    for path in (repo.path / ".burnish").rglob("fix-progress-*.json"):
        for item in FixProgress.read(path.read_text(), path.name).findings:
            assert item.finding_title
            assert item.file == "calc.py"
            if item.commit_hash:
                assert repo.git("cat-file", "-t", item.commit_hash) == "commit"
