"""The published JSON Schemas are what the code writes; UPDATE_GOLDEN=1 renews them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from burnish.dossier.dimension import DimensionFile, dimension_file
from burnish.dossier.export import FixExport, export_of
from burnish.dossier.fix_history import ActiveFixSession, FixHistory
from burnish.dossier.fix_progress import FixProgress
from burnish.dossier.iteration import IterationFile, iteration_file
from burnish.dossier.page import ArrayPage
from burnish.dossier.plan import FixPlanFile, PartialPlanFile
from burnish.dossier.progress import ReviewProgress
from burnish.dossier.session_file import WorkflowSession
from burnish.dossier.state import ReviewState
from burnish.render.formats._page import ReviewPage
from burnish.render.formats.json import render
from tests.unit.render.formats.samples import CLEAN, DISMISSED, DOUBTFUL, FULL, SQL

DOCS = Path(__file__).resolve().parents[4] / "docs"
FOLDER = DOCS / "reference" / "schemas"
KINDS: dict[str, Any] = {
    "review": ReviewPage,
    "workflow-session": WorkflowSession,
    "review-state": ReviewState,
    "review-progress": ReviewProgress,
    "dimension": DimensionFile,
    "iteration": IterationFile,
    "fix-export": FixExport,
    "partial-plan": PartialPlanFile,
    "fix-plan": FixPlanFile,
    "fix-progress": FixProgress,
    "active-fix-session": ActiveFixSession,
    "fix-history": FixHistory,
}


def schema(name: str) -> dict[str, Any]:
    """An array page's file is an array of one."""
    kind = KINDS[name]
    made = TypeAdapter(kind).json_schema(mode="serialization")
    if isinstance(kind, type) and issubclass(kind, ArrayPage):
        own = {key: value for key, value in made.items() if key != "$defs"}
        made = {"$defs": made.get("$defs", {}), "type": "array", "items": own, "minItems": 1, "maxItems": 1}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **made}


@pytest.mark.parametrize("name", KINDS)
def test_a_published_schema_is_the_one_in_the_code(name: str) -> None:
    page = FOLDER / f"{name}.schema.json"
    text = json.dumps(schema(name), indent=2) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, "utf8")
    assert page.read_text("utf8") == text
    Draft202012Validator.check_schema(json.loads(text))


def test_every_published_schema_is_made_from_code_and_named_in_the_index() -> None:
    assert {page.name.removesuffix(".schema.json") for page in FOLDER.iterdir()} == set(KINDS)
    index = (DOCS / "README.md").read_text("utf8")
    assert [name for name in KINDS if f"reference/schemas/{name}.schema.json" not in index] == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("review", render(FULL)),
        ("review", render(CLEAN)),
        ("dimension", dimension_file(FULL.assessment.reports[0], "review-1", FULL.subject).text()),
        ("iteration", iteration_file(FULL.assessment.dives[0], SQL).text()),
        ("fix-export", export_of((SQL,), "export-1", "2026-11-15", ("review-1", "WFS-x", "r")).text()),
    ],
)
def test_what_is_written_is_valid_by_its_schema(name: str, text: str) -> None:
    published = json.loads((FOLDER / f"{name}.schema.json").read_text("utf8"))
    found = Draft202012Validator(published).iter_errors(json.loads(text))
    assert [error.message for error in found] == []


def test_a_schema_refuses_what_has_another_form() -> None:
    published = Draft202012Validator(json.loads((FOLDER / "dimension.schema.json").read_text("utf8")))
    page = json.loads(dimension_file(FULL.assessment.reports[0], "review-1", FULL.subject).text())
    assert published.is_valid(page)
    assert not published.is_valid(page[0])
    assert not published.is_valid([*page, *page])
    assert not published.is_valid([{**page[0], "by_severity": {}}])


def test_the_json_format_tells_everything() -> None:
    page = json.loads(render(FULL))
    found = {item["id"]: item for item in page["findings"]}
    assert page["version"] == 1
    assert page["verdict"]["blockers"] == ["sec-001-1a2b3c4d", "mnt-001-2b3c4d5e", "arch-001-5e6f7081"]
    assert page["summary"] == {
        "critical": 1, "high": 2, "medium": 1, "low": 1, "total": 5, "doubtful": 1, "dismissed": 1, "older": 3,
        "below_min_severity": 0, "dimensions_reviewed": 6, "dimensions": 7, "iterations": 2, "max_iterations": 3,
    }  # fmt: skip
    assert found[DISMISSED.id]["decision"] == {
        "state": "accepted-risk", "by": "anna", "at": "2026-11-15T12:00:00Z", "why": "only a cache key",
    }  # fmt: skip
    assert (found[DISMISSED.id]["blocks"], found[DISMISSED.id]["number"]) == (False, 12)
    assert (found[DOUBTFUL.id]["blocks"], found[DOUBTFUL.id]["doubtful"]) == (False, True)
    assert found[SQL.id]["flow"][0] == {
        "file": "src/shop/web.py", "line": 12, "text": "name comes from the request",
        "snippet": 'name = request.args["name"]',
    }  # fmt: skip
    assert [fix["result"] for fix in page["fixes"]] == ["fixed", "failed"]
    assert [file["status"] for file in page["subject"]["files"]] == ["modified", "deleted", "renamed"]
    assert len(page["not_reviewed"]) == 12
    assert [(note["rule"], note["file"], note["line"]) for note in page["gave_way"]] == [
        ("ruff:S605", "src/shop/tools.py", 5)
    ]
    assert found[SQL.id]["same_rules"] == ["bandit:B608"]
