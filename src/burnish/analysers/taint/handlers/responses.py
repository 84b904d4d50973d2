"""Answers that are put together before they are sent: their text, and the type a browser will take it for."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from burnish.analysers.taint.knowledge.frameworks import Answer
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.heap import Table
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import NEVER, External, Value, constant, join, join_all

if TYPE_CHECKING:
    from burnish.analysers.taint.memory.modules import Module

BODY, TYPE, PLACE = "body", "type", "place"
_BODIES = frozenset({"data", "content", "text", "body", "response", "streaming_content", "unicode_body"})
_TYPES = frozenset({"content_type", "mimetype", "media_type"})
_WRITES = frozenset({"write", "set_data", "writelines"})
_PAGES = re.compile(r"html|xml|svg", re.IGNORECASE)


class Place:
    """Where the text of an answer is put in."""

    __slots__ = ("module", "node")

    def __init__(self, module: Module, node: ast.AST) -> None:
        self.module, self.node = module, node


class Response(External):
    """An answer by its own name, so that it is also what its class is to everything else."""

    __slots__ = ("table",)
    table: Table

    def __init__(self, name: str, module: Module, node: ast.AST) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "table", {PLACE: Place(module, node)})

    @property
    def place(self) -> Place:
        found = self.table[PLACE]
        first: Place = found[0] if isinstance(found, tuple) else found
        return first

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class Headers(External):
    """The headers of an answer."""

    __slots__ = ("response",)
    response: Response

    def __init__(self, response: Response) -> None:
        object.__setattr__(self, "name", f"{response.name}.headers")
        object.__setattr__(self, "response", response)

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


def make_response(at: Frame, answer: Answer, given: Arguments, node: ast.AST) -> Value:
    bodies = [value for place in answer.body if (value := given.get(place)) is not None]
    for body in bodies:
        if any(isinstance(ref, Response) for ref in body.refs):
            return body
    made = Response(answer.gives, at.module, node)
    headers = given.get("headers")
    said = [value for place in answer.type if (value := given.get(place)) is not None]
    if len(bodies) == 1 and len(answer.type) == 0:
        bodies, headers = _apart(bodies[0], headers)
    in_headers = _type_of(headers) if headers is not None else None
    if any(isinstance(ref, Obj) and ref.kind == "dict" for body in bodies for ref in body.refs):
        # Frameworks turn a dict into JSON themselves.
        in_headers = in_headers or constant("application/json")
    made.table[BODY] = at.heap.settle(join_all(parts(body) for body in bodies))
    made.table[TYPE] = said[0] if said else in_headers or constant(answer.default)
    return Value(refs=(made,), sure=all(value.sure for value in given.all()))


def _apart(body: Value, headers: Value | None) -> tuple[list[Value], Value | None]:
    """`make_response((text, status, headers))`."""
    for ref in body.refs:
        items = ref.items() if isinstance(ref, Obj) and ref.kind == "tuple" else None
        if items:
            return [items[0]], items[-1] if len(items) > 1 else headers
    return [body], headers


def _type_of(headers: Value) -> Value | None:
    """The type that headers say, as a dict or a list of pairs."""
    for ref in headers.refs:
        if isinstance(ref, Obj):
            for key in ref.known_keys():
                if isinstance(key, str) and key.lower() == "content-type":
                    return ref.at(key)
            for pair in ref.items() or ():
                items = next((one.items() for one in pair.refs if isinstance(one, Obj)), None)
                if items and len(items) == 2 and (items[0].text or "").lower() == "content-type":
                    return items[1]
    return None


def type_in(headers: Value) -> Value | None:
    return _type_of(headers)


def store(at: Frame, ref: Response, name: str, value: Value, node: ast.AST) -> None:
    """An attribute of an answer is set."""
    if name in _BODIES:
        at.heap.put(ref.table, BODY, at.heap.settle(parts(value)))
        at.heap.put(ref.table, PLACE, Place(at.module, node))
    elif name in _TYPES:
        at.heap.put(ref.table, TYPE, value)


def store_header(at: Frame, ref: Response, key: Value, value: Value) -> None:
    if (key.text or "").lower() == "content-type":
        at.heap.put(ref.table, TYPE, value)


def written(at: Frame, ref: Response, method: str, given: Arguments, node: ast.AST) -> None:
    """`response.write(text)`: more of it."""
    text = given.get(0)
    if text is None:
        return
    if method in _WRITES:
        before = NEVER if method == "set_data" else ref.table.get(BODY, NEVER)
        more = at.heap.settle(parts(text))
        at.heap.put(ref.table, BODY, join(before, more))
        if more.taints:
            at.heap.put(ref.table, PLACE, Place(at.module, node))
    elif method in ("set_header", "setdefault", "add") and len(given.positional) > 1:
        store_header(at, ref, text, given.positional[1])


def is_page(kind: Value, body: Value) -> bool | None:
    """Whether a browser may take it for a page; None where nobody knows its type."""
    names = [ref.name for ref in kind.refs if isinstance(ref, External)]
    if names:
        return any("HTML" in name or "XML" in name for name in names)
    if kind.taints:
        return True
    if kind.consts is None:
        return bool(_PAGES.search(kind.prefix)) or None
    return any(_shown(const, body) for const in kind.consts)


def _shown(const: object, body: Value) -> bool:
    if const is None or const == "":
        # Browsers guess what has no type.
        return "<" in body.shape
    return isinstance(const, str) and bool(_PAGES.search(const))
