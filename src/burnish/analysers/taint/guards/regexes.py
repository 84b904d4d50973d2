"""Regular expressions at work: what a match says of the text, what a group or a replacement leaves of it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from burnish.analysers.taint.guards import alphabets, patterns
from burnish.analysers.taint.guards.provenance import is_a
from burnish.analysers.taint.memory import proofs
from burnish.analysers.taint.memory.conditions import NO_FACTS, about
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import unordered
from burnish.analysers.taint.memory.values import HOLE, TAINTED, UNKNOWN, External, Value, of

PATTERN, MATCH = "re.Pattern", "re.Match"
# Flags that change nothing about which of the special characters match.
_NO_MATTER = frozenset({"re.I", "re.IGNORECASE", "re.A", "re.ASCII", "re.U", "re.UNICODE"})
_INLINE = {
    "re.M": "(?m)",
    "re.MULTILINE": "(?m)",
    "re.S": "(?s)",
    "re.DOTALL": "(?s)",
    "re.X": "(?x)",
    "re.VERBOSE": "(?x)",
}
Model = Callable[[Frame, Value | None, Arguments, ast.AST], Value]


def _pattern(value: Value | None, flags: Value | None) -> str:
    """The pattern with its flags; a hole where either is not known."""
    if value is None:
        return HOLE
    if is_a(value, PATTERN):
        return value.shape
    if value.text is None or len(value.text) >= patterns.MAX_PATTERN - 10:
        return HOLE
    inline = ""
    for ref in flags.refs if flags is not None else ():
        name = getattr(ref, "name", "")
        if name in _INLINE:
            inline += _INLINE[name]
        elif name not in _NO_MATTER:
            return HOLE
    if flags is not None and not flags.refs and flags.consts != (0,):
        return HOLE
    return inline + value.text


def _compiled(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    shape = _pattern(given.get(0), given.get(1) or given.get("flags"))
    return Value(refs=(External(PATTERN),), shape=shape, sure=True)


def _asked(
    receiver: Value | None, given: Arguments, flags_at: int = 2, subject_at: int = 1
) -> tuple[str, Value]:
    """The pattern and the text, of `re.match(pattern, text)` and `pattern.match(text)`."""
    if receiver is not None and is_a(receiver, PATTERN):
        return receiver.shape, given.get(subject_at - 1) or given.get("string") or UNKNOWN
    flags = given.get(flags_at) or given.get("flags")
    return _pattern(given.get(0), flags), given.get(subject_at) or given.get("string") or UNKNOWN


def _matched(how: str) -> Model:
    def model(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
        pattern, subject = _asked(receiver, given)
        marks = patterns.whole_match(pattern, how) if HOLE not in pattern else None
        begins = patterns.beginning(pattern, how) if HOLE not in pattern else frozenset()
        facts = about(subject, (marks or frozenset()) | begins)
        weak = about(subject, frozenset({"weak:sql", "weak:path", "weak:command"})) if not marks else NO_FACTS
        taints = at.passed(subject, node=node)
        proved = alphabets.whole_text(pattern, how) if HOLE not in pattern else None
        if proved is not None and pattern_is_text(receiver, given):
            facts |= proofs.facts(subject.proof, proved)
        return Value(taints, None, (External(MATCH),), pattern, subject.sure, (facts | weak, NO_FACTS))

    return model


def pattern_is_text(receiver: Value | None, given: Arguments) -> bool:
    """Whether the whole of the text was asked: `pattern.fullmatch(text, 3)` looks at a piece of it."""
    own = receiver is not None and is_a(receiver, PATTERN)
    return len(given.positional) <= (1 if own else 3) and not (given.star or given.stars)


def _group(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    if receiver is None:
        return UNKNOWN
    number = given.get(0)
    which = number.const if number is not None and number.is_const else 0 if number is None else None
    marks: frozenset[str] = frozenset()
    proof: proofs.Proof | None = None
    if isinstance(which, int | str) and HOLE not in receiver.shape:
        marks = patterns.group_match(receiver.shape, which)
        part = alphabets.group_text(receiver.shape, which) if len(given.all()) < 2 else None
        proof = proofs.Proof((part,)) if part is not None else None
    taints = tuple(replace(taint, clean=taint.clean | marks) for taint in at.passed(receiver, node=node))
    return Value(taints, shape=TAINTED if taints else HOLE, sure=receiver.sure, proof=proof)


def _replaced(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    pattern, subject = _asked(receiver, given, flags_at=4, subject_at=2)
    own = receiver is not None and is_a(receiver, PATTERN)
    new = given.get(0 if own else 1) or given.get("repl") or UNKNOWN
    whole = parts(subject)
    marks: frozenset[str] = frozenset()
    if new.text is not None and HOLE not in pattern:
        marks = patterns.taken_out(pattern, new.text)
    taints = tuple(replace(taint, clean=taint.clean | marks) for taint in at.passed(whole, node=node))
    more = at.passed(parts(new), node=node) if new.taints else ()
    proof = None
    if new.text is not None and HOLE not in pattern and len(given.all()) == (2 if own else 3):
        left = alphabets.left_by(pattern, new.text)
        proof = proofs.piece(at.heap.proof(subject), put_in=new.text, taken_out=left.free) if left else None
    shape = TAINTED if taints or more else HOLE
    return Value((*taints, *more), shape=shape, sure=whole.sure, proof=proof)


def _found(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`findall`: each is a match, or its only group."""
    pattern, subject = _asked(receiver, given)
    marks = patterns.each_match(pattern) if HOLE not in pattern else frozenset()
    taints = tuple(replace(taint, clean=taint.clean | marks) for taint in at.passed(subject, node=node))
    return of(unordered("list", Value(taints, shape=TAINTED if taints else HOLE, sure=subject.sure)))


FUNCTIONS: dict[str, Model] = {
    "re.compile": _compiled,
    "re.match": _matched("match"),
    "re.fullmatch": _matched("fullmatch"),
    "re.search": _matched("search"),
    "re.Pattern.match": _matched("match"),
    "re.Pattern.fullmatch": _matched("fullmatch"),
    "re.Pattern.search": _matched("search"),
    "re.Match.group": _group,
    "re.Match.__getitem__": _group,
    "re.sub": _replaced,
    "re.Pattern.sub": _replaced,
    "re.findall": _found,
    "re.Pattern.findall": _found,
}
