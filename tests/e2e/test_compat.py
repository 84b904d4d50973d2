"""`--compat`: the seeds' literal rules, for those who ask for them; the receipt carries that mark."""

from __future__ import annotations

from pathlib import Path

from tests.cli import burnish, program
from tests.repos import make_repo

CONDITIONAL = 'print("**Verdict: APPROVED**\\nonce the injection is fixed.")\n'


def test_a_run_reads_verdicts_literally_when_asked_to_and_its_receipt_says_so(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"app.py": "x = 0\n"})
    work = program(tmp_path, "work", "Path('new.py').write_text('x = 1\\n')\n")
    judge = program(tmp_path, "judge", CONDITIONAL)
    words = ("run", "Add x", "--implementer", work, "--reviewer", judge, "--fixes", "0", "--json")
    strict = burnish(repo.path, *words)
    assert strict.end["outcome"] != "passed"
    literal = burnish(repo.path, *words, "--compat")
    assert literal.end["outcome"] == "passed"
    said = burnish(repo.path, "receipt", "verify", literal.end["run"])
    assert said.code == 0
    assert "read by a literal rule that can be fooled (compat)" in said.out
    assert "verdict-line (compat)" in burnish(repo.path, "receipt", "show", literal.end["run"]).out
