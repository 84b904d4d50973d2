"""Filters and expressions of directories, documents and logs, with values that cannot change them."""

from __future__ import annotations

import ast
import re

from burnish.fixers._locals import bindings, constant_text, function_of, only_value, readings
from burnish.fixers._names import bring, packages
from burnish.fixers._pieces import Part, Slot, joined
from burnish.fixers._python import Edit, Module, NotRepaired, arguments
from burnish.fixers._scene import Changes, Scene
from burnish.fixers._strings import Built, read, rewritten
from burnish.fixers._taint_path import is_fixed
from burnish.fixers._texts import is_number, is_quoted, is_text
from burnish.fixers._wrapping import calling, wrapped
from burnish.fixers._written import one_line

_LOGGER = re.compile(r"(?i)log")
_SHOWN = re.compile(r"%(?P<flags>[-#0 +]*(?:\d+|\*)?(?:\.\d+)?)(?P<kind>[a-zA-Z%])")
_LEVELS = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal"})


def escaped_filter(scene: Scene) -> Changes:
    """`f"(uid={name})"` to `f"(uid={escape_filter_chars(name)})"`, and names of entries likewise."""
    module = scene.sink
    for node in _passed(scene):
        try:
            built = read(module, only_value(module, node) if isinstance(node, ast.Name) else node)
        except NotRepaired:
            continue
        if not built.slots or "=" not in built.text:
            continue
        imports, escape = _ldap(module, in_filter="(" in built.text)

        def wrap(slot: Slot, before: str, escape: str = escape) -> Slot | None:
            if is_fixed(module, slot.node) or slot.spec == "d":
                return None
            if "escape" in slot.code or not before.rstrip("\0*").endswith("="):
                raise NotRepaired("a value is not one of an attribute")
            return calling(slot, escape)

        return {scene.file: [*wrapped(module, built, wrap), *imports]}
    raise NotRepaired("no filter is put together there")


def _ldap(module: Module, *, in_filter: bool) -> tuple[list[Edit], str]:
    known = packages(module)
    if "ldap3" in known and "ldap" not in known:
        return (
            bring(module, "ldap3.utils.conv", "escape_filter_chars")
            if in_filter
            else bring(module, "ldap3.utils.dn", "escape_rdn")
        )
    if "ldap" in known and "ldap3" not in known:
        return (
            bring(module, "ldap.filter", "escape_filter_chars")
            if in_filter
            else bring(module, "ldap.dn", "escape_dn_chars")
        )
    raise NotRepaired("which library is used here cannot be told")


def _passed(scene: Scene) -> list[ast.expr]:
    return [
        node
        for call in scene.calls(scene.file, scene.line)
        for node in [*call.args, *(one.value for one in call.keywords)]
    ]


def xpath_variables(scene: Scene) -> Changes:
    """`tree.xpath(f"//user[@name='{name}']")` to `tree.xpath("//user[@name=$name]", name=name)`."""
    module = scene.sink
    if "lxml" not in packages(module):
        raise NotRepaired("only lxml has variables")
    for call in scene.calls(scene.file, scene.line):
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "xpath" or not call.args:
            continue
        node = call.args[0]
        value = only_value(module, node) if isinstance(node, ast.Name) else node
        if isinstance(node, ast.Name) and len(readings(function_of(module, node), node.id)) != 1:
            raise NotRepaired("the expression is used elsewhere too")
        built = read(module, value)
        taken = {str(one.arg) for one in call.keywords}
        parts, values = _variables(module, built, taken)
        place = module.end(arguments(module, call)[-1])
        told = "".join(f", {name}={code}" for name, code in values.items())
        return {scene.file: [*rewritten(module, built, parts), Edit(place, place, told)]}
    raise NotRepaired("there is no such call on that line")


def _variables(
    module: Module, built: Built, taken: set[str]
) -> tuple[list[tuple[Part, ...]], dict[str, str]]:
    """Each value as `$name`, without the quotes around it."""
    values: dict[str, str] = {}
    out: list[list[Part]] = [[] for _ in built.pieces]
    owed, home = "", 0
    for at, part in [(at, part) for at, piece in enumerate(built.pieces) for part in piece.parts]:
        if owed and not (isinstance(part, str) and part.startswith(owed)):
            raise NotRepaired("a value is only a part of a text")
        if isinstance(part, str):
            out[at].append(part[1:] if owed else part)
            owed, home = "", at
        elif is_fixed(module, part.node):
            out[at].append(part)
        else:
            owed = _opened(module, out[home], part, built)
            out[at].append(f"${_named(part, values, taken)}")
    if not values or owed:
        raise NotRepaired("there is no value in it")
    return [joined(one) for one in out], values


def _opened(module: Module, before: list[Part], slot: Slot, built: Built) -> str:
    """Take the quote before a value away, and tell which it was."""
    text = before[-1] if before else ""
    if not isinstance(text, str) or is_quoted(module, slot.node, built.node):
        raise NotRepaired("a value is not one that is compared")
    if text[-1:] in ("'", '"') and text[:-1].rstrip().endswith(("=", ",")):
        before[-1] = text[:-1]
        return text[-1]
    if isinstance(slot.node, ast.Call) or not text.rstrip().endswith("="):
        raise NotRepaired("a value is not one that is compared")
    return ""


def _named(slot: Slot, values: dict[str, str], taken: set[str]) -> str:
    plain = re.sub(r"\W+", "_", slot.code.split("(")[0]).strip("_") or "value"
    names = (plain, *(f"{plain}_{number}" for number in range(2, 99)))
    name = next(one for one in names if one not in {*taken, *values})
    values[name] = one_line(slot.told)
    return name


def one_line_log(scene: Scene) -> Changes:
    """Values of a log entry without line breaks; a text put together gets its values as arguments."""
    module = scene.sink
    for call in scene.calls(scene.file, scene.line):
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in (*_LEVELS, "log"):
            continue
        at = 1 if call.func.attr == "log" else 0
        if len(call.args) <= at or any(isinstance(one, ast.Starred) for one in call.args):
            continue
        message, given = call.args[at], call.args[at + 1 :]
        if given:
            return {scene.file: _arguments(module, message, given)}
        if not _LOGGER.search(module.source(call.func.value)):
            raise NotRepaired("whether it takes values beside its text cannot be told")
        return {scene.file: _message(module, message)}
    raise NotRepaired("there is no log entry on that line")


def _arguments(module: Module, message: ast.expr, given: list[ast.expr]) -> list[Edit]:
    """Clean the values that are shown as text; `%d` shows numbers only, and `%r` no line breaks."""
    text = constant_text(module, message)
    kinds = [found["kind"] for found in _SHOWN.finditer(text or "") if found["kind"] != "%"]
    if text is None or "%(" in text or len(kinds) != len(given):
        raise NotRepaired("how values are shown cannot be told")
    edits = []
    for node, kind in zip(given, kinds, strict=True):
        code = module.source(node)
        fixed = isinstance(node, ast.Constant) or is_fixed(module, node) or is_number(module, node, node)
        if kind == "s" and not fixed and ".replace(" not in code:
            plain = Slot(node, one_line(code), is_text=is_text(module, node, node))
            edits.append(Edit(module.start(node), module.end(node), _unbroken(plain)))
    if not edits:
        raise NotRepaired("there is nothing to clean")
    return edits


def _message(module: Module, message: ast.expr) -> list[Edit]:
    value = message
    if isinstance(message, ast.Name):
        if len(bindings(function_of(module, message), message.id)) != 1:
            raise NotRepaired("what is logged cannot be told")
        value = only_value(module, message)
        if len(readings(function_of(module, message), message.id)) != 1:
            raise NotRepaired("the text is used elsewhere too")
    built = read(module, value)
    parts: list[list[Part]] = []
    values: list[str] = []
    for piece in built.pieces:
        mine: list[Part] = []
        for part in piece.parts:
            if isinstance(part, str):
                mine.append(part.replace("%", "%%"))
            elif part.conversion not in ("", "s") or part.spec not in ("", "d"):
                raise NotRepaired("how a value is shown is decided here")
            else:
                plain = (
                    part.spec == "d"
                    or is_fixed(module, part.node)
                    or is_number(module, part.node, built.node)
                )
                values.append(one_line(part.code) if plain else _unbroken(part))
                mine.append("%s")
        parts.append(mine)
    if not values:
        raise NotRepaired("there is nothing to clean")
    end = module.end(message)
    return [
        *rewritten(module, built, [joined(one) for one in parts]),
        Edit(end, end, ", " + ", ".join(values)),
    ]


def _unbroken(slot: Slot) -> str:
    code = slot.told
    if ".replace(" in code:
        raise NotRepaired("a value is cleaned already")
    simple = re.fullmatch(r"[\w.]+|\w[\w.]*\(.*\)|[\w.]+\[[^\]]*\]", code)
    return f'{code if simple else f"({code})"}.replace("\\r", "").replace("\\n", "")'
