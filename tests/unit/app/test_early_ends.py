"""Which settings ask for which policy."""

from __future__ import annotations

import pytest

from burnish.app.choices import build_policy, policies_of
from burnish.config.schema import Limits, Settings
from burnish.model.profile import Profile
from burnish.registry import load


@pytest.mark.parametrize(
    ("limits", "policies"),
    [
        (Limits(), ()),
        (Limits(patience=2), (("patience", "2"),)),
        (Limits(stop_on_no_progress=True), (("no-progress", "1"),)),
        (Limits(no_progress=2), (("no-progress", "2"),)),
        (Limits(no_progress=2, stop_on_no_progress=True), (("no-progress", "1"),)),
        (Limits(stop_on_returning=True), (("returning", ""),)),
        (Limits(ratchet="high@3"), (("ratchet", "high@3"),)),
        (Limits(stop_on_untouched_code=True), (("code-age", ""),)),
    ],
)
def test_nothing_ends_a_run_early_unless_a_setting_says_so(
    limits: Limits, policies: tuple[tuple[str, str], ...]
) -> None:
    assert policies_of(Settings(limits=limits), ()) == policies
    profile: Profile = load("profiles", "task")()
    assert build_policy(profile, profile.limit, can_fix=True, wrappers=policies)


def test_policies_named_on_the_command_line_come_first() -> None:
    found = policies_of(Settings(limits=Limits(patience=1)), ("returning=2", "no-progress"))
    assert found == (("returning", "2"), ("no-progress", ""), ("patience", "1"))
