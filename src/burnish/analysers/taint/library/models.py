"""What methods of text and containers and functions of the standard library do to a value."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from burnish.analysers.taint.finding.sinks import check_call, is_opaque
from burnish.analysers.taint.guards.text_guards import LESS, changed, less, parted, text_facts
from burnish.analysers.taint.knowledge.tables import find
from burnish.analysers.taint.library import containers, decoding, standard, text_proofs
from burnish.analysers.taint.library.iterating import each, in_order
from burnish.analysers.taint.memory import folding, texts
from burnish.analysers.taint.memory.conditions import NO_FACTS, When
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.lending import lend
from burnish.analysers.taint.memory.proofs import SOME_TEXT
from burnish.analysers.taint.memory.putting_in import put_in
from burnish.analysers.taint.memory.state import holds_texts
from burnish.analysers.taint.memory.things import Obj, sequence, unordered
from burnish.analysers.taint.memory.values import (
    HARMLESS,
    HOLE,
    NEVER,
    NUMBER,
    TAINTED,
    UNKNOWN,
    External,
    Value,
    constant,
    of,
)

container = containers.container
Model = Callable[[Frame, Value | None, Arguments, ast.AST], Value]
# Methods of text that give text, and can be computed where everything is known.
_SAME = frozenset({
    "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold", "swapcase", "center",
    "ljust", "rjust", "zfill", "expandtabs", "encode", "decode", "removeprefix", "removesuffix", "replace",
    "translate", "hex",
})  # fmt: skip
_QUESTIONS = frozenset({
    "startswith", "endswith", "isdigit", "isalnum", "isalpha", "isdecimal", "isidentifier", "isnumeric",
    "isspace", "islower", "isupper", "isascii", "isprintable",
})  # fmt: skip
_SAME_DATA = frozenset({"strip", "lower", "upper", "casefold", "encode", "decode"})
_NUMBERS = frozenset({"find", "rfind", "index", "rindex", "count", "__len__"})
_SPLITS = frozenset({"split", "rsplit", "splitlines", "partition", "rpartition"})


def function(names: tuple[str, ...]) -> Model | None:
    return find(standard.FUNCTIONS, names)


def method(at: Frame, receiver: Value, name: str, given: Arguments, node: ast.AST) -> Value:
    """A method of something that is text, or of which nothing is known."""
    if not receiver.refs:
        check_call(at, (f"*.{name}",), receiver, given, node)
    if name in _QUESTIONS:
        return _question(receiver, name, given)
    if name in _NUMBERS:
        ours = receiver.sure and not receiver.taints
        return _computed(receiver, name, given) or (HARMLESS if ours else NUMBER)
    if name in _SAME:
        return _same(at, receiver, name, given, node)
    if name in _SPLITS:
        return _split(at, receiver, name, given, node)
    if name == "join":
        return _join(at, receiver, given, node)
    if name == "format":
        return standard.format_text(at, receiver, given, node)
    if name == "format_map":
        return standard.format_text(at, receiver, _as_keywords(given), node)
    if name in ("get", "getlist", "pop", "setdefault", "getall", "getone", "get_list") and receiver.taints:
        key = given.get(0)
        keyed = (f"[{key.const!r}]",) if key is not None and key.is_const else None
        inner = at.step(receiver, node, key=keyed)
        default = given.get(1) or given.get("default")
        taints = inner.taints if default is None else (*inner.taints, *default.taints)
        sure = receiver.sure and (default is None or parts(default).seen)
        texts_only = (
            holds_texts(receiver) and name in ("get", "pop") and (default is None or default.text is not None)
        )
        found = Value(taints, shape=TAINTED, sure=sure, proof=SOME_TEXT if texts_only else None)
        return of(unordered("list", found)) if name in ("getlist", "getall", "get_list") else found
    if not receiver.taints:
        kind = at.engine.known.gives.get(f"*.{name}")
        if kind or is_opaque(at, (f"*.{name}",), receiver, node):
            return Value(refs=(External(kind),) if kind else ())
    inputs = [receiver, *(parts(value) for value in given.all())]
    taints = at.passed(*inputs, node=node, doubts=0 if receiver.taints else 1)
    lend(at, given.all())
    return Value(taints, shape=TAINTED if taints else HOLE)


def _question(receiver: Value, name: str, given: Arguments) -> Value:
    answer = _computed(receiver, name, given) or (HARMLESS if receiver.sure else UNKNOWN)
    when: When | None = text_facts(receiver, name, given)
    return replace(answer, when=when) if when and when != (NO_FACTS, NO_FACTS) else answer


def _computed(receiver: Value, name: str, given: Arguments) -> Value | None:
    """Python's own answer, where receiver and arguments are constants."""
    if not receiver.is_const or not isinstance(receiver.const, str | bytes) or given.star or given.stars:
        return None
    values = [*given.positional, *given.keywords.values()]
    if not all(value.is_const for value in values):
        return None
    keywords = {key: value.const for key, value in given.keywords.items()}
    try:
        found = getattr(receiver.const, name)(*(value.const for value in given.positional), **keywords)
    except (TypeError, ValueError, AttributeError, LookupError, OverflowError, MemoryError):
        return None
    if isinstance(found, str | bytes) and len(found) > folding.MAX_TEXT:
        return None
    return constant(found) if isinstance(found, str | bytes | int | bool) else None


def _same(at: Frame, receiver: Value, name: str, given: Arguments, node: ast.AST) -> Value:
    if name in ("center", "ljust", "rjust", "zfill", "expandtabs"):
        known = None
    else:
        known = _computed(receiver, name, given)
    if known is not None:
        return known
    cleaned = changed(receiver, name, given)
    inputs = [cleaned, *given.positional[1:]] if name == "replace" else [cleaned]
    # In other letters it is the same data: what a guard says of that it says of this.
    taints = at.step(cleaned, node).taints if name in _SAME_DATA else at.passed(*inputs, node=node)
    if gone := less(name, given):
        taints = at.step(cleaned, node, key=(LESS + gone,)).taints
    shape = receiver.shape if name in ("encode", "decode", "strip") else TAINTED if taints else HOLE
    refs = tuple(ref for ref in receiver.refs if isinstance(ref, Obj)) if name in ("encode", "decode") else ()
    proof = text_proofs.of_method(at, receiver, name, given)
    result = Value(taints, None, refs, shape, receiver.sure, proof=proof)
    new = given.get(1)
    if name == "replace" and new is not None and new.text:
        result = put_in(at, result, node, new.text)
    special = decoding.special_of(given.get(0) or given.get("encoding")) if name == "decode" else None
    return result if special is None else decoding.undone(at, result, node, special)


def _as_keywords(given: Arguments) -> Arguments:
    made = Arguments()
    for ref in given.positional[0].refs if given.positional else ():
        if isinstance(ref, Obj):
            made.keywords |= {str(key): ref.at(key) for key in ref.known_keys()}
    if not made.keywords and given.positional:
        made.stars = parts(given.positional[0])
    return made


def _split(at: Frame, receiver: Value, name: str, given: Arguments, node: ast.AST) -> Value:
    taints = at.passed(changed(receiver, name, given), node=node)
    kind = "tuple" if "partition" in name else "list"
    if receiver.is_const and isinstance(receiver.const, str) and all(v.is_const for v in given.positional):
        try:
            found = getattr(receiver.const, name)(*(value.const for value in given.positional))
        except (TypeError, ValueError):
            found = []
        made = Obj(kind)
        made.table["items"] = tuple(constant(part) for part in found[:64])
        return of(made)
    proof = text_proofs.of_method(at, receiver, name, given)
    inner = Value(taints, None, (), TAINTED if taints else HOLE, receiver.sure, proof=proof)
    made_of = _begun(receiver, name, given, inner) or parted(at, name, given, inner, node)
    return of(made_of or unordered(kind, inner))


def _begun(receiver: Value, name: str, given: Arguments, inner: Value) -> Obj | None:
    """Where the text begins with something of ours that is split off, that part is ours."""
    by, most = given.get(0), given.get(1) or given.get("maxsplit")
    prefix = receiver.prefix
    if by is None or not by.text or by.text not in prefix:
        return None
    if name == "partition":
        return sequence("tuple", (constant(prefix.partition(by.text)[0]), by, inner))
    if name != "split":
        return None
    limit = most.const if most is not None and most.is_const and isinstance(most.const, int) else -1
    begin = prefix.split(by.text, limit)[:-1]
    made = sequence("list", tuple(constant(one) for one in begin))
    if limit == len(begin):
        made.table["items"] = (*made.table["items"], inner)
    else:
        made.table["tail"] = inner
    return made


def _join(at: Frame, receiver: Value, given: Arguments, node: ast.AST) -> Value:
    given_list = given.get(0) or UNKNOWN
    items = in_order(given_list)
    if items is None:
        whole = parts(each(at, given_list, node))
        taints = at.passed(receiver, whole, node=node)
        proof = text_proofs.joined(at, receiver, each(at, given_list, node))
        found = Value(
            taints, None, (), TAINTED if taints else HOLE, receiver.sure and whole.sure, proof=proof
        )
        return put_in(at, found, node, receiver.shape)
    total = constant("")
    for number, item in enumerate(items):
        if number:
            total = texts.concatenated(at, total, receiver, node)
        total = texts.concatenated(at, total, item, node)
    # A set has no known order.
    mixed = any(isinstance(ref, Obj) and ref.kind == "set" for ref in given_list.refs)
    return replace(total, proof=None) if mixed else total


__all__ = ["NEVER", "container", "function", "method"]
