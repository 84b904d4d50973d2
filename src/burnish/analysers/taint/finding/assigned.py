"""Assignments that are sinks by what they assign to: a session, a header, a setting, a secret's name."""

from __future__ import annotations

import ast

from burnish.analysers.taint.finding import cookies, purposes
from burnish.analysers.taint.finding.judging import names_of
from burnish.analysers.taint.finding.sinks import check_named_store, last_word
from burnish.analysers.taint.memory.frame import Frame
from burnish.analysers.taint.memory.values import Value


def to_name(at: Frame, target: ast.Name | ast.Attribute, value: Value) -> None:
    name = target.id if isinstance(target, ast.Name) else target.attr
    if value.taints or value.refs:
        purposes.check_name(at, name, value, target, name)
    if name.isupper():
        cookies.check_setting(at, name, value, target)


def to_element(at: Frame, target: ast.Subscript, holder: Value, key: Value, value: Value) -> None:
    check_named_store(at, target, holder, value, key)
    if key.text is not None:
        cookies.check_header(at, key.text, value, target)
        if key.text.isupper():
            cookies.check_setting(at, key.text, value, target)
        purposes.check_name(at, key.text, value, target, key.text)
    if "http.cookies.SimpleCookie" in names_of(holder):
        cookies.check_morsel(at, key, target)
    name = last_word(target.value)
    purposes.check_name(at, name, value, target, name)
    purposes.check_name(at, name, key, target, name)


def to_answer(at: Frame, value: Value, node: ast.AST) -> None:
    """What a function returns goes by the function's name."""
    purposes.check_inside(at, value, node)
    if at.function is not None and value.taints:
        purposes.check_name(at, at.function.name, value, node, f"what {at.function.name}() gives")
