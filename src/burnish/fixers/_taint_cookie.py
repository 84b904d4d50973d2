"""Cookies with the flags that protect them, wherever their options are written."""

from __future__ import annotations

import ast
import re

from burnish.fixers._locals import Function, bindings, function_of, only_value, value_given
from burnish.fixers._python import Edit, Module, NotRepaired, arguments, keyword
from burnish.fixers._scene import Changes, Scene
from burnish.fixers._strings import read

SETTERS = frozenset({"set_cookie", "set_signed_cookie"})
FLAGS = {"secure": "True", "httponly": "True", "samesite": '"Lax"'}
# Settings of frameworks for their own cookies.
_SETTING = re.compile(r"(?i)^(?:\w+_)?(?:SESSION|CSRF|REMEMBER|LANGUAGE)_COOKIE_(?:SECURE|HTTPONLY)$")
# Cookies that script on the page is meant to read.
_FOR_SCRIPT = re.compile(r"(?i)csrf|xsrf|lang|locale|theme|consent|timezone")


def protected(scene: Scene) -> Changes:
    """`set_cookie("session", token)` with secure=True, httponly=True and samesite="Lax"."""
    module = scene.sink
    for call in scene.calls(scene.file, scene.line):
        # With one argument it is the cookie of a client, which is put into its jar.
        several = len(call.args) + len(call.keywords) > 1
        if isinstance(call.func, ast.Attribute) and call.func.attr in SETTERS and several:
            return {scene.file: _flagged(module, call)}
    return {scene.file: _setting(module, scene.line) or _header(module, scene.line)}


def _flagged(module: Module, call: ast.Call) -> list[Edit]:
    wanted = dict(FLAGS)
    if call.args and _FOR_SCRIPT.search(module.source(call.args[0])):
        del wanted["httponly"]
    edits: list[Edit] = []
    for flag in list(wanted):
        given = keyword(call, flag)
        if given is not None:
            edits += _turned_on(module, given.value, wanted.pop(flag))
    spread = [one for one in call.keywords if one.arg is None]
    if len(spread) == 1:
        return edits + _in_dictionary(module, _options(module, spread[0].value), wanted)
    if spread:
        raise NotRepaired("what is passed cannot be told")
    if wanted:
        place = module.end(arguments(module, call)[-1])
        edits.append(Edit(place, place, "".join(f", {name}={value}" for name, value in wanted.items())))
    return edits


def _turned_on(module: Module, value: ast.expr, on: str) -> list[Edit]:
    """False and None become what they should be; so does a parameter's default."""
    if isinstance(value, ast.Name):
        scope = function_of(module, value)
        if isinstance(scope, Function) and not bindings(scope, value.id):
            value = _default(scope, value.id) or value
    if isinstance(value, ast.Constant) and value.value in (False, None):
        return [Edit(module.start(value), module.end(value), on)]
    if isinstance(value, ast.Constant):
        return []
    raise NotRepaired("what decides on the flag cannot be told")


def _default(function: Function, name: str) -> ast.expr | None:
    taken = function.args
    positional = [*taken.posonlyargs, *taken.args]
    by_place = zip(positional[len(positional) - len(taken.defaults) :], taken.defaults, strict=True)
    by_name = zip(taken.kwonlyargs, taken.kw_defaults, strict=True)
    return next((value for one, value in [*by_place, *by_name] if one.arg == name), None)


def _options(module: Module, node: ast.expr) -> ast.Dict:
    """The dictionary that `**options` is: local, of the module, or of the class."""
    value: ast.expr | None = node
    if isinstance(node, ast.Name):
        given = bindings(module.tree, node.id)
        try:
            value = only_value(module, node)
        except NotRepaired:
            value = value_given(module, given[0]) if len(given) == 1 else None
    elif (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("self", "cls")
    ):
        owner = next((one for one in module.above(node) if isinstance(one, ast.ClassDef)), None)
        given = bindings(owner, node.attr) if owner is not None else []
        value = value_given(module, given[0]) if len(given) == 1 else None
    if not isinstance(value, ast.Dict) or not value.keys:
        raise NotRepaired("what is passed cannot be told")
    return value


def _in_dictionary(module: Module, options: ast.Dict, wanted: dict[str, str]) -> list[Edit]:
    left, edits = dict(wanted), []
    for key, value in zip(options.keys, options.values, strict=True):
        if isinstance(key, ast.Constant) and key.value in left:
            edits += _turned_on(module, value, left.pop(str(key.value)))
        elif key is None:
            # What is spread into it may have the flag: only what is missing there too is added.
            inner = (
                _options(module, value)
                if isinstance(value, ast.Name) and _is_dictionary(module, value)
                else None
            )
            for one in inner.keys if inner is not None else ():
                if isinstance(one, ast.Constant):
                    left.pop(str(one.value), None)
    if left:
        place = module.end(options.values[-1]) if options.keys[-1] is not None else module.start(options) + 1
        told = ", ".join(f'"{name}": {value}' for name, value in left.items())
        after = options.keys[-1] is not None
        edits.append(Edit(place, place, f", {told}" if after else f"{told}, "))
    return edits


def _is_dictionary(module: Module, name: ast.Name) -> bool:
    try:
        return bool(_options(module, name).keys)
    except NotRepaired:
        return False


def _setting(module: Module, line: int) -> list[Edit]:
    """`SESSION_COOKIE_SECURE = False`, as a name, a key or an argument."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Assign) and node.lineno == line and len(node.targets) == 1:
            name = _last_name(node.targets[0])
            if _SETTING.match(name) and isinstance(node.value, ast.Constant) and node.value.value is False:
                return [Edit(module.start(node.value), module.end(node.value), "True")]
        if (
            isinstance(node, ast.keyword)
            and node.arg
            and node.value.lineno == line
            and _SETTING.match(node.arg)
        ):
            return _turned_on(module, node.value, "True")
    return []


def _last_name(target: ast.expr) -> str:
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        return str(target.slice.value)
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")


def _header(module: Module, line: int) -> list[Edit]:
    """`Set-Cookie` written by hand: what is missing is added at its end."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Dict):
            continue
        for key, value in zip(node.keys, node.values, strict=True):
            named = isinstance(key, ast.Constant) and str(key.value).lower() == "set-cookie"
            if named and line in (node.lineno, value.lineno):
                return _ended(module, only_value(module, value) if isinstance(value, ast.Name) else value)
    raise NotRepaired("there is no cookie on that line")


def _ended(module: Module, node: ast.expr) -> list[Edit]:
    built = read(module, node)
    last = built.pieces[-1]
    missing = [
        told
        for name, told in (("secure", "Secure"), ("httponly", "HttpOnly"), ("samesite", "SameSite=Lax"))
        if name not in built.text.lower()
    ]
    if not missing or last.start < 0 or built.literal is not built.node:
        raise NotRepaired("where the flags belong cannot be told")
    place = last.end - len(last.quote)
    return [Edit(place, place, "".join(f"; {told}" for told in missing))]
