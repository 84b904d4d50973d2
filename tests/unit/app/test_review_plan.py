"""Who reviews and who fixes, from flags and settings."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from burnish.app.request import ReviewRequest
from burnish.app.review_plan import _agents, _fixer
from burnish.config.load import DEFAULT, Loaded
from burnish.config.schema import FIELDS, Agents, Reviewing, Settings


def found(*agents: str, fixer: str | None = None) -> Any:
    settings = Settings(review=Reviewing(agents=agents), agents=Agents(fixer=fixer))
    return SimpleNamespace(loaded=Loaded(settings, dict.fromkeys(FIELDS, DEFAULT)))


def asked(*agents: str, fix: bool = True, fixer: str = "") -> ReviewRequest:
    return ReviewRequest((), {}, {}, fix=fix, agents=agents, fixer=fixer)


def test_agents_named_on_the_command_line_replace_those_of_the_settings() -> None:
    assert _agents(asked("a", "b"), found("c")) == ("a", "b")
    assert _agents(asked(), found("c")) == ("c",)
    assert _agents(asked(), found()) == ()


@pytest.mark.parametrize(
    ("request_", "settings", "fixer"),
    [
        (asked(), found(), "embedded"),
        (asked("a"), found(), "a"),
        (asked(), found("c", "d"), "c"),
        (asked("a"), found(fixer="f"), "f"),
        (asked("a", fixer="g"), found(fixer="f"), "g"),
        (asked("a"), found(fixer="none"), "embedded"),
        (asked("a", fix=False), found(fixer="f"), None),
    ],
)
def test_the_fixer_is_the_one_named_for_it_else_the_first_reviewer(
    request_: ReviewRequest, settings: Any, fixer: str | None
) -> None:
    assert _fixer(request_, settings) == fixer
