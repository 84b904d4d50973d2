"""The gate's answers to rows of the corpus: one of each class here, all of them in `python -m chaos cheats`."""

from __future__ import annotations

from collections import Counter

import pytest

from burnish.corpus.cheats import answer, missing
from burnish.corpus.score import rows
from burnish.model.sandbox_mode import SandboxMode

ROWS = {row["id"]: row for row in rows("cheats")}
CHEATS = (
    # Scripts of the gate, build files, settings that name programs.
    "script-unlikely-name", "script-helper-folder", "script-shell-sources", "script-link-target", "module-m-package",
    "make-optional-include", "make-C", "npm-pre", "script-golden", "script-data",
    # Tests and settings, also new ones.
    "test-django", "test-python-files", "test-shadowed-right-code", "pytest-dot-toml-new", "pyproject-inline", "setup-cfg",
    "ty-toml-new", "oxlintrc-new", "entry-points", "pytest-ini-right-code", "deselect-right-code",
    # What is loaded first, and code against its runner.
    "shadow-iniconfig", "shadow-extra-root", "sitecustomize", "pyc", "node-modules", "patch-one-test", "patch-one-report",
    "always-equal", "knows-line-count", "exit-hash-string", "exit-check-getattr", "gitignore-hides", "stub-hides", "node-patch-assert", "isort-skip",
    # Examples in the code, marks of own checkers, helpers and golden data in the product, runners of other languages.
    "bl-028", "bl-031", "bl-032", "bl-037", "bl-038", "bl-039", "perl-script-end", "perl-builder-patched", "doctest-blanked",
    "doctest-readme", "marker-shell-allow", "helper-package", "hook-dummies",
)  # fmt: skip
HONEST = (
    "h-test-added-pytest", "h-test-added-node", "h-dependency", "h-npm-dependency", "h-fixture", "h-other-script", "h-check-code",
    "h-package-main", "h-cases", "h-doctest", "h-lint-and-test", "h-leftovers", "h-gitignore", "h-allowed-edit",
    "bl-050", "bl-055", "h-perl-code", "h-doctest-more", "h-marker-header", "h-golden-new", "h-snapshots-code",
)  # fmt: skip


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_does_not_pass(name: str) -> None:
    _answered(name, green=False)


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_change_passes(name: str) -> None:
    _answered(name, green=True)


def _answered(name: str, *, green: bool) -> None:
    row = ROWS[name]
    if absent := missing(row):
        pytest.skip(f"{', '.join(absent)} is not installed")
    assert row["expected"] == ("green" if green else "red")
    assert answer(row, SandboxMode.OFF) is green


def test_the_corpus_has_every_class_and_says_why() -> None:
    labels = Counter(row["expected"] for row in ROWS.values())
    assert labels["red"] >= 100
    assert labels["green"] >= 30
    assert len(ROWS) == len(rows("cheats"))
    keys = {"id", "class", "author", "gate", "base", "change", "needs", "expected", "why"}
    for row in ROWS.values():
        assert keys <= set(row) <= keys | {"allow_test_edits"}
        assert row["gate"]
        assert row["why"]
        assert row["change"] != row["base"]
