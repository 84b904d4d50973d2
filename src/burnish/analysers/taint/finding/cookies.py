"""Cookies: whether one is sent over encrypted connections only, as a call, a header or a setting says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from burnish.analysers.taint.finding.judging import argument
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import Value

FLAW = "insecure_cookie"
_SECURE = re.compile(r";\s*secure\b", re.IGNORECASE)
_SETTINGS = re.compile(
    r"^(?:SESSION|CSRF|REMEMBER|JWT|LANGUAGE|SECURITY|AUTH)\w*_COOKIE_SECURE$|^JWT_COOKIE_SECURE$"
)
_HARMLESS = re.compile(
    r"(?:^|_)(?:theme|lang|language|locale|timezone|tz|consent|dark_?mode|layout|banner)(?:$|_)", re.I
)
_ADDS = frozenset(
    {"add", "set", "add_header", "set_header", "send_header", "append", "setdefault", "putheader"}
)
_OTHER_PLACE = re.compile(r"dev|test|local|debug|example|demo", re.IGNORECASE)


def is_insecure(at: Frame, given: Arguments, node: ast.AST) -> bool:
    """`set_cookie(...)`: not where nobody knows what it is given, nor where a cookie is taken away."""
    name, value = argument(given, "0|key|name"), argument(given, "1|value")
    if value is None and given.star is None:
        # A jar of cookies takes a whole cookie.
        return False
    if name is not None and name.text is not None and _HARMLESS.search(name.text):
        return False
    gone = argument(given, "2|max_age") or argument(given, "3|expires")
    if value is not None and value.text == "" and gone is not None and gone.is_const and not gone.const:
        return False
    return not _flag_set_later(at, name)


def _flag_set_later(at: Frame, name: Value | None) -> bool:
    """`response.cookies["a"]["secure"] = True` beside it, and not of another cookie."""
    scope: ast.AST | None = at.function.node if at.function is not None else at.module.tree
    for one in ast.walk(scope) if scope is not None else ():
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant) and one.value.value:
            for target in one.targets:
                key = target.slice if isinstance(target, ast.Subscript) else None
                secure = isinstance(key, ast.Constant) and str(key.value).lower() == "secure"
                if secure and not _another(target, name):
                    return True
    return False


def _another(target: ast.expr, name: Value | None) -> bool:
    match target:
        case ast.Subscript(value=ast.Subscript(slice=ast.Constant(value=str(said)))):
            return name is not None and name.text is not None and name.text != said
    return False


def check_morsel(at: Frame, key: Value, node: ast.AST) -> None:
    """`cookie["session"] = value` of http.cookies; its flags are set beside."""
    if key.text is not None and _HARMLESS.search(key.text):
        return
    if _flag_set_later(at, key):
        at.engine.report.clean(at.file, getattr(node, "lineno", 0), FLAW)
    else:
        at.engine.report.misused(at, FLAW, node, "a cookie without the flag Secure")


def check_header(at: Frame, name: str, value: Value, node: ast.AST) -> None:
    """A `Set-Cookie` header written by hand."""
    if name.lower() != "set-cookie" or "=" not in value.shape:
        return
    line = getattr(node, "lineno", 0)
    if _SECURE.search(value.shape):
        at.engine.report.clean(at.file, line, FLAW)
    elif not value.shape.endswith("\x00") or ";" in value.shape:
        at.engine.report.misused(at, FLAW, node, "the header Set-Cookie")


def headers(name: str, given: Arguments) -> Iterator[tuple[str, Value]]:
    """What a call is told to send: a dict of the tree, or `headers.add(name, value)`."""
    if name.rpartition(".")[2] in _ADDS and len(given.positional) >= 2 and given.positional[0].text:
        yield given.positional[0].text, given.positional[1]
    for ref in value.refs if (value := given.keywords.get("headers")) is not None else ():
        if isinstance(ref, Obj) and ref.kind == "dict":
            yield from ((key, ref.at(key)) for key in ref.known_keys() if isinstance(key, str))


def check_setting(at: Frame, name: str, value: Value, node: ast.AST) -> None:
    """`SESSION_COOKIE_SECURE = False`, except in settings that say they are for a developer's machine."""
    if not _SETTINGS.search(name) or not value.is_const:
        return
    if value.const:
        at.engine.report.clean(at.file, getattr(node, "lineno", 0), FLAW)
    elif not _OTHER_PLACE.search(at.file.rpartition("/")[2]) and not _OTHER_PLACE.search(
        _class_around(at, node)
    ):
        at.engine.report.misused(at, FLAW, node, f"the setting {name}")


def _class_around(at: Frame, node: ast.AST) -> str:
    line = getattr(node, "lineno", 0)
    found = ""
    for one in at.module.tree.body if at.module.tree is not None else ():
        if isinstance(one, ast.ClassDef) and one.lineno <= line <= (one.end_lineno or 0):
            found = one.name
    return found


def check_call(at: Frame, given: Arguments, node: ast.AST) -> None:
    """Settings and headers in the arguments of whatever is called."""
    for name, value in given.keywords.items():
        if name.isupper():
            check_setting(at, name, value, node)
