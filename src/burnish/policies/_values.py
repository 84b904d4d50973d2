"""The value behind a policy's name (`patience=2`), read strictly."""

from __future__ import annotations

from burnish.errors import UsageError

MOST = 1_000_000


def whole_number(policy: str, value: str) -> int:
    """A number from 1 in plain digits, of a size that a run could reach."""
    if not (value.isascii() and value.isdigit() and len(value) <= len(str(MOST)) and 1 <= int(value) <= MOST):
        raise UsageError(f"{policy} takes a whole number from 1, found {value!r}")
    return int(value)
