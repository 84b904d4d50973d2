"""How long answers are said to be, in tokens: each protocol has its own usual length."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.model_server import messages, responses


@contextmanager
def answers_of(tokens: int) -> Iterator[None]:
    """Every answer of every server of this process is so long meanwhile."""
    before = messages.TOKENS_OUT, responses.TOKENS_OUT
    messages.TOKENS_OUT = responses.TOKENS_OUT = tokens
    try:
        yield
    finally:
        messages.TOKENS_OUT, responses.TOKENS_OUT = before
