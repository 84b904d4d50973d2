"""What a web handler answers: text that a browser shows is a sink."""

from __future__ import annotations

import ast

from burnish.analysers.taint.entries import Entry
from burnish.analysers.taint.frame import Frame
from burnish.analysers.taint.sinks import judge
from burnish.analysers.taint.things import Obj
from burnish.analysers.taint.values import External, Value

# Frameworks where a text that is returned is a page.
PAGES = frozenset({"flask", "bottle"})


def check_answer(at: Frame, entry: Entry, value: Value, node: ast.AST) -> None:
    if entry.framework not in PAGES:
        return
    for ref in value.refs:
        # A text with a status: `return page, 404`. A dict or list becomes JSON.
        if isinstance(ref, Obj) and ref.kind == "tuple" and (items := ref.items()):
            check_answer(at, entry, items[0], node)
    if not any(isinstance(ref, External | Obj) for ref in value.refs):
        judge(at, "xss", value, node, what="the page that is answered", framework=entry.framework)
