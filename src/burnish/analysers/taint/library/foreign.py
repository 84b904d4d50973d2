"""Calls out of the tree: what knowledge says of them, else what goes in comes out, with a doubt."""

from __future__ import annotations

import ast
from dataclasses import replace

from burnish.analysers.taint.finding.sinks import check_call, is_opaque, matches
from burnish.analysers.taint.guards import provenance, quantifiers, regexes
from burnish.analysers.taint.knowledge.tables import FLAWS, Place, Sanitizer, Source, find
from burnish.analysers.taint.library import decoding, encoding, models, numbers, outside, parsers
from burnish.analysers.taint.memory import marks
from burnish.analysers.taint.memory.conditions import NO_FACTS, about
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.lending import lend
from burnish.analysers.taint.memory.proofs import OURS, QUOTED, TEXT, Part, Proof, lone
from burnish.analysers.taint.memory.proofs import facts as proof_facts
from burnish.analysers.taint.memory.texts import is_text
from burnish.analysers.taint.memory.values import (
    EVERYTHING,
    HARMLESS,
    NEVER,
    TAINTED,
    UNKNOWN,
    UNPROVED,
    UNSEEN,
    Cell,
    External,
    Origin,
    Taint,
    Value,
)

MODELS = provenance.FUNCTIONS | quantifiers.FUNCTIONS | regexes.FUNCTIONS | parsers.FUNCTIONS


def call_foreign(at: Frame, name: str, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    known = at.engine.known
    if name.startswith("builtins.str.") and given.positional and name != "builtins.str.maketrans":
        rest = Arguments(given.positional[1:], given.keywords)
        return models.method(at, given.positional[0], name.rpartition(".")[2], rest, node)
    names = spellings(name, receiver)
    check_call(at, names, receiver, given, node)
    if any(one in known.never for one in names):
        return NEVER
    special = outside.special(at, names, receiver, given, node)
    if special is not None:
        return special
    source = next((found for one in names if (found := known.source(one, called=True))), None)
    if source:
        return _from_source(at, name, source, given, node)
    guard = find(known.guards, names)
    result = encoding.remembered(name, given, _result(at, name, names, receiver, given, node))
    if guard is None:
        return result
    subject = receiver if guard.argument == "self" else asked_about(given, guard.argument)
    facts = about(subject, guard.clean) if subject else NO_FACTS
    if subject and guard.proof:
        (part,) = promised(guard.clean).parts
        facts |= proof_facts(subject.proof, part) if isinstance(part, Part) else NO_FACTS
    if guard.true is None:
        at.heap.assume(facts)
        return result
    return replace(result, when=(facts, NO_FACTS) if guard.true else (NO_FACTS, facts))


def spellings(name: str, receiver: Value | None) -> tuple[str, ...]:
    """The names under which knowledge may have it: whole, and as a method of something unknown."""
    if name.startswith("builtins."):
        return (name, name.removeprefix("builtins."))
    return (name, f"*.{name.rpartition('.')[2]}") if receiver is not None else (name,)


def _from_source(at: Frame, name: str, source: Source, given: Arguments, node: ast.AST) -> Value:
    what, kind, framework = source.what, source.kind, source.framework
    key = ("call", name, *(value.const for value in given.positional if value.is_const))
    # The same key of a request is the same data; two guesses are two.
    whole = all(value.is_const for value in given.positional) and kind != "weak"
    cell = Cell(at.file, getattr(node, "lineno", 0), what or name, key=key if whole else None)
    taint = Taint(Origin(kind, what or name, framework), cell, source.clean)
    return Value((taint,), refs=(External(result_name(at, name)),), shape=TAINTED, sure=True)


def result_name(at: Frame, name: str) -> str:
    """An instance is named like its class; what a function gives is named after the call."""
    gives = at.engine.known.gives
    if name in gives:
        return gives[name]
    return name if name.rpartition(".")[2][:1].isupper() else f"{name}()"


def _result(
    at: Frame, name: str, names: tuple[str, ...], receiver: Value | None, given: Arguments, node: ast.AST
) -> Value:
    known = at.engine.known
    sanitizer = _sanitizer(at, names, given)
    if sanitizer:
        return _sanitised(at, sanitizer, receiver, given, node)
    if any(one in known.harmless for one in names):
        return numbers.harmless(names, [*given.all(), *([receiver] if receiver else [])])
    model = find(MODELS, names) or models.function(names)
    if model:
        return model(at, receiver, given, node)
    if name in known.wraps:
        values = [given.get(place) for place in (0, "url", "source", "text")]
        value = next((one for one in values if one is not None), UNKNOWN)
        value = marks.as_markup(value) if name == marks.MARKUP else value
        return Value(
            value.taints, None, (External(_called(at, name, names, given)),), value.shape, value.sure
        )
    if is_opaque(at, names, receiver, node):
        return Value(refs=(External(_called(at, name, names, given)),))
    if receiver is not None and (receiver.taints or receiver.consts):
        return models.method(at, receiver, name.rpartition(".")[2], given, node)
    inputs = [parts(value) for value in (*given.all(), *([receiver] if receiver else []))]
    passed = Value(at.passed(*inputs, node=node, doubts=1))
    lend(at, given.all())
    taints = (decoding.undone(at, passed, node, decoding.ALWAYS) if decoding.decodes(name) else passed).taints
    refs = (External(_called(at, name, names, given)),) if name else ()
    return Value(taints, refs=refs, shape=TAINTED if taints else "\x00")


def _called(at: Frame, name: str, names: tuple[str, ...], given: Arguments) -> str:
    """What a call gives, by its name and by what it is given."""
    known = at.engine.known
    for variant in known.variants.get(name, ()):
        if matches(given, variant.keywords) and not (variant.unless and matches(given, variant.unless)):
            return variant.name
    return find(known.gives, names) or result_name(at, name)


def asked_about(given: Arguments, place: Place) -> Value | None:
    """What a check is about; where nothing stands there it was given by name."""
    found = given.get(place)
    if found is None and place == 0:
        return next((value for value in given.keywords.values() if value.taints), None)
    return found


def _sanitizer(at: Frame, names: tuple[str, ...], given: Arguments) -> Sanitizer | None:
    for one in find(at.engine.known.sanitizers, names) or ():
        if matches(given, one.keywords) and not (one.unless and matches(given, one.unless)):
            return one
    return None


def _sanitised(
    at: Frame, sanitizer: Sanitizer, receiver: Value | None, given: Arguments, node: ast.AST
) -> Value:
    subject = receiver if sanitizer.argument == "self" else given.get(sanitizer.argument)
    if subject is None:
        return UNKNOWN
    if EVERYTHING in sanitizer.clean:
        ours = subject.sure and not subject.taints
        return HARMLESS if ours or (sanitizer.proof and subject.taints) else UNPROVED
    whole = parts(subject)
    if not whole.taints and not whole.sure:
        # An unknown value may be no plain text: `html.escape(Markup("<b>"))` is `<b>`.
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        cell = Cell(at.file, line, "", key=(UNSEEN, at.file, line, column))
        return Value((Taint(Origin(UNSEEN, ""), cell, sanitizer.clean),), shape=TAINTED, sure=True)
    certain = sanitizer.proof and is_text(subject) and not marks.may_be_markup(subject)
    proof = promised(sanitizer.clean) if certain else None
    taints = tuple(replace(taint, clean=taint.clean | sanitizer.clean) for taint in whole.taints)
    stepped = at.step(Value(taints, shape=TAINTED, sure=True), node)
    shape, sure = TAINTED if taints else whole.shape, subject.sure or bool(taints)
    return replace(stepped, shape=shape, sure=sure, proof=proof)


def promised(clean: frozenset[str]) -> Proof:
    """What a sanitizer or a guard that is one for certain proves.

    Where it escapes or quotes, the place where the text goes decides whether that is enough.
    """
    free = frozenset(mark[3:] for mark in clean if mark.startswith("no:") and len(mark) == 4)
    fit = {one for one in clean if ":" not in one or one.partition(":")[0] in FLAWS}
    if marks.QUOTED in clean:
        fit = (fit - {"command"}) | {QUOTED}
    if free >= set("<>"):
        fit -= {"xss"}
    return lone(free, (fit - {EVERYTHING}) | {TEXT} | ({OURS} if EVERYTHING in clean else set()))
