"""Events as the store keeps them, and which event a step's result makes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, get_args, get_type_hints

from burnish import codec
from burnish.errors import StoreError
from burnish.model.agent import Usage
from burnish.model.change import Failure
from burnish.model.events import Event, StepFailed, StepFinished
from burnish.model.step import Step

KINDS: dict[str, Any] = {kind.kind: kind for kind in get_args(Event)}


def told(step: Step, result: object) -> StepFinished | StepFailed:
    """A failed agent is a result like any other, told by its own event."""
    if isinstance(result, Failure):
        return StepFailed(step, result.kind, result.message, result.salvage)
    return StepFinished(step, type(result).__name__, codec.plain(result))


def body(event: Event) -> str:
    return codec.dumps(codec.plain(event))


def event(kind: str, v: int, stored: str) -> Event:
    made: Any = KINDS.get(kind)
    if made is None or v > made.v:
        raise StoreError(
            f"the journal holds an event {kind!r} of version {v}, which this Burnish does not know",
            hint="update Burnish",
        )
    found: Event = codec.validate(made, codec.loads(stored))
    return found


def usage_of(result: object) -> Usage:
    found = getattr(result, "usage", None)
    return found if isinstance(found, Usage) else Usage()


def returns(work: Callable[..., Any]) -> Any:
    """The return annotation by which a remembered result is read back; missing it is a bug, told at once."""
    while isinstance(work, partial):
        work = work.func
    written = work if hasattr(work, "__annotations__") else type(work).__call__
    hints = get_type_hints(written)
    if "return" not in hints:
        raise TypeError(f"{work!r} needs a return annotation, by which its remembered result is read")
    return hints["return"]
