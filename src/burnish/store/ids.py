"""Names for runs: short enough to type, without letters that look like digits."""

from __future__ import annotations

import secrets
from collections.abc import Callable

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
SHORTEST = 4
LONGEST = 8
_TRIES_PER_LENGTH = 8


def new_run_id(taken: Callable[[str], bool], choose: Callable[[str], str] = secrets.choice) -> str:
    """A free id `r-xxxx`; longer only where the short ones have become hard to find."""
    for length in range(SHORTEST, LONGEST + 1):
        for _ in range(_TRIES_PER_LENGTH):
            found = "r-" + "".join(choose(ALPHABET) for _ in range(length))
            if not taken(found):
                return found
    raise RuntimeError("no free run id found")
