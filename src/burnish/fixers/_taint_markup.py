"""HTML with untrusted values in it: each value escaped, or left to what escapes by itself."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from burnish.fixers._html_place import escaping_helps
from burnish.fixers._locals import (
    Function,
    bindings,
    constant_text,
    function_of,
    inside,
    readings,
    value_given,
)
from burnish.fixers._names import bring, packages, qualified
from burnish.fixers._pieces import Slot, joined
from burnish.fixers._python import Edit, Module, NotRepaired, dotted
from burnish.fixers._scene import Changes, Scene
from burnish.fixers._strings import Built, read, rewritten
from burnish.fixers._texts import is_number
from burnish.fixers._wrapping import calling, wrapped
from burnish.fixers._written import literal, one_line

DEEPEST = 4
_SAFE_TEXT = (
    "django.utils.safestring.mark_safe",
    "django.utils.safestring.SafeString",
    "django.utils.html.mark_safe",
)
_FORMAT_HTML = "django.utils.html.format_html"
_MARKUP = ("markupsafe.Markup", "flask.Markup", "jinja2.Markup")
# Calls that only fetch or convert a text.
_PLAIN = frozenset(
    {"get", "getlist", "getone", "pop", "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize"}
    | {"str", "int", "float", "len", "input", "decode", "read", "json", "escape", "isoformat", "strftime"}
)
_ESCAPED = re.compile(r"\b(?:escape|quote|quote_plus|urlencode|bleach\.clean|clean|sanitize)\(")


def formatted_html(scene: Scene) -> Changes:
    """`mark_safe(f"<b>{x}</b>")` to `format_html("<b>{}</b>", x)`."""
    module = scene.sink
    for call in scene.calls(scene.file, scene.line):
        name = qualified(module, call.func)
        if name not in (*_SAFE_TEXT, _FORMAT_HTML) or not call.args or call.keywords:
            continue
        built = read(module, call.args[0])
        if (name == _FORMAT_HTML) != (len(call.args) > 1) and name != _FORMAT_HTML:
            raise NotRepaired("it is called in an unusual way")
        given = [one_line(module.source(one)) for one in call.args[1:]]
        text, values = _places(module, built, given)
        imports, told = bring(module, "django.utils.html", "format_html")
        written = f"{told}({', '.join([text, *values])})"
        return {scene.file: [Edit(module.start(call), module.end(call), written), *imports]}
    raise NotRepaired("there is no such call on that line")


def _places(module: Module, built: Built, given: list[str]) -> tuple[str, list[str]]:
    """The text with a place for each value; places that it has already keep their values."""
    parts: list[str] = []
    values: list[str] = []
    left = list(given)
    for part in built.parts:
        if isinstance(part, str):
            for chunk in re.split(r"(\{\})", part):
                if chunk == "{}" and left:
                    values.append(left.pop(0))
                    parts.append("{}")
                else:
                    parts.append(chunk if given else chunk.replace("{", "{{").replace("}", "}}"))
            continue
        if part.conversion or part.spec or not escaping_helps("".join(parts)):
            raise NotRepaired("escaping does not help there")
        values.append(one_line(part.code))
        parts.append("{}")
    if left or not values or not built.slots:
        raise NotRepaired("there is nothing to escape")
    quote = next((piece.quote for piece in built.pieces if piece.start >= 0), '"')
    return literal(joined(parts), quote), values


def escaping_markup(scene: Scene) -> Changes:
    """`Markup("<b>%s</b>" % x)` to `Markup("<b>%s</b>") % x`, which escapes."""
    module = scene.sink
    for call in scene.calls(scene.file, scene.line):
        if qualified(module, call.func) not in _MARKUP or len(call.args) != 1 or call.keywords:
            continue
        built = read(module, call.args[0])
        text, values = _places(module, built, [])
        written = f"{module.source(call.func)}({text}).format({', '.join(values)})"
        return {scene.file: [Edit(module.start(call), module.end(call), written)]}
    raise NotRepaired("there is no such call on that line")


def template_values(scene: Scene) -> Changes:
    """`render_template_string("<h1>" + x + "</h1>")` to a template with x as its value."""
    module = scene.sink
    for call in scene.calls(scene.file, scene.line):
        if qualified(module, call.func) != "flask.render_template_string" or len(call.args) != 1:
            continue
        node = call.args[0]
        built = read(module, _value(module, node) if isinstance(node, ast.Name) else node)
        taken = {one.arg for one in call.keywords}
        parts, values = [], []
        for piece in built.pieces:
            mine: list[str | Slot] = []
            for part in piece.parts:
                if isinstance(part, Slot):
                    if (
                        not isinstance(part.node, ast.Name)
                        or part.node.id in taken
                        or part.spec
                        or part.conversion
                    ):
                        raise NotRepaired("a value has no name of its own")
                    values.append(part.node.id)
                mine.append(part if isinstance(part, str) else f"{{{{ {part.code} }}}}")
            parts.append(mine)
        told = "".join(f", {name}={name}" for name in dict.fromkeys(values))
        end = module.end(node)
        edits = [*rewritten(module, built, [joined(one) for one in parts]), Edit(end, end, told)]
        return {scene.file: edits}
    raise NotRepaired("there is no such call on that line")


def _value(module: Module, name: ast.Name) -> ast.expr:
    given = bindings(function_of(module, name), name.id)
    value = value_given(module, given[0]) if len(given) == 1 else None
    if value is None or len(readings(function_of(module, name), name.id)) != 1:
        raise NotRepaired("what it was given cannot be told")
    return value


@dataclass
class Escaping:
    """Follows HTML to where values enter it."""

    scene: Scene
    changes: Changes = field(default_factory=dict)
    depth: int = 0

    def expression(self, file: str, node: ast.expr) -> None:
        """Escape the values in an expression that becomes HTML."""
        module = self.scene.module(file)
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotRepaired("it passes through too many functions")
        node = _unwrapped(node)
        if isinstance(node, ast.Name):
            given = bindings(function_of(module, node), node.id)
            values = [value_given(module, one) for one in given]
            if len(values) != 1 or values[0] is None:
                raise NotRepaired("what it was given cannot be told")
            return self.expression(file, values[0])
        if isinstance(node, ast.Call) and not _is_composed(module, node):
            found, function = self.scene.definition(file, node.func)
            return self._returns(found, function)
        self._built(file, module, read(module, node))
        return None

    def _returns(self, file: str, function: Function) -> None:
        found = [node for node in inside(function) if isinstance(node, ast.Return) and node.value is not None]
        if len(found) != 1 or found[0].value is None:
            raise NotRepaired("the function returns different things")
        self.expression(file, found[0].value)

    def _built(self, file: str, module: Module, built: Built) -> None:
        if "<" not in built.text and self.depth == 1:
            raise NotRepaired("it is not clear that this is HTML")
        if not built.slots:
            return
        imports, escape = _escape(module)
        inner: list[ast.expr] = []

        def wrap(slot: Slot, before: str) -> Slot | None:
            fixed = _is_fixed(module, slot.node) or is_number(module, slot.node, built.node)
            if fixed or slot.spec == "d" or _ESCAPED.search(slot.code):
                return None
            if self._is_markup(module, slot.node, built.node):
                inner.append(slot.node)
                return None
            if not escaping_helps(before):
                raise NotRepaired("escaping does not help there")
            return calling(slot, escape)

        try:
            edits = [*wrapped(module, built, wrap), *imports]
        except NotRepaired:
            if not inner:
                raise
            edits = []
        self.changes.setdefault(file, []).extend(edits)
        for node in inner:
            self.expression(file, node if node in module.parents else _same(module, node))

    def _is_markup(self, module: Module, node: ast.expr, near: ast.AST) -> bool:
        """Whether a value may be HTML itself: made of text with tags in it, or by a function."""
        values: list[ast.expr | None] = [node]
        if isinstance(node, ast.Name):
            values = [value_given(module, one) for one in bindings(function_of(module, near), node.id)]
        return any(value is not None and (_has_tags(value) or _may_make_tags(value)) for value in values)


def escaped(scene: Scene) -> Changes:
    """`return f"<p>{name}</p>"` to `return f"<p>{html.escape(name)}</p>"`."""
    module = scene.sink
    escaping = Escaping(scene)
    for node in _candidates(scene, module):
        try:
            escaping.expression(scene.file, node)
        except NotRepaired:
            escaping = Escaping(scene)
            continue
        if any(escaping.changes.values()):
            return escaping.changes
    raise NotRepaired("where values enter the HTML cannot be told")


def _candidates(scene: Scene, module: Module) -> list[ast.expr]:
    """What is returned on that line, and what is passed to a call there."""
    found: list[ast.expr] = []
    for call in scene.calls(scene.file, scene.line):
        # Escaped or not, what stands in a template's own text is run by it.
        if dotted(call.func).rpartition(".")[2] in ("render_template_string", "from_string", "Template"):
            raise NotRepaired("a template would run what is in it")
        found += [
            *call.args[:1],
            *(one.value for one in call.keywords if one.arg in ("content", "text", "body")),
        ]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Return) and node.lineno == scene.line and node.value is not None:
            found.append(node.value)
    return found


def _unwrapped(node: ast.expr) -> ast.expr:
    """The text in `text.encode()`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "encode":
        return node.func.value
    return node


def _is_composed(module: Module, node: ast.expr) -> bool:
    try:
        return bool(read(module, node).parts)
    except NotRepaired:
        return False


def _has_tags(value: ast.expr) -> bool:
    return any(
        isinstance(one, ast.Constant) and isinstance(one.value, str) and "<" in one.value
        for one in ast.walk(value)
    )


def _may_make_tags(value: ast.expr) -> bool:
    if isinstance(value, ast.Await):
        value = value.value
    if not isinstance(value, ast.Call):
        return False
    name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
    return name not in _PLAIN


def _is_fixed(module: Module, node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        same = readings(module.tree, node.id)
        return bool(same) and all(constant_text(module, one) is not None for one in same)
    return isinstance(node, ast.Constant) or (
        isinstance(node, ast.Call) and dotted(node.func) in ("len", "int", "float")
    )


def _same(module: Module, node: ast.expr) -> ast.expr:
    """The node of the tree that a node read out of an f-string is a copy of."""
    for one in ast.walk(module.tree):
        if isinstance(one, ast.expr) and ast.dump(one) == ast.dump(node):
            return one
    raise NotRepaired("where values enter the HTML cannot be told")


def _escape(module: Module) -> tuple[list[Edit], str]:
    if "django" in packages(module):
        return bring(module, "django.utils.html", "escape")
    try:
        imports, name = bring(module, "html")
        return imports, f"{name}.escape"
    except NotRepaired:
        return bring(module, "html", "escape")
