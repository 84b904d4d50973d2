"""Functions of the tree, followed into: arguments to names, the body run, what came back."""

from __future__ import annotations

import ast

from burnish.analysers.taint.finding import inheriting
from burnish.analysers.taint.handlers import typed
from burnish.analysers.taint.memory.frame import Arguments, Frame, named
from burnish.analysers.taint.memory.inside import carries, parts
from burnish.analysers.taint.memory.lending import lend
from burnish.analysers.taint.memory.things import Class, Function, Obj, unordered
from burnish.analysers.taint.memory.values import HARMLESS, NEVER, TAINTED, UNKNOWN, Value, join, join_all, of

# How many times further, through functions of how many plain statements.
DEEPER, HANDS_ON = 3, 4
_BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.Try, ast.With, ast.AsyncWith, ast.Match, ast.ClassDef)
_PLAIN_BASES = frozenset({"builtins.object", "typing.NamedTuple", "collections.namedtuple", "abc.ABC"})
_TEXTS = frozenset({"builtins.str", "builtins.bytes", "collections.UserString"})
RECORDS = frozenset({"namedtuple", "NamedTuple"})
PLAIN_RESULTS = ("contextmanager", "asynccontextmanager")


def invoke(at: Frame, function: Function, given: Arguments, node: ast.AST) -> Value:
    """The result of a call; without going in where we are in it already, or too deep."""
    known = at.engine.remembered
    if _counts_down(at, function, given):
        given = _any_count(given)
    elif _too_deep(at, function, given) or _inside(at, function):
        known.cuts += 1
        cut = not_followed(at, function, given, node)
        if cut.taints and not _inside(at, function):
            why = f"{function.name}(): untrusted data arrives more than {at.depth} calls deep"
            at.engine.report.left_out(function.module.file, getattr(function.node, "lineno", 1), why)
        return cut
    short = at.engine.summaries.of_call(at, function, given, _result)
    if short is not None:
        return short
    key = known.key(at, function, given)
    found = known.find(at, key) if key is not None else None
    if found is None:
        inner = Frame(at.engine, function.module, function, at.depth + 1)
        if at.function is not None:
            inner.callers = (*at.callers, at.function.node)
        before = known.counted(at)
        bind(at, inner, given, node)
        found = _result(at, inner, node)
        if key is not None and not inner.raised.taints:
            known.keep(at, key, found, at.heap.since(inner.mark), before)
    return _back(at, found, function.name, node)


def _back(at: Frame, result: Value, name: str, node: ast.AST) -> Value:
    return at.moved(result, node, note=f"comes back from {name}()")


def run(at: Frame, inner: Frame, node: ast.AST) -> Value:
    return _back(at, _result(at, inner, node), inner.function.name if inner.function else "the module", node)


def _result(at: Frame, inner: Frame, node: ast.AST) -> Value:
    body = inner.function.node.body if inner.function else []
    if isinstance(body, list):
        inner.run(body)
    else:
        inner.exits.append((inner.value(body), at.heap.since(inner.mark)))
        inner.live = False
    result = inner.result()
    if inner.raised.taints and at is not inner:
        at.raised = join(at.raised, at.step(inner.raised, node))
    return _generated(inner) if inner.yields is not None else result


def _generated(inner: Frame) -> Value:
    assert inner.yields is not None and inner.function is not None
    if inner.function.marks & set(PLAIN_RESULTS):
        return inner.yields
    return of(unordered("generator", inner.yields))


def name_of(inner: Frame) -> str:
    return f"{inner.function.name}()" if inner.function else "the module"


def _inside(at: Frame, function: Function) -> bool:
    return function.node in at.callers or (at.function is not None and at.function.node is function.node)


def _too_deep(at: Frame, function: Function, given: Arguments) -> bool:
    """Untrusted data is followed further where functions do little more than hand it on."""
    limit, body = at.engine.budget.calls, function.node.body
    if at.depth < limit:
        return False
    if at.depth >= DEEPER * limit or not isinstance(body, list) or len(body) > HANDS_ON:
        return True
    return any(isinstance(one, _BLOCKS) for one in body) or not any(carries(one) for one in given.all())


def _counts_down(at: Frame, function: Function, given: Arguments) -> bool:
    """The first time that a function comes to itself with untrusted data and a number that decides when to
    end: what it does then is not seen with the number it was called with first."""
    if at.depth >= at.engine.budget.calls or not any(_is_count(value) for value in given.all()):
        return False
    inside = [*at.callers, *([at.function.node] if at.function else [])]
    return inside.count(function.node) == 1 and any(carries(value) for value in given.all())


def _is_count(value: Value) -> bool:
    return bool(value.consts) and all(isinstance(const, int) for const in value.consts or ())


def _any_count(given: Arguments) -> Arguments:
    made = Arguments([_blurred(value) for value in given.positional])
    made.keywords = {name: _blurred(value) for name, value in given.keywords.items()}
    made.star, made.stars = given.star, given.stars
    return made


def _blurred(value: Value) -> Value:
    return HARMLESS if _is_count(value) and not value.taints else value


def not_followed(at: Frame, function: Function, given: Arguments, node: ast.AST) -> Value:
    """What goes in may come out; nothing is known of what happens inside."""
    inputs = [parts(value) for value in (*given.all(), *([function.bound] if function.bound else []))]
    taints = at.passed(*inputs, node=node, doubts=1)
    lend(at, given.all())
    return Value(taints, shape=TAINTED if taints else "\x00")


def bind(at: Frame, inner: Frame, given: Arguments, node: ast.AST) -> None:
    """Arguments to parameters, as Python does; what is left goes to `*args` and `**kwargs`."""
    function = inner.function
    assert function is not None
    args = function.node.args
    names = [one.arg for one in (*args.posonlyargs, *args.args)]
    positional = [function.bound, *given.positional] if function.bound is not None else list(given.positional)
    keywords = dict(given.keywords)
    note = f"is passed to {function.name}()"
    for name in names:
        value = positional.pop(0) if positional else _missing(function, name, keywords, given)
        inner.names[name] = _argument(at, value, given, node, note)
    for one in args.kwonlyargs:
        value = _missing(function, one.arg, keywords, given)
        inner.names[one.arg] = _argument(at, value, given, node, note)
    if args.vararg:
        rest = join_all([*positional, *([given.star] if given.star else [])])
        holder = Obj("tuple")
        holder.table["rest" if given.star else "items"] = rest if given.star else tuple(positional)
        inner.names[args.vararg.arg] = of(holder)
    if args.kwarg:
        holder = Obj("dict")
        holder.table |= {("k", name): value for name, value in keywords.items()}
        if given.stars:
            holder.table["rest"] = given.stars
        inner.names[args.kwarg.arg] = of(holder)


def _argument(at: Frame, value: Value, given: Arguments, node: ast.AST, note: str) -> Value:
    """A value that was given by its name keeps it: what a check of the parameter finds out holds for both."""
    if not value.taints:
        return value
    moved = at.moved(value, node, note)
    return moved if given.written and moved.proof is not None and moved.proof.subject else named(moved)


def _missing(function: Function, name: str, keywords: dict[str, Value], given: Arguments) -> Value:
    """What was given by name, stands behind a star, or is the default."""
    if name in keywords:
        return keywords.pop(name)
    value = function.defaults.get(name, NEVER)
    for star in (given.star, given.stars):
        if star is not None:
            value = join(value, star)
    return UNKNOWN if value is NEVER else value


def instantiate(at: Frame, cls: Class, given: Arguments, node: ast.AST) -> Value:
    made = Obj("instance", cls, getattr(node, "lineno", 0))
    itself = _of_foreign(at, cls, made, given, node)
    start = cls.find("__init__")
    starters = [ref for ref in start.refs if isinstance(ref, Function)] if start else []
    for starter in starters:
        invoke(at, starter.bind(itself), given, node)
    if not starters:
        _fields(at, cls, made, given, node)
        inheriting.made(at, cls, itself, given, node)
    return itself


def _of_foreign(at: Frame, cls: Class, made: Obj, given: Arguments, node: ast.AST) -> Value:
    """An instance; a text is what it is given; of what a class from outside does nothing is sure."""
    foreign = [name for name in cls.foreign() if name not in _PLAIN_BASES]
    if not foreign:
        return of(made)
    text = given.get(0) if foreign[0] in _TEXTS else None
    if text is None:
        return of(made, sure=False)
    return Value(at.step(text, node).taints, None, (made,), text.shape, sure=False)


def _fields(at: Frame, cls: Class, made: Obj, given: Arguments, node: ast.AST) -> None:
    """A class without a constructor of ours: dataclasses, models, named tuples take their fields in order."""
    fields = [
        (statement.target.id, statement.value)
        for one in reversed(cls.line_of_bases())
        for statement in one.node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    ]
    names = list(dict.fromkeys(name for name, _ in fields))
    for name, default in fields:
        factory = _factory(default)
        if factory is not None:
            made.table[f".{name}"] = at.engine.call(at, at.value(factory), Arguments(), node)
    for name, value in (*zip(names, given.positional, strict=False), *given.keywords.items()):
        made.table[f".{name}"] = at.moved(value, node)
    if given.stars is not None:
        for name in names:
            made.table.setdefault(f".{name}", given.stars)
    typed.converted(at, cls, made)
    if given.stars is not None or given.star is not None:
        made.table["rest"] = join(given.star or NEVER, given.stars or NEVER)
    if any(name.rpartition(".")[2] in RECORDS for name in cls.foreign()):
        values = (made.table.get(f".{name}", cls.find(name) or UNKNOWN) for name in names)
        made.table["items"] = tuple(values)
    prepare = cls.find("__post_init__")
    for ref in prepare.refs if prepare else ():
        if isinstance(ref, Function):
            invoke(at, ref.bind(of(made)), Arguments(), node)


def _factory(default: ast.expr | None) -> ast.expr | None:
    """`field(default_factory=...)`."""
    for keyword in default.keywords if isinstance(default, ast.Call) else ():
        if keyword.arg in ("default_factory", "factory"):
            return keyword.value
    return None
