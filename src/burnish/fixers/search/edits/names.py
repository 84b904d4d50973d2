"""Names: another variable, attribute or function in its place, and a forgotten `self.`."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files as resources

from burnish.fixers._python import Edit
from burnish.fixers.search._code import BUILTINS, Code
from burnish.fixers.search._roles import alike, odds
from burnish.fixers.search.edits._proposal import Proposal

MOST_NAMES = 16
MOST_ATTRIBUTES = 12
# Where partners that have to be imported come from.
SAME_MODULE = {
    name: (module,)
    for module, names in {
        "bisect": ("bisect_left", "bisect_right", "bisect", "insort"),
        "heapq": ("heappush", "heappop", "heappushpop", "heapreplace", "nlargest", "nsmallest"),
        "itertools": ("permutations", "combinations", "product", "combinations_with_replacement",
                      "zip_longest", "takewhile", "dropwhile", "filterfalse"),
        "math": ("floor", "ceil", "trunc", "sin", "cos", "tan", "log", "log2", "log10", "log1p"),
        "statistics": ("mean", "median", "mode", "fmean", "stdev", "pstdev", "variance", "pvariance"),
        "copy": ("copy", "deepcopy"),
    }.items()
    for name in names
}  # fmt: skip


@cache
def partners() -> dict[str, tuple[str, ...]]:
    """Who is mistaken for whom, from partners.toml."""
    told = tomllib.loads(resources("burnish.fixers.search.edits").joinpath("partners.toml").read_text("utf8"))
    found: dict[str, dict[str, None]] = {}
    for group in told["groups"]:
        for name in group:
            found.setdefault(name, {}).update(dict.fromkeys(other for other in group if other != name))
    return {name: tuple(others) for name, others in found.items()}


def variable(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """Another variable that has a value here."""
    if not isinstance(node, ast.Name) or isinstance(node.ctx, ast.Del):
        return
    if isinstance(node.ctx, ast.Store):
        yield from _target(code, node)
        return
    called = isinstance(above := code.parent(node), ast.Call) and above.func is node
    names = [name for name in code.values_at(node) if name != node.id]
    if called or node.id in _types(code) or (node.id in BUILTINS and node.id not in names):
        return
    for name in names[:MOST_NAMES]:
        yield Proposal("wrong-variable", code.instead(node, name), odds(code, node, name))
    for name in [one for one in code.globals if one != node.id and one not in names][:6]:
        yield Proposal("wrong-variable-far", code.instead(node, name))
    yield from _of_self(code, node)


def _target(code: Code, node: ast.Name) -> Iterator[Proposal]:
    if not isinstance(code.parent(node), ast.Assign | ast.AugAssign):
        return
    for name in [one for one in code.values_at(node) if one != node.id][:MOST_NAMES]:
        yield Proposal("wrong-target", code.instead(node, name))
    for name in code.attributes_of("self")[:MOST_ATTRIBUTES] if "self" in code.locals_at(node) else ():
        kind = "missing-self" if name == node.id else "wrong-target"
        yield Proposal(kind, code.instead(node, f"self.{name}"))


def _of_self(code: Code, node: ast.Name) -> Iterator[Proposal]:
    if "self" not in code.locals_at(node) or node.id == "self":
        return
    for name in code.attributes_of("self")[:MOST_ATTRIBUTES]:
        alike = name.strip("_") == node.id.strip("_")
        yield Proposal(
            "missing-self" if alike else "variable-to-attribute", code.instead(node, f"self.{name}")
        )


def _types(code: Code) -> set[str]:
    return {node.name for node in code.tree.body if isinstance(node, ast.ClassDef)}


def attribute(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """Another attribute: a partner by meaning, those of the same name, those used in the file."""
    if not isinstance(node, ast.Attribute):
        return
    called = isinstance(above := code.parent(node), ast.Call) and above.func is node
    end, start = code.end(node), code.end(node) - len(node.attr)
    if code.text[start:end] != node.attr:
        return
    base = code.said(node.value)
    known = partners().get(node.attr, ())
    for other in known:
        yield Proposal(
            "wrong-call" if called else "wrong-attribute", code.instead(node, f"{base}.{other}", tight=True)
        )
    own = code.attributes_of(node.value.id) if isinstance(node.value, ast.Name) else ()
    everywhere = _attributes(code, called=called)
    methods = {one.name for one in code.functions}
    for other in dict.fromkeys((*own, *everywhere)):
        if other == node.attr or other in known or (other in methods) != (node.attr in methods):
            continue
        kind = "wrong-attribute" if other in own else "wrong-attribute-far"
        likely = 0.6 + 0.8 * alike(node.attr, other)
        yield Proposal(kind, code.instead(node, f"{base}.{other}", tight=True), likely)
    if isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr in code.locals_at(node):
        yield Proposal("attribute-to-variable", code.instead(node, node.attr, tight=True))


def _attributes(code: Code, *, called: bool) -> list[str]:
    found: dict[str, None] = {}
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Attribute):
            above = code.parent(node)
            if (isinstance(above, ast.Call) and above.func is node) == called:
                found.setdefault(node.attr)
    return list(found)[:MOST_ATTRIBUTES]


def function(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """Another function: a partner by meaning, or one of the file that takes as many arguments."""
    if not (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)):
        return
    for other in partners().get(node.id, ()):
        if other in BUILTINS or other in _imported(code) or other in code.locals_at(node):
            yield Proposal("wrong-call", code.instead(node, other, tight=True))
        elif brought := _brought_in(code, node.id, other):
            yield Proposal("wrong-import", (*brought, *code.instead(node, other, tight=True)))
    called = isinstance(above := code.parent(node), ast.Call) and above.func is node
    if not called:
        return
    top = [one for one in code.tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    mine = next((one for one in top if one.name == node.id), None)
    for one in top:
        if mine is not None and one is not mine and len(one.args.args) == len(mine.args.args):
            yield Proposal("wrong-function", code.instead(node, one.name, tight=True))


def _brought_in(code: Code, name: str, other: str) -> tuple[Edit, ...]:
    """The import of a name as one of its partner, or of both where the name is used more than once."""
    for node in [one for one in code.tree.body if isinstance(one, ast.ImportFrom)]:
        for alias in node.names:
            if alias.name == name and alias.asname is None and node.module in SAME_MODULE.get(other, ()):
                uses = sum(isinstance(one, ast.Name) and one.id == name for one in ast.walk(code.tree))
                return code.instead(alias, other if uses == 1 else f"{other}, {name}", tight=True)
    return ()


def _imported(code: Code) -> set[str]:
    return {
        alias.asname or alias.name
        for node in code.tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def simpler(code: Code, node: ast.AST) -> Iterator[Proposal]:
    """A call, an element or a sum where a variable was meant; a variable with another added or taken away."""
    if not isinstance(node, ast.expr) or isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return
    names = code.values_at(node)[:MOST_NAMES]
    above = code.parent(node)
    if isinstance(above, ast.Call) and above.func is node:
        return
    if isinstance(node, ast.Call | ast.Subscript | ast.BinOp) and not isinstance(above, ast.Expr):
        for name in names:
            yield Proposal("expression-to-variable", code.instead(node, name))
    value = isinstance(
        above, ast.Return | ast.Assign | ast.Call | ast.Compare | ast.AugAssign | ast.Subscript | ast.Tuple
    )
    if isinstance(node, ast.Name) and value and node.id not in BUILTINS:
        for name in names:
            if name != node.id:
                likely = odds(code, node, name, instead=False)
                for sign in ("+", "-"):
                    yield Proposal("variable-added", code.instead(node, f"{node.id} {sign} {name}"), likely)
        yield Proposal("variable-doubled", code.instead(node, f"{node.id} * 2"))
    if isinstance(node, ast.Name) and isinstance(above, ast.BinOp):
        yield Proposal(
            "variable-doubled",
            code.instead(node, f"{node.id} ** 2", tight=isinstance(above.op, ast.Add | ast.Sub)),
        )
