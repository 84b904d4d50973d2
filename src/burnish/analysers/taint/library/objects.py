"""Containers, streams and records of the standard library, made as objects that keep what they are given."""

from __future__ import annotations

import ast
from collections.abc import Callable

from burnish.analysers.taint.library.containers import pairs, update
from burnish.analysers.taint.library.iterating import each, in_order
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import ITEMS, KEYS, REST, Class, Obj, sequence, unordered
from burnish.analysers.taint.memory.values import (
    HARMLESS,
    NEVER,
    NUMBER,
    UNKNOWN,
    External,
    Value,
    constant,
    join,
    join_all,
    of,
)

MAX_RANGE = 12


def listed(kind: str, value: Value | None, at: Frame, node: ast.AST) -> Value:
    """A new sequence of what iterating gives."""
    if value is None:
        return of(sequence(kind, ()))
    items = in_order(value)
    if items is not None:
        return of(sequence(kind, items))
    return of(unordered(kind, each(at, value, node)))


def _as(kind: str) -> Callable[[Frame, Value | None, Arguments, ast.AST], Value]:
    return lambda at, receiver, given, node: listed(kind, given.get(0), at, node)


def _reversed(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    items = in_order(given.get(0) or UNKNOWN)
    return of(sequence("list", items[::-1])) if items is not None else listed("list", given.get(0), at, node)


def _sorted(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value = given.get(0) or UNKNOWN
    items = in_order(value)
    if items is not None and all(item.is_const for item in items) and not given.keywords:
        try:
            return of(sequence("list", tuple(constant(one) for one in sorted(item.const for item in items))))  # type: ignore[type-var]
        except TypeError:
            pass
    return of(unordered("list", each(at, value, node)))


def _enumerate(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value, start = given.get(0) or UNKNOWN, given.get(1) or given.get("start") or constant(0)
    items = in_order(value)
    first = start.const if start.is_const and isinstance(start.const, int) else None
    if items is None or first is None:
        return of(unordered("list", of(sequence("tuple", (NUMBER, each(at, value, node))))))
    made = (of(sequence("tuple", (constant(first + number), item))) for number, item in enumerate(items))
    return of(sequence("list", tuple(made)))


def _zip(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    columns = [in_order(value) for value in given.positional]
    if given.star is not None:
        return of(unordered("list", of(unordered("tuple", each(at, given.star, node)))))
    if columns and all(column is not None for column in columns):
        known = [column for column in columns if column is not None]
        rows = zip(*known, strict=False)
        return of(sequence("list", tuple(of(sequence("tuple", tuple(row))) for row in rows)))
    row = tuple(each(at, value, node) for value in given.positional)
    return of(unordered("list", of(sequence("tuple", row))))


def _range(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    ends = [value.const for value in given.positional if value.is_const and isinstance(value.const, int)]
    if len(ends) == len(given.positional) and ends and given.star is None and (len(ends) < 3 or ends[2]):
        found = range(*ends[:3])
        if len(found) <= MAX_RANGE:
            return of(sequence("list", tuple(constant(number) for number in found)))
    return of(unordered("list", NUMBER))


def mapping(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    made = Obj("dict")
    for value in given.positional:
        for ref in value.refs:
            if isinstance(ref, Obj) and ref.kind != "dict":
                pairs(at, made, of(ref), node)
            elif isinstance(ref, Obj):
                made.table |= {key: found for key, found in ref.table.items() if key != ITEMS}
        if value.taints or not value.refs:
            update(at, made, Value(value.taints, None, (), value.shape, value.sure), node)
    made.table |= {("k", name): value for name, value in given.keywords.items()}
    if given.stars is not None:
        made.set_at(at.heap, UNKNOWN, given.stars)
    return of(made)


def _default_dict(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """What is missing is made on the first look."""
    rest = Arguments(given.positional[1:], given.keywords)
    made = mapping(at, receiver, rest, node)
    factory = given.get(0) or given.get("default_factory")
    if factory is not None and isinstance(made.refs[0], Obj):
        made.refs[0].table["factory"] = factory
    return made


def _chain_map(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """The first that has a key wins."""
    return mapping(at, receiver, Arguments(given.positional[::-1]), node)


def _chain(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    columns = [in_order(value) for value in given.positional]
    if all(column is not None for column in columns) and given.star is None:
        return of(sequence("list", tuple(item for column in columns for item in column or ())))
    found = join_all(each(at, value, node) for value in given.all())
    return of(unordered("list", found))


def _chain_all(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    outer = in_order(given.get(0) or UNKNOWN)
    if outer is None:
        return of(unordered("list", each(at, each(at, given.get(0) or UNKNOWN, node), node)))
    return _chain(at, receiver, Arguments(outer), node)


def _from_keys(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    made, value = Obj("dict"), given.get(1) or constant(None)
    items = in_order(given.get(0) or UNKNOWN)
    for key in items if items is not None else (each(at, given.get(0) or UNKNOWN, node),):
        made.set_at(at.heap, key, value)
    return of(made)


def _stream(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    first = given.get(0) or given.get("initial_value") or given.get("initial_bytes")
    return of(sequence("stream", (first,) if first is not None else ()))


def _queue(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    return of(sequence("queue", ()))


def _namespace(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    made = Obj("namespace")
    made.table |= {f".{name}": at.step(value, node) for name, value in given.keywords.items()}
    if given.stars is not None:
        made.table[REST] = given.stars
    return of(made)


def _record_class(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`namedtuple("P", "x y")`: a class whose instances have these fields, by name and by number."""
    name, fields = given.get(0) or UNKNOWN, given.get(1) or given.get("field_names") or UNKNOWN
    if fields.text is not None:
        names = fields.text.replace(",", " ").split()
    else:
        items = in_order(fields)
        if items is None or not all(item.text for item in items):
            return of(External("collections.namedtuple()"), sure=False)
        names = [str(item.text) for item in items]
    body: list[ast.stmt] = [
        ast.AnnAssign(ast.Name(one, ast.Store()), ast.Name("object", ast.Load()), None, 1) for one in names
    ]
    made = ast.ClassDef(name.text or "record", [], [], body, [])
    ast.copy_location(made, node)
    return of(Class(made, at.module, (of(External("collections.namedtuple")),)))


def _some(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`next(...)`, `max(...)`: one of the elements, or of the arguments."""
    found = NEVER
    for value in given.positional:
        several = value.refs or len(given.positional) == 1
        found = join(found, each(at, value, node) if several else value)
    found = join(found, given.star or NEVER)
    return UNKNOWN if found is NEVER else found


def _next(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    found = each(at, given.get(0) or UNKNOWN, node)
    default = given.get(1)
    return join(found, default) if default is not None else found


def _whole(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    found = parts(given.get(0) or UNKNOWN)
    return HARMLESS if found.sure or found.taints else UNKNOWN


def _keys_of(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`Counter(...)`: what is counted are the keys."""
    made = Obj("dict")
    made.table[REST] = NUMBER
    made.table[KEYS] = each(at, given.get(0) or UNKNOWN, node)
    return of(made)


FUNCTIONS = {
    "builtins.list": _as("list"), "builtins.tuple": _as("tuple"), "builtins.set": _as("set"),
    "builtins.frozenset": _as("set"), "builtins.iter": _as("list"), "collections.deque": _as("deque"),
    "builtins.sorted": _sorted, "builtins.reversed": _reversed, "builtins.enumerate": _enumerate,
    "builtins.zip": _zip, "itertools.zip_longest": _zip, "builtins.range": _range, "builtins.dict": mapping,
    "collections.OrderedDict": mapping, "types.MappingProxyType": mapping, "collections.UserDict": mapping,
    "collections.defaultdict": _default_dict, "collections.ChainMap": _chain_map,
    "collections.Counter": _keys_of, "itertools.chain": _chain, "itertools.chain.from_iterable": _chain_all,
    "itertools.islice": _as("islice"), "itertools.cycle": _as("cycle"), "builtins.dict.fromkeys": _from_keys,
    "io.StringIO": _stream, "io.BytesIO": _stream, "queue.Queue": _queue, "queue.SimpleQueue": _queue,
    "queue.LifoQueue": _queue, "queue.PriorityQueue": _queue, "asyncio.Queue": _queue,
    "multiprocessing.Queue": _queue, "types.SimpleNamespace": _namespace, "argparse.Namespace": _namespace,
    "collections.namedtuple": _record_class, "builtins.next": _next, "builtins.anext": _next,
    "builtins.max": _some, "builtins.min": _some, "random.choice": _some, "builtins.any": _whole,
    "builtins.all": _whole,
}  # fmt: skip
