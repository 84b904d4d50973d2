"""Data turned into text: json, templates, configuration files; constants are computed."""

from __future__ import annotations

import ast
import base64
import binascii
import string
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from burnish.analysers.taint.library.members import element
from burnish.analysers.taint.memory import texts
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import (
    HOLE,
    NONE,
    TAINTED,
    UNKNOWN,
    Value,
    capped,
    constant,
    join,
    of,
)


def remembered(name: str, given: Arguments, result: Value) -> Value:
    """Text that still knows what it was made of, for whoever turns it back."""
    value = given.get(0) or given.get("obj")
    if name not in _ENCODERS or value is None or not (value.taints or value.refs):
        return result
    made = Obj("encoded")
    made.table[".of"] = value
    return replace(result, refs=(made,))


def decoded(value: Value) -> Value | None:
    for ref in value.refs:
        if isinstance(ref, Obj) and ref.kind == "encoded":
            found: Value = ref.table[".of"]
            return found
    return None


def _dumps(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    whole = parts(given.get(0) or given.get("obj") or UNKNOWN)
    taints = at.passed(whole, node=node)
    return Value(taints, None, (), TAINTED if taints else HOLE, whole.sure)


def _template(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    made = Obj("template")
    made.table[".template"] = given.get(0) or UNKNOWN
    return of(made)


def substitute(at: Frame, ref: Obj, name: str, given: Arguments, node: ast.AST) -> Value:
    """`Template(text).substitute(...)`: only what the text asks for is put in."""
    text: Value = ref.table[".template"]
    shape, used = text.shape if text.text is None else text.text, [text]
    names = {found["named"] or found["braced"] for found in string.Template.pattern.finditer(shape)}
    for wanted in sorted(one for one in names if one):
        value = given.keywords.get(wanted)
        if value is None and given.positional:
            value = element(at, given.positional[0], constant(wanted), node)
        value = value or given.stars or UNKNOWN
        used.append(parts(value))
        hole = texts.hole(parts(value))
        shape = shape.replace(f"${{{wanted}}}", hole).replace(f"${wanted}", hole)
    taints = at.passed(*used, node=node)
    if not taints and all(value.is_const for value in used):
        return constant(shape)
    return Value(taints, None, (), capped(shape), all(value.sure for value in used))


def _config(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    return of(Obj("config"))


def config_method(at: Frame, ref: Obj, name: str, given: Arguments, node: ast.AST) -> Value:
    """Sections are dicts of their options."""
    section, option = given.get(0) or UNKNOWN, given.get(1) or UNKNOWN
    if name == "add_section":
        ref.set_at(at.heap, section, of(Obj("dict")))
        return NONE
    if name == "set":
        for one in _section(ref, section).refs:
            if isinstance(one, Obj):
                one.set_at(at.heap, option, given.get(2) or UNKNOWN)
        return NONE
    if name in ("get", "getint", "getboolean", "getfloat"):
        found = element(at, _section(ref, section), option, node)
        fallback = given.get("fallback")
        return found if fallback is None else join(found, fallback)
    if name in ("read", "read_file", "read_string", "read_dict"):
        whole = parts(section)
        at.heap.put(ref.table, "rest", join(ref.rest(), Value(at.passed(whole, node=node), sure=False)))
        return NONE
    if name == "items":
        return _section(ref, section)
    return UNKNOWN


def _section(ref: Obj, section: Value) -> Value:
    return ref.at(section.const) if section.is_const else ref.everything()


def pure(function: Callable[[Any], Any]) -> Callable[..., Value]:
    """Computed for a constant; for the rest what goes in comes out."""

    def model(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
        value = given.get(0) or given.get("string") or given.get("s") or UNKNOWN
        before = decoded(value)
        if before is not None:
            return at.step(before, node)
        if value.is_const and isinstance(value.const, str | bytes) and len(given.all()) == 1:
            try:
                return constant(function(value.const))
            except (ValueError, TypeError):
                return UNKNOWN
        whole = parts(value)
        taints = at.passed(whole, node=node)
        return Value(taints, None, (), TAINTED if taints else HOLE, whole.sure)

    return model


def _print(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`print(..., file=stream)` writes."""
    target = given.get("file")
    for ref in target.refs if target is not None else ():
        if isinstance(ref, Obj):
            for value in (*given.positional, *([given.star] if given.star else [])):
                ref.add(at.heap, value)
    return NONE


# Calls that others undo.
_ENCODERS = frozenset({
    "json.dumps", "binascii.hexlify", "base64.b64encode", "base64.urlsafe_b64encode", "base64.b32encode",
    "base64.b16encode", "binascii.b2a_base64", "urllib.parse.quote", "urllib.parse.quote_plus", "html.escape",
})  # fmt: skip
CALLS = {"template": substitute, "config": config_method}
FUNCTIONS = {
    "json.dumps": _dumps, "string.Template": _template, "builtins.print": _print,
    "configparser.ConfigParser": _config, "configparser.RawConfigParser": _config,
    "configparser.SafeConfigParser": _config, "base64.b64encode": pure(base64.b64encode),
    "base64.b32encode": pure(base64.b32encode), "base64.urlsafe_b64encode": pure(base64.urlsafe_b64encode),
    "base64.b16encode": pure(base64.b16encode), "binascii.hexlify": pure(binascii.hexlify),
    "binascii.b2a_base64": pure(binascii.b2a_base64), "textwrap.dedent": pure(lambda text: text),
    "sys.intern": pure(lambda text: text),
}  # fmt: skip
