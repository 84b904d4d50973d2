"""Functions that call what they are given: map, partial, threads, tasks."""

from __future__ import annotations

import ast

from burnish.analysers.taint.library.iterating import each, in_order
from burnish.analysers.taint.library.members import attribute, element
from burnish.analysers.taint.memory.conditions import facts, truth
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.things import Function, Obj, sequence, unordered
from burnish.analysers.taint.memory.values import NEVER, UNKNOWN, External, Value, constant, join, of


def _map(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    callee = given.get(0) or UNKNOWN
    columns = [in_order(value) for value in given.positional[1:]]
    if columns and all(column is not None for column in columns):
        rows = zip(*(column or () for column in columns), strict=False)
        made = tuple(at.engine.call(at, callee, Arguments(row), node) for row in rows)
        return of(sequence("list", made))
    row = [each(at, value, node) for value in given.positional[1:]]
    return of(unordered("list", at.engine.call(at, callee, Arguments(row), node)))


def _star_map(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    callee, rows = given.get(0) or UNKNOWN, each(at, given.get(1) or UNKNOWN, node)
    items = in_order(rows)
    inner = Arguments(items or ())
    if items is None:
        inner.star = each(at, rows, node)
    return of(unordered("list", at.engine.call(at, callee, inner, node)))


def _filter(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """What the question lets through, with what its answer says of it."""
    callee, items = given.get(0) or UNKNOWN, in_order(given.get(1) or UNKNOWN)
    every = items if items is not None else (each(at, given.get(1) or UNKNOWN, node),)
    kept = NEVER
    for item in every:
        if callee.is_const and callee.const is None:
            kept = join(kept, item)
            continue
        answer = at.engine.call(at, callee, Arguments([item]), node)
        if truth(answer) is False:
            continue
        mark = at.heap.mark()
        at.heap.assume(facts(answer, true=True))
        kept = join(kept, at.heap.settle(item))
        at.heap.take_back_facts(mark)
    return of(unordered("list", kept))


def _reduce(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    callee, items = given.get(0) or UNKNOWN, in_order(given.get(1) or UNKNOWN)
    rest = list(items) if items is not None else [each(at, given.get(1) or UNKNOWN, node)] * 2
    total = given.get(2)
    if total is None:
        total = rest.pop(0) if rest else UNKNOWN
    for item in rest:
        total = at.engine.call(at, callee, Arguments([total, item]), node)
    return total


def _partial(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    made = Obj("partial", line=getattr(node, "lineno", 0))
    made.table[".func"] = given.get(0) or UNKNOWN
    made.table["items"] = tuple(given.positional[1:])
    made.table |= {("k", name): value for name, value in given.keywords.items()}
    return of(made)


def call_partial(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    whole = Arguments([*(ref.items() or ()), *given.positional])
    whole.keywords = {str(key): ref.table["k", key] for key in ref.known_keys()} | given.keywords
    whole.star, whole.stars = given.star, given.stars
    return at.engine.call(at, ref.table[".func"], whole, node)


def _rest(given: Arguments, skip: int) -> Arguments:
    made = Arguments(given.positional[skip:], given.keywords)
    made.star, made.stars = given.star, given.stars
    return made


def _submit(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`submit(f, ...)`: what `.result()` gives later."""
    made = Obj("future")
    made.table["rest"] = at.engine.call(at, given.get(0) or UNKNOWN, _rest(given, 1), node)
    return of(made)


def _at_once(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    return at.engine.call(at, given.get(0) or UNKNOWN, _rest(given, 1), node)


def _in_executor(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    return at.engine.call(at, given.get(1) or UNKNOWN, _rest(given, 2), node)


def _thread(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """Its target is called with its arguments, whenever it is started."""
    target = given.get("target") or given.get(1) or given.get("function")
    args, keywords = given.get("args") or given.get(2), given.get("kwargs")
    if target is not None:
        items = in_order(args) if args is not None else ()
        inner = Arguments(items or ())
        if args is not None and items is None:
            inner.star = each(at, args, node)
        for ref in keywords.refs if keywords is not None else ():
            if isinstance(ref, Obj):
                inner.keywords |= {str(key): ref.at(key) for key in ref.known_keys()}
        at.engine.call(at, target, inner, node)
    return of(External("threading.Thread"))


def _gather(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    if given.star is not None:
        return of(unordered("list", given.star))
    return of(sequence("list", tuple(given.positional)))


def _first(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    return given.get(0) or UNKNOWN


def _item_getter(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    made = Obj("itemgetter")
    made.table["items"] = tuple(given.positional)
    return of(made)


def _attribute_getter(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    made = Obj("attrgetter")
    made.table["items"] = tuple(given.positional)
    return of(made)


def call_getter(at: Frame, ref: Obj, given: Arguments, node: ast.AST) -> Value:
    holder = given.get(0) or UNKNOWN
    found: list[Value] = []
    for key in ref.items() or ():
        if ref.kind == "itemgetter":
            found.append(element(at, holder, key, node))
            continue
        value = holder
        for name in (key.text or "").split("."):
            value = attribute(at, value, name, node)
        found.append(value)
    return found[0] if len(found) == 1 else of(sequence("tuple", tuple(found)))


def _registered(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`atexit.register(f, ...)`, `loop.call_soon(f, ...)`: called some day."""
    _at_once(at, receiver, given, node)
    return constant(None)


def is_callable(value: Value) -> bool:
    return any(isinstance(ref, Function) for ref in value.refs)


FUNCTIONS = {
    "builtins.map": _map, "builtins.filter": _filter, "itertools.filterfalse": _filter,
    "itertools.starmap": _star_map, "functools.reduce": _reduce, "functools.partial": _partial,
    "functools.partialmethod": _partial, "concurrent.futures.ThreadPoolExecutor.submit": _submit,
    "concurrent.futures.ProcessPoolExecutor.submit": _submit, "multiprocessing.pool.ThreadPool.map": _map,
    "concurrent.futures.ThreadPoolExecutor.map": _map, "concurrent.futures.ProcessPoolExecutor.map": _map,
    "multiprocessing.Pool.map": _map, "multiprocessing.Pool.starmap": _star_map,
    "asyncio.to_thread": _at_once, "*.run_in_executor": _in_executor, "threading.Thread": _thread,
    "threading.Timer": _thread, "multiprocessing.Process": _thread, "asyncio.gather": _gather,
    "asyncio.create_task": _first, "asyncio.ensure_future": _first, "asyncio.wait_for": _first,
    "asyncio.shield": _first, "asyncio.run": _first, "*.create_task": _first, "*.run_until_complete": _first,
    "asyncio.TaskGroup.create_task": _first, "operator.itemgetter": _item_getter,
    "operator.attrgetter": _attribute_getter, "atexit.register": _registered, "*.call_soon": _registered,
    "asyncio.run_coroutine_threadsafe": _first, "asgiref.sync.sync_to_async": _first,
    "asgiref.sync.async_to_sync": _first, "starlette.concurrency.run_in_threadpool": _at_once,
    "fastapi.BackgroundTasks.add_task": _at_once, "starlette.background.BackgroundTasks.add_task": _at_once,
    "starlette.background.BackgroundTask": _at_once, "django.db.transaction.on_commit": _at_once,
    "fastapi.concurrency.run_in_threadpool": _at_once, "contextvars.Context.run": _at_once,
    "functools.lru_cache": _first, "functools.cache": _first, "functools.wraps": lambda *_: UNKNOWN,
}  # fmt: skip
