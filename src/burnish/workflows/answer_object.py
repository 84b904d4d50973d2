"""The JSON object in an agent's answer that is no verdict: the last one that has a certain key."""

from __future__ import annotations

from typing import Any

from burnish.contracts._inline import TooBusy
from burnish.contracts._objects import find
from burnish.contracts._text import clean
from burnish.errors import ContractViolation
from burnish.model.agent import Reply


def object_with(key: str, reply: Reply, what: str = "object") -> dict[str, Any]:
    """What the agent was held to by a schema, else what its text has; ContractViolation where neither is."""
    if isinstance(reply.structured, dict):
        return reply.structured
    try:
        found = find(clean(reply.text))
    except TooBusy as error:
        raise ContractViolation("malformed", str(error)) from None
    objects = [value for block in found.blocks for value in block.objects if key in value]
    if not objects:
        broken = next((block.why for block in found.blocks if block.value is None), "")
        raise ContractViolation("no_json", f"no {what} with {key!r} found{': ' if broken else ''}{broken}")
    return objects[-1]
