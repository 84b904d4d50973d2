"""Forms and serializers of the tree: what they give after the check, field by field."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from burnish.analysers.taint.handlers.addresses import anchored, plain_pattern
from burnish.analysers.taint.memory.things import REST, Class, Function, Obj, unordered
from burnish.analysers.taint.memory.values import (
    NEVER,
    NUMBER,
    TAINTED,
    UNPROVED,
    Cell,
    External,
    Origin,
    Taint,
    Value,
    of,
)

if TYPE_CHECKING:
    from burnish.analysers.taint.memory.frame import Frame

_FORMS = ("django.forms.", "rest_framework.serializers.", "django.contrib.auth.forms.", "marshmallow.")
_CHECKED = frozenset({"cleaned_data", "validated_data"})
# What was sent, whatever the check will say or has said.
_RAW = {"initial_data": "rest_framework.serializers.", "data": "django.forms."}
_DUMPS = frozenset({"model_dump", "dict", "_asdict", "asdict"})
# Fields that take any text; what is called otherwise and is a field is a number, a date or a choice.
_TEXTS = frozenset({
    "CharField", "TextField", "EmailField", "URLField", "JSONField", "FileField", "ImageField", "DictField",
    "FilePathField", "ListField", "HStoreField", "Field", "SerializerMethodField", "MultiValueField",
    "ComboField",
})  # fmt: skip
_NUMBERS = frozenset({"IntegerField", "FloatField", "DecimalField", "BooleanField", "NullBooleanField"})
_CHECKS = {"django.forms": "clean_", "rest_framework.serializers": "validate_"}


def inherited(at: Frame, ref: Obj, name: str, node: ast.AST) -> Value | None:
    """What a form has from its framework: `form.cleaned_data`."""
    if ref.cls is None:
        return None
    if any(base.startswith(_RAW.get(name, "-")) for base in ref.cls.foreign()):
        return _untrusted(at, name, node)
    if name not in _CHECKED:
        return None
    if not any(base.startswith(_FORMS) for base in ref.cls.foreign()):
        return None
    made = Obj("dict")
    for cls in reversed(ref.cls.line_of_bases()):
        for field, value in cls.table.items():
            if isinstance(value, Value) and (kind := _kind(value)):
                made.table["k", field] = _field(at, cls, field, kind, node)
    if _from_model(ref.cls) or not made.table:
        made.table[REST] = _untrusted(at, name, node)
    # Set before its own checks are called: they read it.
    at.heap.put(ref.table, f".{name}", of(made))
    _checked(at, ref, made, node)
    return of(made)


def _kind(value: Value) -> str:
    names = [ref.name.rpartition(".")[2] for ref in value.refs if isinstance(ref, External)]
    return next((name for name in names if name.endswith("Field")), "")


def _field(at: Frame, cls: Class, field: str, kind: str, node: ast.AST) -> Value:
    if kind == "RegexField":
        return UNPROVED if _is_plain(at, cls, field) else _untrusted(at, field, node)
    if kind not in _TEXTS:
        return NUMBER if kind in _NUMBERS else UNPROVED
    value = _untrusted(at, field, node)
    return of(unordered("list", value)) if kind == "ListField" else value


def _is_plain(at: Frame, cls: Class, field: str) -> bool:
    for statement in cls.node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if name == field:
                given = [*call.args, *(one.value for one in call.keywords if one.arg == "regex")]
                text = at.value(given[0]).text if given else None
                return text is not None and anchored(text) and plain_pattern(text)
    return False


def _from_model(cls: Class) -> bool:
    """Its fields are a model's: nobody wrote them down here."""
    return any("Model" in base for base in cls.foreign())


def _untrusted(at: Frame, name: str, node: ast.AST) -> Value:
    cell = Cell(at.file, getattr(node, "lineno", 0), f"field {name} of a form", key=("form", at.file, name))
    return Value((Taint(Origin("request", f"field {name}", "django"), cell),), shape=TAINTED, sure=True)


def _checked(at: Frame, ref: Obj, made: Obj, node: ast.AST) -> None:
    """`clean_name` and `validate_name` of the form itself: what these refuse does not come through."""
    from burnish.analysers.taint.memory.frame import Arguments

    assert ref.cls is not None
    for field in [key for key in made.known_keys() if isinstance(key, str)]:
        before = made.at(field)
        for base, word in _CHECKS.items():
            found = ref.cls.find(f"{word}{field}")
            functions = [one for one in found.refs if isinstance(one, Function)] if found else []
            if not functions or not before.taints or not any(base in name for name in ref.cls.foreign()):
                continue
            given = Arguments([before] if word == "validate_" else [])
            after = at.engine.call(at, of(functions[0].bind(of(ref))), given, node)
            if after is not NEVER:
                made.table["k", field] = at.heap.settle(after)


def dumped(ref: Obj, name: str) -> Value | None:
    """`model.model_dump()`: its fields under their names."""
    if name not in _DUMPS:
        return None
    made = Obj("dict")
    for key, value in ref.table.items():
        if isinstance(key, str) and key.startswith(".") and isinstance(value, Value):
            made.table["k", key[1:]] = value
    return of(made) if made.table else None
