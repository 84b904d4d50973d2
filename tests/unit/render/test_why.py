"""Every reason a run can end for is explained, with what to do about it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from burnish.cli.main import VERBS
from burnish.config.schema import FIELDS
from burnish.model.reason import Reason
from burnish.render.why import EXPLANATIONS, explain


def test_there_is_an_explanation_of_every_reason() -> None:
    assert set(EXPLANATIONS) == set(Reason)


@pytest.mark.parametrize("reason", Reason)
def test_an_explanation_has_the_code_the_meaning_what_was_said_and_what_to_do(reason: Reason) -> None:
    told = explain(reason, "so it\x1b[31m was", run="r-abcd").splitlines()
    assert told[0].startswith(f"{reason}: ")
    assert told[1].startswith("said: so it")
    assert "\x1b" not in told[1]
    assert told[2].startswith("what to do: ")
    assert len(told) == 3
    assert "RUN" not in "".join(told)


@pytest.mark.parametrize("reason", Reason)
def test_an_explanation_names_only_commands_and_settings_that_exist(reason: Reason) -> None:
    text = " ".join(EXPLANATIONS[reason])
    for verb in re.findall(r"`burnish (\w+)", text):
        assert verb in VERBS
    for key in re.findall(r"`((?:limits|timeouts)\.\w+)`", text):
        assert key in FIELDS
    for key in re.findall(r"`(stop_\w+)`", text):
        assert f"limits.{key}" in FIELDS


def test_without_words_nothing_is_said_and_an_unknown_code_is_named() -> None:
    assert "said:" not in explain(Reason.NO_PROGRESS)
    assert explain("from_the_future", "what it said") == "from_the_future: what it said"
    assert explain("", "") == "no reason: nothing more is known"


def test_the_page_on_convergence_has_the_codes_that_policies_stop_with() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "concepts" / "convergence.md").read_text("utf8")
    early = ("no_progress", "out_of_patience", "returning_findings", "lesser_findings", "untouched_code")
    assert [code for code in early if f"`{code}`" not in page] == []
