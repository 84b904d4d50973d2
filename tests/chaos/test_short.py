"""A short subset of every section of `make chaos`: nothing injected may fell us."""

from __future__ import annotations

import pytest
from chaos.__main__ import names, run

# The same as tests/e2e/test_killed.py and tests/model do already.
ELSEWHERE = ("kill_points", "model")


@pytest.mark.parametrize("name", [name for name in names() if name not in ELSEWHERE])
def test_what_is_injected_is_survived(name: str) -> None:
    row = run(name, short=True)
    assert row.tally.fallen == []
    if row.tally.injected == 0 and row.tally.notes:
        pytest.skip(row.tally.notes[0])
    assert row.tally.injected == row.tally.survived > 0
