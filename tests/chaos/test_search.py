"""The search for secrets finds what was leaked on purpose: a section that cannot fail proves nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos._search import found_in, held, spellings
from chaos.secrets import leak_on_purpose

SECRET = "cnry0123456789abcdef01234567"


def test_every_leak_on_purpose_is_found_and_nothing_else_is(tmp_path: Path) -> None:
    kinds = leak_on_purpose(tmp_path, SECRET)
    assert len(kinds) == 13
    assert [name for name in kinds if not found_in(SECRET, held(tmp_path / name))] == []
    assert found_in("cnry9999999999", held(tmp_path)) == []


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
def test_base64_is_known_wherever_the_secret_begins(before: str) -> None:
    import base64

    data = base64.b64encode(f"{before}{SECRET}xyz".encode())
    assert any(word in data for how, word in spellings(SECRET).items() if how.startswith("base64"))
