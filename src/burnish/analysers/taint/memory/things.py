"""What values can refer to: objects with their elements and attributes, functions, classes, modules."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from burnish.analysers.taint.memory.heap import OVER, Heap, Table, Unequal
from burnish.analysers.taint.memory.values import NEVER, UNKNOWN, Const, Value, constant, join, join_all

if TYPE_CHECKING:
    from burnish.analysers.taint.memory.frame import Frame
    from burnish.analysers.taint.memory.modules import Module

AnyFunction: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"
MAX_ITEMS = 64
# Elements in order, those that could be anywhere, those behind the known ones, and keys nobody knows.
ITEMS, REST, TAIL, KEYS = "items", "rest", "tail", "keys"


class Obj:
    """A list, tuple, set, dict or an instance. `table` holds attributes (`.name`), elements and the rest.

    A sequence has all its elements in order under `items`, until somebody puts one where nobody knows; a
    dict has each under `("k", key)`. What could be anywhere is under `rest`.
    """

    __slots__ = ("cls", "kind", "line", "table")

    def __init__(self, kind: str, cls: Class | None = None, line: int = 0) -> None:
        self.kind, self.cls, self.line = kind, cls, line
        self.table: Table = {}

    def rest(self) -> Value:
        found: Value = self.table.get(REST, NEVER)
        return found

    def over(self) -> frozenset[tuple[str, Const]]:
        """The keys that were surely set after what is under `rest`."""
        found: frozenset[tuple[str, Const]] = self.table.get(OVER, frozenset())
        return found

    def items(self) -> tuple[Value, ...] | None:
        """All elements in order, where that is known."""
        found = self.table.get(ITEMS)
        return None if isinstance(found, Unequal) or TAIL in self.table else found

    def everything(self) -> Value:
        """Any element of it, whichever."""
        return join_all(self._all())

    def _all(self) -> Iterator[Value]:
        for key, found in self.table.items():
            if isinstance(found, Value):
                if key in (REST, TAIL) or isinstance(key, tuple):
                    yield found
            elif key == ITEMS:
                yield from _flat(found)

    def held(self) -> Iterator[Value]:
        """Every element, key and attribute."""
        yield from self._all()
        for key, found in self.table.items():
            if isinstance(found, Value) and (key == KEYS or (isinstance(key, str) and key[:1] == ".")):
                yield found

    def at(self, key: Const) -> Value:
        """The element at a known index or under a known key."""
        items = self.items()
        if items is not None and isinstance(key, int) and -len(items) <= key < len(items):
            return join(items[key], self.rest())
        if TAIL in self.table and isinstance(key, int) and key >= 0:
            begin = self.table.get(ITEMS, ())
            return join(begin[key] if key < len(begin) else self.table[TAIL], self.rest())
        if ("k", key) in self.table:
            known: Value = self.table["k", key]
            return known if ("k", key) in self.over() else join(known, self.rest())
        if self.kind in ("dict", "open") and REST not in self.table:
            return NEVER
        return self.everything() if items is None else join(self.rest(), join_all(items))

    def keys(self) -> Value:
        """Any key of a dict."""
        found = join_all(constant(key) for key in self.known_keys())
        return join(found, self.table.get(KEYS, UNKNOWN if REST in self.table else NEVER))

    def known_keys(self) -> list[Const]:
        return [key[1] for key in self.table if isinstance(key, tuple) and key[0] == "k"]

    def set_at(self, heap: Heap, key: Value, value: Value) -> None:
        """A strong update where the place is known, a weak one where it is not."""
        items = self.items()
        if key.is_const and self.kind in ("dict", "open"):
            heap.put(self.table, ("k", key.const), value)
            heap.drop(self.table, ("maybe", key.const))
            if REST in self.table:
                heap.put(self.table, OVER, self.over() | {("k", key.const)})
        elif key.is_const and items is not None and isinstance(key.const, int) and self._has(key.const):
            at = key.const % len(items)
            heap.put(self.table, ITEMS, (*items[:at], value, *items[at + 1 :]))
        else:
            heap.put(self.table, REST, join(self.rest(), value))
            if self.kind == "dict":
                heap.put(self.table, KEYS, join(self.table.get(KEYS, NEVER), key))
                heap.put(self.table, OVER, frozenset())

    def put_all(self, heap: Heap, other: Obj) -> None:
        """As `update` does; what nobody knows the key of comes first, so that what is known stays known."""
        if REST in other.table:
            self.set_at(heap, other.table.get(KEYS, UNKNOWN), other.rest())
        for key in other.known_keys():
            self.set_at(heap, constant(key), other.at(key))

    def remove_at(self, heap: Heap, key: Value | slice | None) -> None:
        """`del x[key]`; where nobody knows what went, anything may be anywhere."""
        items = self.items()
        known = key if isinstance(key, slice) else key.const if key is not None and key.is_const else None
        if self.kind == "dict":
            if known is not None and not isinstance(known, slice):
                heap.drop(self.table, ("k", known))
        elif items is not None and isinstance(known, int | slice):
            left = list(items)
            if isinstance(known, slice) or -len(left) <= known < len(left):
                del left[known]
            heap.put(self.table, ITEMS, tuple(left))
        else:
            self.blur(heap)

    def blur(self, heap: Heap, more: Value = NEVER) -> None:
        """Nobody knows any more what is where."""
        everything = join(self.everything(), more)
        heap.drop(self.table, ITEMS)
        if everything is not NEVER:
            heap.put(self.table, REST, everything)
            if OVER in self.table:
                heap.put(self.table, OVER, frozenset())

    def copy(self) -> Obj:
        made = Obj(self.kind, self.cls, self.line)
        made.table = dict(self.table)
        return made

    def _has(self, index: int) -> bool:
        items = self.items()
        return items is not None and -len(items) <= index < len(items)

    def add(self, heap: Heap, value: Value, at: int | None = None) -> None:
        """At the end, or before an index."""
        items = self.items()
        if items is None or len(items) >= MAX_ITEMS:
            heap.put(self.table, REST, join(self.rest(), value))
        elif at is None:
            heap.put(self.table, ITEMS, (*items, value))
        else:
            heap.put(self.table, ITEMS, (*items[:at], value, *items[at:]))


def sequence(kind: str, items: tuple[Value, ...], line: int = 0) -> Obj:
    made = Obj(kind, line=line)
    if len(items) <= MAX_ITEMS:
        made.table[ITEMS] = items
    else:
        made.table[REST] = join_all(items)
    return made


def unordered(kind: str, rest: Value, line: int = 0) -> Obj:
    """Elements of which nobody knows how many there are."""
    made = Obj(kind, line=line)
    if rest is not NEVER:
        made.table[REST] = rest
    return made


def _flat(found: Any) -> Iterator[Value]:
    if isinstance(found, Value):
        yield found
    elif isinstance(found, tuple):
        for one in found:
            yield from _flat(one)


class Class:
    """A class of the tree. `table` are its attributes and methods; `bases` in order, foreign ones too."""

    __slots__ = ("_foreign", "_line", "bases", "module", "name", "node", "table")

    def __init__(self, node: ast.ClassDef, module: Module, bases: tuple[Value, ...]) -> None:
        self.node, self.module, self.bases, self.name = node, module, bases, node.name
        self.table: Table = {}
        self._line: list[Class] | None = None
        self._foreign: list[str] | None = None

    def line_of_bases(self) -> list[Class]:
        """Itself and every class of the tree it inherits from, in the order Python asks them."""
        if self._line is None:
            self._line = [self]
            own = [ref for base in self.bases for ref in base.refs if isinstance(ref, Class)]
            self._line = [self, *_merged([*(list(one.line_of_bases()) for one in own), own])]
        return self._line

    def foreign(self) -> list[str]:
        """The names of bases that are not of the tree."""
        if self._foreign is None:
            bases = (base for cls in self.line_of_bases() for base in cls.bases)
            names = (getattr(ref, "name", "") for base in bases for ref in base.refs)
            self._foreign = [name for name in names if "." in name]
        return self._foreign

    def find(self, name: object, after: Class | None = None) -> Value | None:
        """The nearest class that has it; `after` is where `super()` begins."""
        line = self.line_of_bases()
        for cls in line[line.index(after) + 1 :] if after is not None and after in line else line:
            if name in cls.table:
                found: Value = cls.table[name]
                return found
        return None


def _merged(lines: list[list[Class]]) -> list[Class]:
    """Python's order: a class before its bases, bases as they were written; a contradiction is ignored."""
    found: list[Class] = []
    lines = [line for line in lines if line]
    while lines:
        behind = {cls for line in lines for cls in line[1:]}
        first = next((line[0] for line in lines if line[0] not in behind), lines[0][0])
        found.append(first)
        lines = [rest for line in lines if (rest := [cls for cls in line if cls is not first])]
    return found


class Super:
    """`super()` in a method of `after`, of this object or class."""

    __slots__ = ("after", "of")

    def __init__(self, of: Value, after: Class) -> None:
        self.of, self.after = of, after


class Function:
    """A function or lambda of the tree, with the frame it was made in and, as a method, its object."""

    __slots__ = ("bound", "defaults", "home", "marks", "module", "node", "owner")

    def __init__(
        self, node: AnyFunction, module: Module, home: Frame | None, owner: Class | None = None
    ) -> None:
        self.node, self.module, self.home, self.owner = node, module, home, owner
        self.bound: Value | None = None
        self.defaults: dict[str, Value] = {}
        # The names of decorators that change what calling it means: property, staticmethod, ...
        self.marks: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return getattr(self.node, "name", "lambda")

    def bind(self, to: Value) -> Function:
        made = Function(self.node, self.module, self.home, self.owner)
        made.bound, made.defaults, made.marks = to, self.defaults, self.marks
        return made


class ModuleRef:
    __slots__ = ("module",)

    def __init__(self, module: Module) -> None:
        self.module = module
