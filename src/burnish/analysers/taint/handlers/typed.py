"""Parameters by annotation, as FastAPI, pydantic and typer read them: text is untrusted, a number not."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import partial

from burnish.analysers.taint.handlers.annotations import Asker, alias_of, constrained, last_word
from burnish.analysers.taint.handlers.plain_types import plain
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import Class, Function, Obj, unordered
from burnish.analysers.taint.memory.values import (
    HARMLESS,
    NEVER,
    NONE,
    TAINTED,
    UNKNOWN,
    UNPROVED,
    External,
    Value,
    join,
    join_all,
    of,
)

MAX_DEPTH = 5
_MANY = frozenset({
    "list", "List", "Sequence", "Iterable", "set", "Set", "frozenset", "tuple", "Tuple", "FrozenSet",
})  # fmt: skip
_CONVERTING = ("pydantic.", "sqlmodel.", "pydantic_settings.")
_VALIDATE = frozenset({"model_validate", "parse_obj", "model_validate_json", "parse_raw", "model_construct"})
_EITHER = frozenset({"Optional", "Union", "Required", "NotRequired", "Final", "ClassVar"})
_MODELS = (
    "ninja.",
    "msgspec.",
    "pydantic.",
    "sqlmodel.",
    "pydantic_settings.",
    "typing.TypedDict",
    "typing_extensions.TypedDict",
)
MAIL = frozenset({"xss", "log", "redirect", "ssrf"})


def typed(ask: Asker, node: ast.expr | None) -> Value:
    """What a parameter so annotated is given."""
    if node is None or ask.depth > MAX_DEPTH:
        return ask.untrusted()
    match node:
        case ast.Constant(value=str(text)):
            return _forward(ask, text)
        case ast.Constant():
            return NONE
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return join(typed(ask.deeper(), left), typed(ask.deeper(), right))
        case ast.Subscript(value=holder, slice=inside):
            return _subscripted(ask, holder, inside)
        case ast.Call():
            return UNPROVED if constrained(ask, node) else typed(ask.deeper(), node.func)
        case ast.Name(id=name):
            alias = alias_of(ask.at, name)
            return typed(ask.deeper(alias[0]), alias[1]) if alias else _named(ask, node)
    return _named(ask, node)


def _forward(ask: Asker, text: str) -> Value:
    try:
        return typed(ask.deeper(), ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ask.untrusted()


def _subscripted(ask: Asker, holder: ast.expr, inside: ast.expr) -> Value:
    word = getattr(holder, "attr", getattr(holder, "id", ""))
    inner = inside.elts if isinstance(inside, ast.Tuple) else [inside]
    if word == "Literal":
        return HARMLESS
    if word == "Annotated" and inner:
        return _annotated(ask, inner)
    if word in _EITHER:
        return join_all(typed(ask.deeper(), one) for one in inner)
    if word in _MANY:
        inner = [one for one in inner if not isinstance(one, ast.Constant) or one.value is not ...]
        return of(unordered("list", join_all(typed(ask.deeper(), one) for one in inner)))
    return ask.untrusted()


def _annotated(ask: Asker, inner: list[ast.expr]) -> Value:
    for one in inner[1:]:
        if isinstance(one, ast.Call):
            if last_word(one) in ("Depends", "Security"):
                return depended(ask, one, inner[0])
            if constrained(ask, one):
                return UNPROVED
    return typed(ask.deeper(), inner[0])


def _named(ask: Asker, node: ast.expr) -> Value:
    total = NEVER
    for ref in ask.at.value(node).refs:
        if isinstance(ref, Class):
            total = join(total, of_class(ask, ref))
        elif isinstance(ref, External):
            total = join(total, _external(ask, ref.name))
    return ask.untrusted() if total is NEVER else total


def _external(ask: Asker, name: str) -> Value:
    root, _, word = name.partition(".")
    word = name.rpartition(".")[2].removesuffix("()")
    if name in ask.names:
        return of(External(ask.names[name]))
    if (found := plain(name)) is not None:
        return found
    if word == "EmailStr":
        value = ask.untrusted()
        return replace(value, taints=tuple(replace(one, clean=one.clean | MAIL) for one in value.taints))
    if root in ("builtins", "typing", "pydantic", "collections", "pathlib", "typing_extensions"):
        return ask.untrusted()
    if name.startswith(("fastapi.security.", "fastapi.")):
        return ask.untrusted() if "security" in name else of(External(name))
    return of(External(name), sure=False)


def is_model(cls: Class) -> bool:
    names = cls.foreign()
    decorated = any("dataclass" in ast.unparse(one) for one in cls.node.decorator_list)
    return decorated or any(name.startswith(_MODELS) for name in names)


def of_class(ask: Asker, cls: Class) -> Value:
    """A model with its fields, a choice, or an object nobody knows how to make."""
    if any(name.startswith("enum.") for name in cls.foreign()):
        return HARMLESS
    return model(ask.deeper(), cls) if is_model(cls) else UNKNOWN


def model(ask: Asker, cls: Class) -> Value:
    made = Obj("instance", cls)
    for one in reversed(cls.line_of_bases()):
        home = one.module.frame or ask.at
        for statement in one.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                value = _field(ask.deeper(home).about(statement.target.id, statement.lineno), statement)
                made.table[f".{statement.target.id}"] = value
    _validated(ask, cls, made)
    return of(made)


def _field(ask: Asker, statement: ast.AnnAssign) -> Value:
    if isinstance(statement.value, ast.Call) and constrained(ask, statement.value):
        return UNPROVED
    return typed(ask, statement.annotation)


def converted(at: Frame, cls: Class, made: Obj) -> None:
    """A model that the program makes itself: a field that is a number is one, whatever it was given."""
    if not any(name.startswith(_CONVERTING) for name in cls.foreign()):
        return
    for one in cls.line_of_bases():
        for statement in one.node.body:
            match statement:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                    value = made.table.get(f".{name}")
                    if value is not None and value.taints:
                        ask = Asker(one.module.frame or at, partial(_given, value), {})
                        made.table[f".{name}"] = typed(ask, annotation)
    _validated(Asker(at, partial(_given, UNKNOWN), {}), cls, made)


def _given(value: Value, at: Frame, name: str, line: int) -> Value:
    return value


def validated(at: Frame, cls: Class, name: str, given: Arguments, node: ast.AST) -> Value | None:
    """`Model.model_validate(data)`: a model with the fields it says, made of untrusted data."""
    data = given.get(0)
    if name not in _VALIDATE or data is None or cls.find(name) is not None:
        return None
    whole = parts(data)
    if not whole.taints or not any(base.startswith(_CONVERTING) for base in cls.foreign()):
        return None

    def make(where: Frame, field: str, line: int) -> Value:
        return at.step(Value(whole.taints, shape=TAINTED, sure=True), node, key=(f"[{field!r}]",))

    return model(Asker(at, make, {}), cls)


def _validated(ask: Asker, cls: Class, made: Obj) -> None:
    """Fields after the validators of the class: what these refuse does not come through."""
    for one in reversed(cls.line_of_bases()):
        for statement in one.node.body:
            if not isinstance(statement, ast.FunctionDef):
                continue
            calls = [call for call in statement.decorator_list if isinstance(call, ast.Call)]
            for call in calls:
                if last_word(call) in ("field_validator", "validator"):
                    names = [str(arg.value) for arg in call.args if isinstance(arg, ast.Constant)]
                    _validate(ask, one, made, statement, names)


def _validate(ask: Asker, cls: Class, made: Obj, statement: ast.FunctionDef, names: list[str]) -> None:
    found = cls.table.get(statement.name)
    functions = [ref for ref in found.refs if isinstance(ref, Function)] if found else []
    for name in list(made.table) if "*" in names else [f".{name}" for name in names]:
        before = made.table.get(name)
        if before is None or not before.taints or not functions:
            continue
        given = Arguments([of(cls), before])
        function = functions[0]
        plain = Function(function.node, function.module, function.home)
        after = ask.at.engine.call(ask.at, of(plain), given, statement)
        if after is not NEVER:
            made.table[name] = ask.at.heap.settle(after)


def depended(ask: Asker, call: ast.Call, annotation: ast.expr | None) -> Value:
    """`Depends(function)`: it is called, with parameters that are read the same way."""
    if ask.depth > MAX_DEPTH:
        return UNKNOWN
    target = (
        call.args[0]
        if call.args
        else next((one.value for one in call.keywords if one.arg == "dependency"), annotation)
    )
    if target is None:
        return UNKNOWN
    total = NEVER
    for ref in ask.at.value(target).refs:
        total = join(total, _dependency(ask.deeper(), ref, call))
    return UNKNOWN if total is NEVER else total


def _dependency(ask: Asker, ref: object, call: ast.Call) -> Value:
    engine = ask.at.engine
    if isinstance(ref, Function):
        home = ref.module.frame or ask.at
        value = engine.call(home, of(ref), parameters(ask.deeper(home), ref), call)
        yielded = [one for one in value.refs if isinstance(one, Obj) and one.kind == "generator"]
        return yielded[0].everything() if yielded else value
    if isinstance(ref, Class):
        start = ref.find("__init__")
        functions = [one for one in start.refs if isinstance(one, Function)] if start else []
        if not functions:
            return model(ask, ref)
        home = ref.module.frame or ask.at
        return engine.call(home, of(ref), parameters(ask.deeper(home), functions[0], skip=1), call)
    if isinstance(ref, Obj) and ref.cls is not None:
        caller = ref.cls.find("__call__")
        for one in caller.refs if caller else ():
            if isinstance(one, Function):
                home = one.module.frame or ask.at
                return engine.call(home, of(ref), parameters(ask.deeper(home), one, skip=1), call)
    if isinstance(ref, External) and ref.name.startswith("fastapi.security"):
        return ask.untrusted()
    return UNKNOWN


def parameters(ask: Asker, function: Function, skip: int = 0) -> Arguments:
    """Every parameter of a function by its annotation and default."""
    args = function.node.args
    plain = [*args.posonlyargs, *args.args]
    without = len(plain) - len(args.defaults)
    given = Arguments()
    for number, one in enumerate(plain[skip:], skip):
        default = args.defaults[number - without] if number >= without else None
        given.keywords[one.arg] = parameter(ask, one, default)
    for one, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        given.keywords[one.arg] = parameter(ask, one, default)
    return given


def parameter(ask: Asker, one: ast.arg, default: ast.expr | None) -> Value:
    ask = ask.about(one.arg, one.lineno)
    if isinstance(default, ast.Call):
        if last_word(default) in ("Depends", "Security"):
            return depended(ask, default, one.annotation)
        if constrained(ask, default):
            return UNPROVED
    return typed(ask, one.annotation)
