"""What the pass knows of a value: where it comes from, what it can be, and what it is clean for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from burnish.analysers.taint.memory.proofs import OF_A_NUMBER, OURS_PART, SPECIAL, TEXT, Part, Proof, either

# In a shape: text nobody knows, and text that comes from outside.
HOLE, TAINTED = "\x00", "\x01"
SHAPE_CHARS = 300
MAX_TAINTS = 6
MAX_CONSTS = 8
MAX_REFS = 6
MAX_STEPS = 40
EVERYTHING = "*"
# Letters and digits only: as harmless as one of ours, until somebody decodes it.
WORD = "only:word"
HARMLESS_MARKS = frozenset({EVERYTHING, WORD})
# The origin of what nobody saw and somebody has made safe for something: it is never reported.
UNSEEN = "unseen"

Const: TypeAlias = "str | bytes | int | float | complex | bool | tuple[Const, ...] | None"
Key: TypeAlias = "tuple[object, ...]"
# A guard's word: the cell it speaks of, and the class that cell is safe for (or `*`, or `weak:<class>`).
Fact: TypeAlias = "tuple[Key, str]"


class Cell:
    """One step on the way from a source; ways share their beginnings.

    Equal keys are the same data: `request.args["a"]` read twice is one thing to a guard.
    """

    __slots__ = ("before", "file", "key", "length", "line", "note")

    def __init__(
        self, file: str, line: int, note: str, before: Cell | None = None, key: Key | None = None
    ) -> None:
        self.file, self.line, self.note, self.before = file, line, note, before
        self.key: Key = key or (id(self),)
        self.length: int = before.length + 1 if before else 1

    def way(self) -> list[Cell]:
        """From the source to here."""
        found: list[Cell] = []
        cell: Cell | None = self
        while cell:
            found.append(cell)
            cell = cell.before
        return found[::-1]


@dataclass(frozen=True, slots=True)
class Origin:
    """`kind` is request, argv, environment, file, network, parameter or weak (a guessable number)."""

    kind: str
    what: str
    framework: str = ""

    @property
    def rank(self) -> int:
        """0 for what a stranger decides: where several ways lead to one place, that one is told."""
        return {"files": 1, "argv": 2, "environment": 2, UNSEEN: 3}.get(self.kind, 0)


@dataclass(frozen=True, slots=True)
class Taint:
    """One untrusted part of a value. `clean` are classes it cannot hurt any more, `doubts` calls passed
    whose code nobody could read."""

    origin: Origin
    cell: Cell
    clean: frozenset[str] = frozenset()
    doubts: int = 0

    @property
    def same(self) -> tuple[Key, frozenset[str]]:
        return self.cell.key, self.clean


class Ref(Protocol):
    """A thing a value can be: an object, a function, a class, a module, or a name from outside the tree."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class External:
    """Something that is not in the tree, by its dotted name; an instance is called like its class."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """`consts` is all it can be, None where that is not known; `shape` is its text with holes.

    `sure` when everything in it was seen: no parameter, no foreign call decided any of it. `when` are the
    facts that hold if it is true, and if it is false. `proof` is what is proved of its text, where that is
    untrusted: whatever makes a value without saying so makes one of which nothing is proved.
    """

    taints: tuple[Taint, ...] = ()
    consts: tuple[Const, ...] | None = None
    refs: tuple[Ref, ...] = ()
    shape: str = HOLE
    sure: bool = False
    when: tuple[frozenset[Fact], frozenset[Fact]] | None = None
    proof: Proof | None = None

    @property
    def const(self) -> Const:
        """The only thing it can be; ask `is_const` first."""
        assert self.consts is not None
        return self.consts[0]

    @property
    def is_const(self) -> bool:
        return self.consts is not None and len(self.consts) == 1

    @property
    def text(self) -> str | None:
        return self.const if self.is_const and isinstance(self.const, str) else None

    @property
    def seen(self) -> bool:
        """Whether all of it is known well enough to call it clean: nothing from outside the tree is in it
        whose value nobody saw."""
        return self.sure and (bool(self.taints) or not any(isinstance(ref, External) for ref in self.refs))

    @property
    def prefix(self) -> str:
        """The text it surely begins with."""
        for at, character in enumerate(self.shape):
            if character in (HOLE, TAINTED):
                return self.shape[:at]
        return self.shape

    @property
    def proved(self) -> Proof | None:
        """What its text surely is: of a constant that itself, of what is ours that it is."""
        if self.proof is not None or self.taints or self.refs or not self.sure:
            return self.proof
        texts = [const if isinstance(const, str) else str(const) for const in self.consts or ()]
        if len(texts) == 1:
            return Proof((texts[0],))
        free = OURS_PART.free
        if texts:
            free = SPECIAL - set("".join(texts))
        return Proof((Part(free, OURS_PART.fit | ({TEXT} if texts else set())),))

    def blurred(self) -> Value:
        """The same, but what exactly it is nobody knows."""
        return Value(self.taints, None, self.refs, self.shape if not self.consts else HOLE, self.sure)


UNKNOWN = Value()
HARMLESS = Value(sure=True)
# Probably harmless, without a proof.
UNPROVED = Value()
# A number that the client may choose: neither a text of the client nor a value of the program.
NUMBER = Value(proof=OF_A_NUMBER)
NEVER = Value(consts=(), sure=True, shape="")
NONE = Value(consts=(None,), sure=True, shape="None")


def constant(value: Const) -> Value:
    return Value(consts=(value,), sure=True, shape=capped(value if isinstance(value, str) else str(value)))


def capped(shape: str) -> str:
    """As much of a shape as is kept; what follows may be anything."""
    if len(shape) <= SHAPE_CHARS:
        return shape
    return shape[:SHAPE_CHARS] + (TAINTED if TAINTED in shape[SHAPE_CHARS:] else HOLE)


def of(*refs: Ref, sure: bool = True) -> Value:
    """These things; what comes from outside is never sure, whatever is made of it."""
    return Value(refs=refs, sure=sure and not any(isinstance(ref, External) for ref in refs))


def join(one: Value, other: Value) -> Value:
    """What it can be when it is either."""
    if one is other or other is NEVER:
        return one
    if one is NEVER:
        return other
    refs = merge_refs(one.refs, other.refs)
    return Value(
        taints=merge_taints(one.taints, other.taints),
        consts=_consts(one.consts, other.consts),
        refs=refs[:MAX_REFS],
        shape=one.shape if one.shape == other.shape else _common(one, other),
        sure=one.sure and other.sure and len(refs) <= MAX_REFS,
        when=_both(one, other),
        proof=_proof_of(one, other),
    )


def _proof_of(one: Value, other: Value) -> Proof | None:
    """Of what is either; what can be nothing at all says nothing."""
    if one.proof is None and other.proof is None:
        return None
    if one.consts == () and not one.taints:
        return other.proof
    if other.consts == () and not other.taints:
        return one.proof
    return either(one.proved, other.proved)


def join_all(values: Iterable[Value]) -> Value:
    total = NEVER
    for value in values:
        total = join(total, value)
    return total


def merge_taints(one: tuple[Taint, ...], other: tuple[Taint, ...]) -> tuple[Taint, ...]:
    if not other or one is other:
        return one
    if not one:
        return other
    found = {taint.same: taint for taint in (*other, *one)}
    if len(found) > MAX_TAINTS:
        # The shortest ways are the ones people can follow; what is clean for most goes first.
        kept = sorted(found.values(), key=_kept_first)
        return tuple(kept[:MAX_TAINTS])
    return tuple(found.values())


def _kept_first(taint: Taint) -> tuple[bool, int, int]:
    return not taint.clean.isdisjoint(HARMLESS_MARKS), len(taint.clean), taint.cell.length


def merge_refs(one: tuple[Ref, ...], other: tuple[Ref, ...]) -> tuple[Ref, ...]:
    if one == other or not other:
        return one
    return tuple(dict.fromkeys((*one, *other)))


def _consts(one: tuple[Const, ...] | None, other: tuple[Const, ...] | None) -> tuple[Const, ...] | None:
    if one is None or other is None:
        return None
    # True and 1 are equal and not the same.
    found = tuple({(type(const), const): const for const in (*one, *other)}.values())
    return found if len(found) <= MAX_CONSTS else None


def _common(one: Value, other: Value) -> str:
    size = 0
    for a, b in zip(one.shape, other.shape, strict=False):
        if a != b or a in (HOLE, TAINTED):
            break
        size += 1
    return one.shape[:size] + (TAINTED if one.taints or other.taints else HOLE)


def _both(one: Value, other: Value) -> tuple[frozenset[Fact], frozenset[Fact]] | None:
    if one.when is None or other.when is None:
        return None
    return shared([one.when[0], other.when[0]]), shared([one.when[1], other.when[1]])


def shared(known: list[frozenset[Fact]]) -> frozenset[Fact]:
    """What all of these say; clean for everything is clean for each."""
    if not all(known):
        return frozenset()
    whole = [{key for key, flaw in facts if flaw in HARMLESS_MARKS} for facts in known]
    return frozenset(
        fact
        for fact in frozenset.union(*known)
        if all(
            fact in facts or (fact[0] in keys and fact[1] != EVERYTHING)
            for facts, keys in zip(known, whole, strict=True)
        )
    )
