"""Questions to a text and changes of it that say which characters it cannot have, or how it begins."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from burnish.analysers.taint.guards.provenance import ADDRESS, host_facts, path_facts
from burnish.analysers.taint.memory import proofs
from burnish.analysers.taint.memory.conditions import NO_FACTS, When, about
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.marks import (
    CHECKED,
    NONE_OF_THEM,
    PLAIN,
    RESOLVED,
    ROOTED,
    SPECIAL,
    only,
    put_back,
    taken_apart,
    without,
)
from burnish.analysers.taint.memory.things import Obj, sequence
from burnish.analysers.taint.memory.values import Fact, Value

LESS = "less:"
_HARMLESS = frozenset({"isdigit", "isalnum", "isalpha", "isdecimal", "isidentifier", "isnumeric"})
_BREAKS = without("\n\r")
_WITH_HOST = re.compile(r"^[a-z]+://[^/?#\x00\x01]+[/?#]|^[a-z]+://\x00+[/?#]|^\x00[^\x01]*/$", re.IGNORECASE)
_WEB = re.compile(r"^https?:/?/?", re.IGNORECASE)
_INSIDE = re.compile(r"^/[^/\\\x00\x01]")
_WORD = proofs.Part(proofs.SPECIAL, frozenset({proofs.TEXT}))
_PRINTABLE = proofs.Part(
    frozenset(character for character in proofs.SPECIAL if not character.isprintable()),
    frozenset({proofs.TEXT}),
)
_WEAK = frozenset({"weak:path", "weak:redirect", "weak:ssrf"})


def text_facts(receiver: Value, name: str, given: Arguments) -> When | None:
    if not receiver.taints:
        return None
    if name in _HARMLESS:
        proved = proofs.facts(receiver.proof, _WORD)
        return about(receiver, PLAIN) | _of_the_whole(receiver) | proved, NO_FACTS
    if name == "isprintable":
        return about(receiver, _BREAKS) | proofs.facts(receiver.proof, _PRINTABLE), NO_FACTS
    if name == "startswith":
        return _begins(receiver, _texts(given.get(0)))
    if name == "endswith":
        return _ends(receiver, _texts(given.get(0)))
    return None


def less(name: str, given: Arguments) -> str:
    """What `text.replace("-", "")` takes out: an answer about the rest is one about the whole."""
    old, new = given.get(0), given.get(1)
    gone = old.text if name == "replace" and old is not None and new is not None and new.text == "" else None
    return gone if gone is not None and len(gone) == 1 else ""


def _of_the_whole(value: Value) -> frozenset[Fact]:
    """Letters and digits without some characters: the whole has no others than those."""
    found: set[Fact] = set()
    for taint in value.taints:
        key, gone = taint.cell.key, ""
        while len(key) == 2 and isinstance(key[0], tuple) and str(key[1]).startswith(LESS):
            gone += str(key[1]).removeprefix(LESS)
            key = key[0]
        if gone:
            found |= {(key, mark) for mark in only(gone) | {CHECKED}}
    return frozenset(found)


def _texts(value: Value | None) -> list[str]:
    """What it is compared with: a text, or each of several; a text as far as it is known."""
    if value is None or value.taints:
        return []
    for ref in value.refs:
        items = ref.items() if isinstance(ref, Obj) else None
        if items is not None:
            return (
                [text for item in items for text in _texts(item)] if all(not i.taints for i in items) else []
            )
    return [value.shape]


def _begins(receiver: Value, starts: list[str]) -> When | None:
    """A path that begins with a folder of ours is inside only where that ends in a separator."""
    if not starts:
        return None
    true: frozenset[Fact] = NO_FACTS
    if all(start.endswith("/") for start in starts):
        true |= path_facts(receiver)
    if all(_WITH_HOST.search(start) for start in starts):
        true |= about(receiver, ADDRESS)
    if all(_INSIDE.search(start) for start in starts):
        true |= about(receiver, frozenset({"redirect"}))
    if all(_WEB.search(start) for start in starts):
        true |= about(receiver, frozenset({"begins:http"}))
    if all(start[:1] == "/" for start in starts):
        true |= about(receiver, frozenset({"begins:/"}))
    if len(starts) == 1 and starts[0] in ("'", '"'):
        true |= about(receiver, frozenset({f"begins:{starts[0]}"}))
    return true | about(receiver, _WEAK), _does_not_begin(receiver, starts)


def _does_not_begin(receiver: Value, starts: list[str]) -> frozenset[Fact]:
    false: frozenset[Fact] = NO_FACTS
    if any(start in ("/", "//") for start in starts):
        false |= about(receiver, frozenset({"not:begins://"}))
    if "/" in starts:
        false |= about(receiver, frozenset({"no:absolute"}))
    if any(start in ("..", "../") for start in starts):
        resolved = Value(tuple(taint for taint in receiver.taints if RESOLVED in taint.clean))
        relative = Value(tuple(taint for taint in receiver.taints if "is:relative" in taint.clean))
        false |= about(resolved, without(("..",))) | path_facts(relative)
    return false


def _ends(receiver: Value, ends: list[str]) -> When | None:
    true: frozenset[Fact] = NO_FACTS
    if len(ends) == 1 and ends[0] in ("'", '"'):
        true |= about(receiver, frozenset({f"ends:{ends[0]}"}))
    if ends and all(end.startswith(".") and len(end) > 1 for end in ends):
        true |= host_facts(receiver)
    return (true, NO_FACTS) if true else None


# What leaves a quoted word a quoted word.
_WHOLE = frozenset({
    "lower", "upper", "title", "casefold", "swapcase", "capitalize", "encode", "decode", "center", "ljust",
    "rjust", "zfill", "expandtabs", "hex",
})  # fmt: skip


def changed(receiver: Value, name: str, given: Arguments) -> Value:
    """What a method of text leaves of it: `replace("'", "")` and `split()` take characters out."""
    marks: frozenset[str] = frozenset()
    if name not in _WHOLE and (given.positional or name in ("split", "rsplit", "splitlines")):
        receiver = taken_apart(receiver)
    if name == "replace":
        old, new = (value.text or "" if (value := given.get(number)) else "" for number in (0, 1))
        receiver, marks = put_back(receiver, old, new), _replaced(given)
    elif name in ("split", "rsplit") and not given.positional and not given.keywords:
        marks = without("\n\r\t")
    elif name in ("split", "rsplit") and (by := given.get(0)) is not None and given.get(1) is None:
        marks = without(by.text) if by.text and len(by.text) == 1 and by.text in SPECIAL else marks
    elif name == "splitlines" or (
        name == "encode" and (codec := given.get(0)) is not None and codec.text == "unicode_escape"
    ):
        marks = _BREAKS
    elif name == "hex":
        marks = NONE_OF_THEM
    elif name == "translate":
        marks = frozenset()
    elif (
        name in ("lstrip", "removeprefix")
        and (gone := given.get(0)) is not None
        and gone.text in ("/", "/\\")
    ):
        marks = frozenset({"no:absolute", "not:begins://"}) if name == "lstrip" else frozenset()
        if marks and receiver.taints and all(ROOTED in taint.clean for taint in receiver.taints):
            marks |= without(("..",))
    if not marks or not receiver.taints:
        return receiver
    return replace(receiver, taints=tuple(replace(t, clean=t.clean | marks) for t in receiver.taints))


def parted(at: Frame, name: str, given: Arguments, inner: Value, node: ast.AST) -> Obj | None:
    """The parts of a text by themselves: each is other data, and one of them has no separator in it."""
    by, most = given.get(0), given.get(1) or given.get("maxsplit")
    if by is None or not by.text or not inner.taints:
        return None
    first, last = (
        replace(at.step(inner, node, key=(f"[{place}]",)), proof=inner.proof) for place in ("first", "last")
    )
    if name in ("partition", "rpartition"):
        head, tail = (
            (_free_of(first, by.text), last) if name == "partition" else (first, _free_of(last, by.text))
        )
        return sequence("tuple", (head, by, tail))
    if name == "rsplit" and most is not None and most.is_const and most.const == 1:
        return sequence("list", (first, _free_of(last, by.text)))
    return None


def _free_of(value: Value, text: str) -> Value:
    if len(text) == 1:
        value = replace(value, proof=proofs.piece(value.proof, taken_out=text))
    marks = without(text) if len(text) == 1 and text in SPECIAL else frozenset[str]()
    return replace(value, taints=tuple(replace(taint, clean=taint.clean | marks) for taint in value.taints))


def _replaced(given: Arguments) -> frozenset[str]:
    old, new = given.get(0), given.get(1)
    if old is None or new is None or old.text is None or new.text is None or given.get(2) is not None:
        return frozenset()
    if old.text == "'" and new.text == "''":
        return without("'")
    if len(old.text) == 1 and old.text in SPECIAL and old.text not in new.text:
        return without(old.text)
    return frozenset()
