"""Functions on the way of a statement: helpers that run what they are given, builders that return it."""

from __future__ import annotations

import ast
from dataclasses import replace

from burnish.fixers._locals import (
    Function,
    fresh_name,
    function_of,
    inside,
    line_before,
    parameters,
    statement_of,
)
from burnish.fixers._python import Edit, Module, NotRepaired, dotted
from burnish.fixers._scene import Scene
from burnish.fixers._sql_carrier import Carrier
from burnish.fixers._sql_text import Dialect, Mark
from burnish.fixers._written import one_line

_HARMLESS = frozenset({"staticmethod", "classmethod", "contextmanager", "contextlib.contextmanager"})


def caller_of(scene: Scene, carrier: Carrier, function: Function) -> tuple[list[Edit], Carrier]:
    """What lets a helper take values beside the statement, and the call of it that passes the statement."""
    assert isinstance(carrier.query, ast.Name)
    module = scene.module(carrier.file)
    taken, edits = function.args, list[Edit]()
    spread = (
        taken.vararg is not None
        and isinstance(carrier.given, ast.Name)
        and carrier.given.id == taken.vararg.arg
    )
    if spread:
        assert taken.vararg is not None
        name = taken.vararg.arg
    elif isinstance(carrier.given, ast.Name) and any(
        one.arg == carrier.given.id for one in parameters(function)
    ):
        name = carrier.given.id
    else:
        edits, name = _extended(scene, module, carrier, function)
    file, call = _call_of(scene, function)
    return edits, _passing(scene, (file, call), function, replace(carrier, keyword=name, spread=spread))


def _call_of(scene: Scene, function: Function) -> tuple[str, ast.Call]:
    on_the_way = scene.callers(function)
    found = on_the_way or scene.everywhere(function.name)
    if not found or (not on_the_way and len(found) > 1):
        raise NotRepaired("who passes the statement cannot be told")
    return found[0]


def _extended(scene: Scene, module: Module, carrier: Carrier, function: Function) -> tuple[list[Edit], str]:
    """One more parameter, with a default, so that all other callers stay right."""
    taken = function.args
    if carrier.given is not None or taken.vararg or taken.kwarg or taken.kwonlyargs:
        raise NotRepaired("the helper takes its arguments in an unusual way")
    if any(
        dotted(one.func if isinstance(one, ast.Call) else one) not in _HARMLESS
        for one in function.decorator_list
    ):
        raise NotRepaired("the helper has decorators")
    if isinstance(module.parents[function], ast.ClassDef) and _is_shared(scene, function):
        raise NotRepaired("several classes have such a method")
    name = fresh_name(function, "params")
    last = [*taken.posonlyargs, *taken.args][-1]
    end = module.end(taken.defaults[-1]) if taken.defaults else module.end(last)
    # Some drivers look for `%` as soon as there are values, however few; sqlite wants a sequence.
    nothing = "()" if carrier.dialect.mark is Mark.QUESTION else "None"
    written = f", {name}{_annotation(module, last, nothing)}{nothing}"
    return [Edit(end, end, written), *carrier.add(module, name)], name


def _annotation(module: Module, beside: ast.arg, nothing: str) -> str:
    if beside.annotation is None:
        return "="
    return ": tuple[object, ...] = " if nothing == "()" else ": object = "


def _is_shared(scene: Scene, function: Function) -> bool:
    """Whether another class has a method of that name, which may stand in for this one."""
    count = sum(
        isinstance(node, Function) and node.name == function.name
        for file in scene.mentioning(function.name)
        for node in ast.walk(scene.module(file).tree)
    )
    return count > 1


def _passing(scene: Scene, call: tuple[str, ast.Call], function: Function, carrier: Carrier) -> Carrier:
    """The call of a helper as what brings the statement."""
    file, holder = call
    assert isinstance(carrier.query, ast.Name)
    if any(isinstance(one, ast.Starred) for one in holder.args) or any(
        one.arg is None for one in holder.keywords
    ):
        raise NotRepaired("what is passed cannot be told")
    places = [one.arg for one in [*function.args.posonlyargs, *function.args.args]]
    if isinstance(scene.module(carrier.file).parents[function], ast.ClassDef) and not _is_static(function):
        places = places[1:]
    query = _passed(holder, places, carrier.query.id)
    if query is None:
        raise NotRepaired("the statement is not passed there")
    given = _passed(holder, places, carrier.keyword)
    behind = len(holder.args) == places.index(carrier.query.id) + 1 and query in holder.args
    if carrier.spread:
        if not behind:
            raise NotRepaired("where the new values belong cannot be told")
        return Carrier(file, holder, query, carrier.dialect, None, "", spread=True)
    follows = behind and (
        carrier.keyword not in places or places.index(carrier.keyword) == places.index(carrier.query.id) + 1
    )
    last = places.index(carrier.query.id) == len(places) - 1 or carrier.keyword in places
    by_name = "" if follows and last else carrier.keyword
    return Carrier(file, holder, query, carrier.dialect, given, by_name)


def _is_static(function: Function) -> bool:
    return any(dotted(one) == "staticmethod" for one in function.decorator_list)


def _passed(call: ast.Call, places: list[str], name: str) -> ast.expr | None:
    for one in call.keywords:
        if one.arg == name:
            return one.value
    if name in places and places.index(name) < len(call.args):
        return call.args[places.index(name)]
    return None


def returned(scene: Scene, carrier: Carrier, built_by: tuple[str, Function]) -> list[Carrier]:
    """Each return of a builder as what brings the statement; only where nobody else calls the builder."""
    file, function = built_by
    if carrier.given is not None or carrier.named:
        raise NotRepaired("where the new values belong cannot be told")
    mentions = sum(
        (isinstance(node, ast.Name) and node.id == function.name)
        or (isinstance(node, ast.Attribute) and node.attr == function.name)
        for name in scene.mentioning(function.name)
        for node in ast.walk(scene.module(name).tree)
    )
    if (
        mentions != 1
        or function.decorator_list
        or any(isinstance(one, ast.Yield) for one in inside(function))
    ):
        raise NotRepaired("others use what the function returns")
    found = [node for node in inside(function) if isinstance(node, ast.Return)]
    if len(found) != 1 or found[0].value is None or isinstance(function, ast.AsyncFunctionDef):
        raise NotRepaired("the function returns different things")
    return [Carrier(file, found[0], found[0].value, carrier.dialect)]


def annotated(module: Module, function: Function, dialect: Dialect) -> list[Edit]:
    """The annotation of a builder that now returns two things."""
    if function.returns is None:
        return []
    if dotted(function.returns) != "str":
        raise NotRepaired("the annotation of the function would be wrong")
    kind = "list[object]" if dialect.opening == "[" else "tuple[object, ...]"
    return [Edit(module.start(function.returns), module.end(function.returns), f"tuple[str, {kind}]")]


def unpacked(module: Module, carrier: Carrier, call: ast.Call, place: ast.expr) -> list[Edit]:
    """Take the statement and the values of a builder apart: `run(*build(x))`, or in a line before."""
    start = module.start(place)
    last = isinstance(carrier.holder, ast.Call) and carrier.holder.args[-1:] == [carrier.query]
    if last and not carrier.keyword:
        return [Edit(start, start, "*")]
    statement = statement_of(module, place)
    later = (ast.Lambda, ast.BoolOp, ast.IfExp, ast.comprehension, ast.GeneratorExp, ast.ListComp, ast.While)
    if place is not call or any(
        isinstance(node, later) for node in (statement, *_between(module, place, statement))
    ):
        raise NotRepaired("where the new values belong cannot be told")
    scope = function_of(module, place)
    query, values = fresh_name(scope, "query"), fresh_name(scope, "params")
    return [
        line_before(module, statement, f"{query}, {values} = {one_line(module.source(call))}"),
        Edit(start, module.end(place), query),
        *carrier.add(module, values),
    ]


def _between(module: Module, node: ast.AST, statement: ast.stmt) -> list[ast.AST]:
    found = []
    for parent in module.above(node):
        if parent is statement:
            break
        found.append(parent)
    return found
