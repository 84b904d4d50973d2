"""Command lines: which options can be any text, and which are numbers, flags or choices."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from burnish.analysers.taint.handlers import typed
from burnish.analysers.taint.handlers.annotations import Asker
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.state import put
from burnish.analysers.taint.memory.things import Function, Obj, sequence
from burnish.analysers.taint.memory.values import (
    HARMLESS,
    NUMBER,
    TAINTED,
    UNPROVED,
    Cell,
    External,
    Origin,
    Taint,
    Value,
    constant,
    of,
)

if TYPE_CHECKING:
    from burnish.analysers.taint.memory.frame import Arguments, Engine, Frame

_FLAGS = frozenset({"store_true", "store_false", "store_const", "count", "append_const", "version", "help"})
_NUMBERS = ("builtins.int", "builtins.float", "builtins.bool", "datetime.", "decimal.", "uuid.")
_CLICK_NUMBERS = frozenset({"INT", "FLOAT", "BOOL", "UUID", "Choice", "IntRange", "FloatRange", "DateTime"})


def _option_value(at: Frame, given: Arguments) -> Value | None:
    """What cannot be any text; None for what can."""
    kind, action = given.get("type"), given.get("action")
    choices = given.get("choices")
    if choices is not None:
        return HARMLESS if parts(choices).seen else UNPROVED
    if action is not None and action.text in _FLAGS:
        return HARMLESS
    if (flag := given.get("is_flag")) is not None and flag.consts == (True,):
        return HARMLESS
    if (flag := given.get("count")) is not None and flag.consts == (True,):
        return HARMLESS
    for ref in kind.refs if kind else ():
        name = ref.name if isinstance(ref, External) else ""
        if name.startswith("ipaddress."):
            return UNPROVED
        if name.startswith(_NUMBERS):
            return NUMBER if name.startswith("builtins.") else UNPROVED
        word = name.removesuffix("()").rpartition(".")[2]
        if word in _CLICK_NUMBERS:
            return NUMBER if word.upper() in ("INT", "FLOAT", "BOOL", "INTRANGE", "FLOATRANGE") else UNPROVED
    return None


def _guessed(given: Arguments) -> Value | None:
    """Click takes the type of the default."""
    default = given.get("default")
    if given.get("type") is None and default is not None and default.is_const:
        return NUMBER if isinstance(default.const, int | float) else None
    return None


def _name(given: Arguments) -> str:
    """What the program calls an option: said, else its long form."""
    dest = given.get("dest")
    if dest is not None and dest.text:
        return dest.text
    words = [value.text for value in given.positional if value.text]
    plain = [word for word in words if not word.startswith("-")]
    long = [word for word in words if word.startswith("--")]
    chosen = plain or long or words
    return chosen[0].partition("/")[0].lstrip("-").replace("-", "_") if chosen else ""


def note_option(at: Frame, name: str, given: Arguments) -> None:
    """`parser.add_argument(...)`."""
    if name.endswith(".add_argument") and name.startswith(("argparse.", "flask_rest")):
        kind = given.get("type")
        # True for any text, with what it is turned into: branches can be joined that way.
        text = replace(constant(_option_value(at, given) is None), refs=kind.refs if kind else ())
        put(at, ("option", at.file, _name(given)), text)


def parsed(at: Frame, name: str, node: ast.AST) -> Value | None:
    """`parser.parse_args()` where its options were seen."""
    web = name.endswith("reqparse.RequestParser.parse_args")
    if not name.startswith("argparse.ArgumentParser.parse_") and not web:
        return None
    options = {key: found for key, found in at.engine.state.items() if key[0] == "option"}
    near = {key[2]: found for key, found in options.items() if key[1] == at.file} or {
        key[2]: found for key, found in options.items()
    }
    who = "request" if web else "argv"
    if not near or who not in at.engine.known.kinds:
        return None
    made = Obj("dict" if web else "namespace")
    for option, text in near.items():
        value = HARMLESS if text.consts == (False,) else _converted(at, option, text, node, who)
        made.table[("k", option) if web else f".{option}"] = value
    if "known" not in name:
        return of(made)
    return of(sequence("tuple", (of(made), _typed(at, "the rest", node, who))))


def _typed(at: Frame, option: str, node: ast.AST, who: str) -> Value:
    what = "the request" if who == "request" else "the command line"
    cell = Cell(at.file, getattr(node, "lineno", 0), what, key=("option", at.file, option))
    return Value((Taint(Origin(who, f"option {option}"), cell),), shape=TAINTED, sure=True)


def _converted(at: Frame, option: str, kind: Value, node: ast.AST, who: str) -> Value:
    """What `type=` makes of it, where that is a function of the tree or a class that keeps the text."""
    from burnish.analysers.taint.memory.frame import Arguments

    value = _typed(at, option, node, who)
    functions = [ref for ref in kind.refs if isinstance(ref, Function)]
    if functions:
        return at.engine.call(at, of(*functions), Arguments([value]), node)
    return value


def note_decorator(at: Frame, wrapper: Value, function: Function, asked: Callable[[], Arguments]) -> None:
    """`@click.option("--name")`, `@app.command()` of typer; `asked` is what the decorator is called with."""
    names = [ref.name for ref in wrapper.refs if isinstance(ref, External)]
    if not names:
        return
    root, word = names[0].partition(".")[0], names[0].removesuffix("()").rpartition(".")[2]
    known = at.engine.routes.options
    if root in ("click", "rich_click", "asyncclick") and word in ("option", "argument"):
        given = asked()
        known.setdefault(function.node, {})[_name(given)] = _option_value(at, given) or _guessed(given)
    elif root == "typer" and word == "command":
        known.setdefault(function.node, {})["*"] = None


def option_values(engine: Engine, function: Function) -> dict[str, Value | None]:
    found = dict(engine.routes.options.get(function.node, {}))
    if "*" not in found or function.module.frame is None:
        return found
    ask = Asker(function.module.frame, _argument, {})
    return dict(typed.parameters(ask, function).keywords)


def _argument(at: Frame, name: str, line: int) -> Value:
    cell = Cell(at.file, line, "the command line", key=("option", at.file, name))
    return Value((Taint(Origin("argv", f"option {name}"), cell),), shape=TAINTED, sure=True)
