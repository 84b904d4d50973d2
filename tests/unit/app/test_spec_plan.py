"""A spec as it is read from disk, what a phase is told, and that a session's plan can be read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish import codec
from burnish.app.spec_facts import Begun, Ended
from burnish.app.spec_open import SpecRequest, check_named
from burnish.app.spec_plan import SpecPlan, prompt_of, read_document, relative
from burnish.errors import UsageError
from burnish.model.mode import GivenReview
from burnish.model.review import Verdict
from burnish.specs.phase import Dependency, Phase

TEXT = "# Spec 7: Login\n\n## Phase 1: Model\n\nMake it.\n\n- SC-1: it is stored\n\n## Phase 2: View\n"
MANIFEST = """\
version: 1
phases:
  - num: 1
    name: Data
    sc_items: ["SC-1: it is stored", "SC-2: it is found"]
    target_files: [app/a.py]
"""


def test_a_document_is_named_as_the_repository_names_it_and_told_from_an_edited_one(tmp_path: Path) -> None:
    path = tmp_path / "specs" / "007-login.md"
    path.parent.mkdir()
    path.write_text(TEXT)
    found = read_document(tmp_path, path)
    assert (found.path, found.spec.number, found.spec.topic) == ("specs/007-login.md", "007", "login")
    assert [phase.name for phase in found.spec.phases] == ["Model", "View"]
    assert read_document(tmp_path, path).digest == found.digest
    path.write_text(TEXT + "More.\n")
    assert read_document(tmp_path, path).digest != found.digest
    assert relative(tmp_path / "specs", tmp_path / "other.md") == str(tmp_path / "other.md")


def test_a_manifest_beside_the_document_has_the_phases_and_counts_for_its_edits(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    path = tmp_path / "007-login.md"
    path.write_text(TEXT)
    before = read_document(tmp_path, path).digest
    (tmp_path / "phases").mkdir()
    (tmp_path / "phases" / "phase-manifest.yml").write_text(MANIFEST)
    found = read_document(tmp_path, path, phased=True)
    assert found.digest != before
    [phase] = found.spec.phases
    # What the document's words have already is not said twice.
    assert prompt_of(phase) == (
        "Data\n\nMake it.\n\n- SC-1: it is stored\n\n"
        "Success criteria:\n- SC-2: it is found\n\nFiles it is about:\n- app/a.py"
    )


def test_a_plan_of_a_session_is_read_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "007-login.md"
    path.write_text(TEXT)
    document = read_document(tmp_path, path)
    first = {
        1: Begun("r-1", "b", "s", ended=Ended(True, 2, Verdict.PASS, "c", "/receipt")),
        2: Begun("", "b", "s", 1, given=GivenReview("text", 1), flags={"agents.fixer": "x"}),
    }
    plan = SpecPlan(
        document.path, document.spec, document.digest, "sessions/x", "burnish/x", "base", (1,),
        {"limits.cycles": 2, "agents.reviewer": "r"}, first,
    )  # fmt: skip
    assert codec.validate(SpecPlan, codec.loads(codec.dumps(codec.plain(plan)))) == plan


@pytest.mark.parametrize(
    ("only", "skip", "settled", "sentence"),
    [
        ((2,), (), (), "phase 2 needs phase 1, which has not passed"),
        ((9,), (), (), "there is no phase 9"),
        ((), (9,), (), "there is no phase 9"),
        ((), (1,), (1,), "phase 1 cannot be left out"),
        ((2,), (), (1,), ""),
        ((2,), (1,), (), ""),
        ((1, 2), (), (), ""),
        ((3,), (), (), ""),
    ],
)
def test_phases_that_a_command_names_must_be_there_with_what_they_need(
    only: tuple[int, ...], skip: tuple[int, ...], settled: tuple[int, ...], sentence: str
) -> None:
    phases = (
        Phase(1, "A"),
        Phase(2, "B", depends=(Dependency(1),)),
        Phase(3, "C", depends=(Dependency(1, hard=False),)),
    )
    request = SpecRequest(Path("x.md"), only=only, skip=skip)
    if not sentence:
        check_named(phases, request, frozenset(settled))
        return
    with pytest.raises(UsageError, match=sentence):
        check_named(phases, request, frozenset(settled))
