"""A short subset of every section of `make chaos`: nothing injected may fell us."""

from __future__ import annotations

import pytest
from chaos.__main__ import names, run


@pytest.mark.parametrize("name", names())
def test_what_is_injected_is_survived(name: str) -> None:
    row = run(name, short=True)
    assert row.tally.fallen == []
    if row.tally.injected == 0 and row.tally.notes:
        pytest.skip(row.tally.notes[0])
    assert row.tally.injected == row.tally.survived > 0
