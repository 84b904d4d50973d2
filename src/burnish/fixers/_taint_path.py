"""Paths with untrusted names in them: checked to stay in their folder before they are used."""

from __future__ import annotations

import ast

from burnish.fixers._locals import bindings, fresh_name, function_of, only_value, value_given
from burnish.fixers._names import bring, packages, qualified
from burnish.fixers._pieces import Slot
from burnish.fixers._python import Edit, Module, NotRepaired, dotted
from burnish.fixers._refusal import indent_of, margin_before, refused, statement_to_guard
from burnish.fixers._scene import Changes, Scene
from burnish.fixers._strings import read
from burnish.fixers._written import literal, one_line

# They say the same of a path in another way.
_SAME = frozenset(
    {"os.path.normpath", "os.path.abspath", "os.path.realpath", "os.path.expanduser", "str", "pathlib.Path"}
)
_WAYS = frozenset({"resolve", "absolute", "expanduser", "as_posix"})
WHY = "the path leads out of its folder"


def upload_name(scene: Scene) -> Changes:
    """The name of an upload through `secure_filename()`, where werkzeug is there anyway."""
    module = scene.sink
    if packages(module).isdisjoint({"flask", "werkzeug"}):
        raise NotRepaired("werkzeug is not used here")
    for call in scene.calls(scene.file, scene.line):
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "save" or len(call.args) != 1:
            continue
        own = f"{dotted(call.func.value)}.filename"
        path = _resolved(module, call.args[0])
        _refuse_reduced(path)
        found = [node for node in ast.walk(path) if isinstance(node, ast.Attribute) and dotted(node) == own]
        if len(found) == 1 and not any(isinstance(one, ast.JoinedStr) for one in module.above(found[0])):
            imports, name = bring(module, "werkzeug.utils", "secure_filename")
            node = found[0]
            return {scene.file: [Edit(module.start(node), module.end(node), f"{name}({own})"), *imports]}
    raise NotRepaired("no upload is saved there")


def kept_inside(scene: Scene) -> Changes:
    """`open(join(BASE, name))` with a check before it that the path is in BASE."""
    module = scene.sink
    for call in scene.calls(scene.file, scene.line):
        receiver = [call.func.value] if isinstance(call.func, ast.Attribute) else []
        way = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if qualified(module, call.func) in (*_SAME, "os.path.join") or way in (*_WAYS, "is_relative_to"):
            continue
        for node in [*call.args, *(one.value for one in call.keywords), *receiver]:
            try:
                base = base_of(module, node)
            except NotRepaired:
                continue
            return {scene.file: _guarded(module, node, base)}
    raise NotRepaired("which folder is meant cannot be told")


def _guarded(module: Module, node: ast.expr, base: str) -> list[Edit]:
    statement = statement_to_guard(module, node)
    edits: list[Edit] = []
    lines: list[str] = []
    if isinstance(node, ast.Name):
        name = node.id
        _refuse_checked(module, node)
    else:
        name = fresh_name(function_of(module, node), "path")
        lines += _hoisted(module, node, name)
        edits.append(Edit(module.start(node), module.end(node), name))
    is_path = _is_path(module, node)
    imports, path = bring(module, "pathlib", "Path") if "Path(" in base or not is_path else ([], "Path")
    told = base.replace("Path(", f"{path}(")
    resolved = f"{name}.resolve()" if is_path else f"{path}({name}).resolve()"
    more, refusal = refused(module, WHY)
    margin, inner = margin_before(module, statement), indent_of(module, statement)
    lines += [f"if not {resolved}.is_relative_to({told}.resolve()):"]
    text = "".join(f"{margin}{line}{module.newline}" for line in lines) + f"{inner}{refusal}{module.newline}"
    place = module.starts[statement.lineno - 1]
    return [Edit(place, place, text), *edits, *imports, *more]


def _refuse_checked(module: Module, name: ast.Name) -> None:
    for one in ast.walk(function_of(module, name)):
        checks = (
            isinstance(one, ast.Call)
            and isinstance(one.func, ast.Attribute)
            and one.func.attr == "is_relative_to"
        )
        if checks and any(isinstance(part, ast.Name) and part.id == name.id for part in ast.walk(one)):
            raise NotRepaired("it is checked already")


def _hoisted(module: Module, node: ast.expr, name: str) -> list[str]:
    """The path in a line of its own, and before it what it takes from the request."""
    start, source = module.start(node), one_line(module.source(node))
    asked = [one for one in ast.walk(node) if isinstance(one, ast.Subscript | ast.Call) and _is_asked(one)]
    if len(asked) != 1 or any(isinstance(one, ast.JoinedStr) for one in ast.walk(node)):
        return [f"{name} = {source}"]
    first, last = module.start(asked[0]) - start, module.end(asked[0]) - start
    own = fresh_name(function_of(module, node), "name")
    return [f"{own} = {source[first:last]}", f"{name} = {source[:first]}{own}{source[last:]}"]


def _is_asked(node: ast.Subscript | ast.Call) -> bool:
    """`request.args["name"]` and `request.args.get("name")`."""
    if isinstance(node, ast.Subscript):
        return dotted(node.value).startswith("request.")
    return (
        isinstance(node.func, ast.Attribute)
        and node.func.attr == "get"
        and dotted(node.func).startswith("request.")
    )


def _is_path(module: Module, node: ast.expr) -> bool:
    for _ in range(6):
        if isinstance(node, ast.Name):
            node = only_value(module, node)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Div)
    if not isinstance(node, ast.Call):
        return False
    way = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    return qualified(module, node.func) == "pathlib.Path" or way in ("resolve", "absolute", "expanduser")


def base_of(module: Module, node: ast.expr) -> str:
    """The folder that a path begins with, as code."""
    value = _resolved(module, node)
    _refuse_reduced(value)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div):
        return _divided(module, value)
    if isinstance(value, ast.Call) and qualified(module, value.func) == "os.path.join":
        return _joined(module, value)
    built = read(module, value)
    return _written(module, built.parts)


def _refuse_reduced(path: ast.expr) -> None:
    for node in ast.walk(path):
        name = dotted(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
        if name in ("secure_filename", "basename"):
            raise NotRepaired("the name is reduced already")


def _resolved(module: Module, node: ast.expr) -> ast.expr:
    """What a path was made of, behind variables and what only writes it in another way."""
    for _ in range(6):
        if isinstance(node, ast.Name):
            node = only_value(module, node)
        elif isinstance(node, ast.Call) and qualified(module, node.func) in _SAME and len(node.args) == 1:
            node = node.args[0]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _WAYS:
            node = node.func.value
        else:
            break
    return node


def _divided(module: Module, node: ast.BinOp) -> str:
    """`BASE / "a" / name`: all before the first value that is not fixed."""
    parts: list[ast.expr] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp) and isinstance(left.op, ast.Div):
        parts.insert(0, left.right)
        left = left.left
    return _fixed(module, [left, *parts], " / ")


def _joined(module: Module, call: ast.Call) -> str:
    if call.keywords or len(call.args) < 2:
        raise NotRepaired("which folder is meant cannot be told")
    return f"Path({_fixed(module, call.args, ', ')})"


def _fixed(module: Module, parts: list[ast.expr], between: str) -> str:
    found: list[str] = []
    for part in parts:
        if not is_fixed(module, part):
            break
        found.append(one_line(module.source(part)))
    if not found or len(found) == len(parts):
        raise NotRepaired("which folder is meant cannot be told")
    told = between.join(found)
    return f"({told})" if between == " / " and len(found) > 1 else told


def _written(module: Module, parts: tuple[str | Slot, ...]) -> str:
    """The text before the first value, up to its last slash."""
    before: list[str | Slot] = []
    for part in parts:
        if isinstance(part, Slot) and not is_fixed(module, part.node):
            break
        before.append(part)
    else:
        raise NotRepaired("which folder is meant cannot be told")
    last = before[-1] if before else ""
    if not isinstance(last, str) or "/" not in last:
        raise NotRepaired("which folder is meant cannot be told")
    folder = last.rpartition("/")[0]
    told = [*before[:-1], *([folder] if folder else [])]
    if not told or told == ["/"]:
        raise NotRepaired("which folder is meant cannot be told")
    only = told[0]
    return f"Path({only.code if len(told) == 1 and isinstance(only, Slot) else literal(told)})"


def is_fixed(module: Module, node: ast.expr) -> bool:
    """Whether the program decides on it: a text, a constant, a setting, what the object was made with."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.Name):
        if node.id == "__file__":
            return True
        given = bindings(module.tree, node.id)
        # A name of the module that is also a local one here would be given there.
        local = node in module.parents and bindings(function_of(module, node), node.id)
        of_module = len(given) == 1 and value_given(module, given[0]) is not None
        return of_module and (not local or function_of(module, node) is module.tree)
    if isinstance(node, ast.Subscript):
        return dotted(node.value).endswith(("config", "settings")) and isinstance(node.slice, ast.Constant)
    if isinstance(node, ast.Attribute):
        root = dotted(node).split(".")[0]
        return root in (
            "settings",
            "self",
            "cls",
            "config",
            "app",
            "current_app",
        ) and "request" not in dotted(node)
    if isinstance(node, ast.Call) and qualified(module, node.func) in (
        *_SAME,
        "os.path.dirname",
        "os.path.join",
    ):
        return bool(node.args) and all(is_fixed(module, one) for one in node.args)
    return False
