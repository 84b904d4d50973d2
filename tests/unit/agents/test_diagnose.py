"""Why there is no answer, and when to ask again, from the words that services and CLIs use."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnish.agents._cli_trouble import error_of
from burnish.agents._diagnose import MESSAGE_CHARS, diagnose
from burnish.agents.claude import ADAPTER as CLAUDE
from burnish.agents.codex import ADAPTER as CODEX
from burnish.agents.retry import is_limit
from burnish.errors import AgentFailed, AgentLimited
from burnish.model.agent_events import AgentTrouble, Failed

NOW = datetime(2026, 11, 15, 15, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "trouble"),
    [
        ("Not logged in · Please run /login", AgentTrouble.NOT_LOGGED_IN),
        ("OAuth token has expired. Please obtain a new token", AgentTrouble.NOT_LOGGED_IN),
        ("Missing environment variable: `OPENAI_API_KEY`.", AgentTrouble.NOT_LOGGED_IN),
        ("unexpected status 401 Unauthorized: bad, url: http://x", AgentTrouble.NOT_LOGGED_IN),
        ("You've hit your session limit · resets 3:45pm (UTC)", AgentTrouble.QUOTA),
        ("You've hit your usage limit. Upgrade to Pro, or try again at 3:05 PM.", AgentTrouble.QUOTA),
        ("5-hour limit reached ∙ resets 6pm", AgentTrouble.QUOTA),
        ("Quota exceeded. Check your plan and billing details.", AgentTrouble.QUOTA),
        ("Credit balance is too low", AgentTrouble.QUOTA),
        ("exceeded retry limit, last status: 429 Too Many Requests", AgentTrouble.RATE_LIMIT),
        ("Rate limit reached for gpt-5.5. Please try again in 1.898s.", AgentTrouble.RATE_LIMIT),
        ("API Error: 529 Overloaded. This is usually temporary", AgentTrouble.OVERLOADED),
        ("unexpected status 503 Service Unavailable: overloaded", AgentTrouble.OVERLOADED),
        ("We are currently experiencing high demand", AgentTrouble.OVERLOADED),
        ("API Error: 400 prompt is too long: 213000 tokens > 200000 maximum", AgentTrouble.CONTEXT_TOO_LONG),
        ("Your input exceeds the context window of this model.", AgentTrouble.CONTEXT_TOO_LONG),
        ("This request was flagged by our usage policy", AgentTrouble.REFUSED),
        ("stream disconnected before completion: error sending request", AgentTrouble.NETWORK),
        ("API Error: Connection error. (ECONNREFUSED)", AgentTrouble.NETWORK),
        ("error: unknown option '--nonsense-flag'", AgentTrouble.CRASHED),
        ("", AgentTrouble.CRASHED),
    ],
)
def test_words_tell_the_trouble(said: str, trouble: AgentTrouble) -> None:
    assert diagnose(said, now=NOW).trouble is trouble


@pytest.mark.parametrize(
    ("status", "said", "trouble"),
    [
        (401, "slow down", AgentTrouble.NOT_LOGGED_IN),
        (402, "pay", AgentTrouble.QUOTA),
        (429, "slow down", AgentTrouble.RATE_LIMIT),
        (429, "you used up your quota", AgentTrouble.QUOTA),
        (413, "request body", AgentTrouble.CONTEXT_TOO_LONG),
        (500, "anything about authentication", AgentTrouble.OVERLOADED),
        (400, "prompt is too long", AgentTrouble.CONTEXT_TOO_LONG),
        (400, "what", AgentTrouble.CRASHED),
    ],
)
def test_the_services_own_number_goes_before_words(status: int, said: str, trouble: AgentTrouble) -> None:
    assert diagnose(said, status=status, now=NOW).trouble is trouble


@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("usage limit reached|1794762000", datetime(2026, 11, 15, 17, 0, tzinfo=UTC)),
        ("resets 3:45pm (UTC)", datetime(2026, 11, 15, 15, 45, tzinfo=UTC)),
        ("resets 2pm (UTC)", datetime(2026, 11, 16, 14, 0, tzinfo=UTC)),
        ("resets 11am (America/New_York)", datetime(2026, 11, 15, 16, 0, tzinfo=UTC)),
        ("resets Nov 19, 10am (UTC)", datetime(2026, 11, 19, 10, 0, tzinfo=UTC)),
        ("try again at Nov 20th, 2026 3:05 PM (UTC).", datetime(2026, 11, 20, 15, 5, tzinfo=UTC)),
        ("try again in 2 days 3 hours 5 minutes.", NOW + timedelta(days=2, hours=3, minutes=5)),
        ("resets in 45 minutes", NOW + timedelta(minutes=45)),
        ("limited until 2026-11-15T18:30:00Z", datetime(2026, 11, 15, 18, 30, tzinfo=UTC)),
    ],
)
def test_the_end_of_a_limit_is_read(said: str, until: datetime) -> None:
    found = diagnose(f"You've hit your usage limit. {said}", now=NOW)
    assert found.resets_at == until.isoformat()
    assert found.retry_after_s == (until - NOW).total_seconds()


@pytest.mark.parametrize(
    "said",
    [
        "resets 26:00",
        "resets Foo 99, 10am",
        "until 2026-99-99T00:00:00Z",
        "resets 2027-06-01T00:00:00Z",
        "|12",
    ],
)
def test_a_time_that_cannot_be_is_none(said: str) -> None:
    assert diagnose(f"usage limit {said}", now=NOW).resets_at == ""


def test_in_december_a_limit_until_january_is_next_years() -> None:
    found = diagnose("weekly limit resets Jan 3, 10am (UTC)", now=datetime(2026, 12, 30, tzinfo=UTC))
    assert found.resets_at == "2027-01-03T10:00:00+00:00"


def test_seconds_that_were_asked_for_are_kept() -> None:
    assert diagnose("Rate limit reached. Please try again in 1.898s.", now=NOW).retry_after_s == 1.898


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=400))
def test_any_words_are_read_and_what_is_shown_is_one_short_harmless_line(said: str) -> None:
    found = diagnose(said, now=NOW)
    assert len(found.message) <= MESSAGE_CHARS + 3 + 8 * len(said)
    assert "\n" not in found.message
    assert "\x1b" not in found.message


@pytest.mark.parametrize("trouble", [AgentTrouble.QUOTA, AgentTrouble.RATE_LIMIT, AgentTrouble.OVERLOADED])
def test_limits_are_errors_that_are_waited_for(trouble: AgentTrouble) -> None:
    error = error_of(CLAUDE, Failed(trouble, "slow down", 7.0), 1)
    assert isinstance(error, AgentLimited)
    assert (error.retry_after_s, error.trouble, error.agent_exit) == (7.0, trouble, 1)
    assert error.hint
    assert is_limit(error)


def test_a_reset_time_becomes_seconds_from_now_and_is_told() -> None:
    until = (datetime.now(UTC) + timedelta(hours=2)).isoformat()
    error = error_of(CODEX, Failed(AgentTrouble.QUOTA, "used up", resets_at=until), 1)
    assert isinstance(error, AgentLimited)
    assert 7100 < (error.retry_after_s or 0) <= 7200
    assert until in error.message


def test_who_is_not_logged_in_is_told_the_command_for_it() -> None:
    error = error_of(CODEX, Failed(AgentTrouble.NOT_LOGGED_IN, "no key; rate limit words"), 1)
    assert isinstance(error, AgentFailed)
    assert error.hint == "run: codex login"
    assert "rate limit" in error.message
    assert not is_limit(error)


@pytest.mark.parametrize("trouble", list(AgentTrouble))
def test_every_trouble_is_one_sentence_with_a_remedy(trouble: AgentTrouble) -> None:
    if trouble in (AgentTrouble.NOT_INSTALLED, AgentTrouble.STALLED):
        return
    error = error_of(CLAUDE, Failed(trouble, "why"), 1)
    assert error.message.startswith("claude ")
    assert error.message.endswith(": why")
    assert error.hint
