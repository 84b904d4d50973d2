"""Characters of ours that are put into an untrusted text: what was known not to have them has them now."""

from __future__ import annotations

import ast
from dataclasses import replace

from burnish.analysers.taint.memory.facts import PUT_IN, after_putting_in
from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.marks import SPECIAL
from burnish.analysers.taint.memory.values import Value


def put_in(at: Frame, value: Value, node: ast.AST, characters: str) -> Value:
    """The value with these in it: `"'".join(parts)`, `text.replace("x", "'")`."""
    special = "".join(sorted(set(characters) & set(SPECIAL)))
    if not value.taints or not special:
        return value
    known = at.step(value, node, key=(PUT_IN, special))
    taints = tuple(replace(one, clean=after_putting_in(one.clean, special)) for one in known.taints)
    return replace(known, taints=taints, proof=value.proof)
