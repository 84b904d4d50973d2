"""Readers of untrusted documents: XML without entities, YAML without objects, literals instead of code."""

from __future__ import annotations

import ast
import re

from burnish.errors import WorkspaceError
from burnish.fixers import _python_calls as calls
from burnish.fixers._edit import read_text
from burnish.fixers._locals import bindings, function_of, inside, only_value, value_given
from burnish.fixers._names import bring, qualified
from burnish.fixers._python import Edit, Module, NotRepaired, arguments, keyword
from burnish.fixers._scene import Changes, Scene

LXML = re.compile(r"lxml\.(etree|objectify|html)\.(\w+)$")
_MAKERS = frozenset({"XMLParser", "makeparser", "ETCompatXMLParser", "iterparse"})
_READERS = frozenset({"fromstring", "parse", "XML", "fromstringlist", "XMLID"})
_DEFUSED = {
    "xml.etree.ElementTree": "defusedxml.ElementTree",
    "xml.etree.cElementTree": "defusedxml.ElementTree",
    "xml.dom.minidom": "defusedxml.minidom",
    "xml.dom.pulldom": "defusedxml.pulldom",
    "xml.sax": "defusedxml.sax",
}
_DECLARED = ("pyproject.toml", "setup.py", "setup.cfg", "Pipfile")
_REQUIREMENTS = (
    "requirements.txt",
    "requirements.in",
    "requirements/base.txt",
    "requirements/production.txt",
)


def without_entities(scene: Scene) -> Changes:
    """lxml with resolve_entities=False and no_network=True; sax without external entities."""
    module = scene.sink
    for call in scene.calls(scene.file, scene.line):
        found = LXML.match(qualified(module, call.func))
        if found and found[2] in _MAKERS:
            return {scene.file: _strict(module, call)}
        if found and found[2] in _READERS and found[1] != "html":
            return {scene.file: _read_strictly(module, call, found[1])}
    return {scene.file: _features(module, scene.line)}


def _read_strictly(module: Module, call: ast.Call, package: str) -> list[Edit]:
    given = keyword(call, "parser")
    parser = given.value if given is not None else call.args[1] if len(call.args) > 1 else None
    if parser is not None and not (isinstance(parser, ast.Constant) and parser.value is None):
        return _strict(module, _made(module, parser))
    maker = "makeparser" if package == "objectify" else "XMLParser"
    called = module.source(call.func).rpartition(".")[0]
    if not called or parser is not None or not call.args:
        raise NotRepaired("it is called in an unusual way")
    place = module.end(arguments(module, call)[-1])
    return [Edit(place, place, f", parser={called}.{maker}(resolve_entities=False, no_network=True)")]


def _made(module: Module, parser: ast.expr) -> ast.Call:
    """The call that made a parser: where it is passed, of a variable, of the module or of the class."""
    value: ast.expr | None = parser
    if isinstance(parser, ast.Name):
        scope = function_of(module, parser)
        given = bindings(scope, parser.id) or bindings(module.tree, parser.id)
        value = value_given(module, given[0]) if len(given) == 1 else None
    elif isinstance(parser, ast.Attribute) and isinstance(parser.value, ast.Name):
        owner = next((one for one in module.above(parser) if isinstance(one, ast.ClassDef)), None)
        given = (
            bindings(owner, parser.attr) if owner is not None and parser.value.id in ("self", "cls") else []
        )
        value = value_given(module, given[0]) if len(given) == 1 else None
    found = LXML.match(qualified(module, value.func)) if isinstance(value, ast.Call) else None
    if not isinstance(value, ast.Call) or found is None or found[2] not in _MAKERS:
        raise NotRepaired("how the parser was made cannot be told")
    return value


def _strict(module: Module, call: ast.Call) -> list[Edit]:
    """The options of a parser that must not be left to the document."""
    if any(one.arg is None for one in call.keywords):
        raise NotRepaired("what is passed cannot be told")
    edits, missing = [], []
    for name, wanted in (("resolve_entities", "False"), ("no_network", "True")):
        given = keyword(call, name)
        if given is None:
            missing.append(f"{name}={wanted}")
        elif module.source(given.value) != wanted:
            edits.append(Edit(module.start(given.value), module.end(given.value), wanted))
    loads = keyword(call, "load_dtd")
    if loads is not None and module.source(loads.value) == "True":
        edits.append(Edit(module.start(loads.value), module.end(loads.value), "False"))
    if missing:
        before = arguments(module, call)
        place = module.end(before[-1]) if before else module.end(call) - 1
        edits.append(Edit(place, place, (", " if before else "") + ", ".join(missing)))
    return edits


def _features(module: Module, line: int) -> list[Edit]:
    """`parser.setFeature(feature_external_ges, True)` to False, in the function of the finding."""
    scopes = [
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module)
        and getattr(node, "lineno", 0) <= line <= getattr(node, "end_lineno", line)
    ]
    scope = max(scopes, key=lambda one: getattr(one, "lineno", 0))
    for node in inside(scope):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "setFeature"
        ):
            feature, value = (*node.args, None, None)[:2]
            external = feature is not None and qualified(module, feature).endswith(
                ("external_ges", "external_pes")
            )
            if external and isinstance(value, ast.Constant) and value.value:
                return [Edit(module.start(value), module.end(value), "False")]
    raise NotRepaired("no parser is told to follow entities there")


def defused(scene: Scene) -> Changes:
    """The standard library's parsers to those of defusedxml, where the project has it."""
    if not _is_declared(scene):
        raise NotRepaired("the project does not have defusedxml")
    module = scene.sink
    for call in scene.calls(scene.file, scene.line):
        package, _, name = qualified(module, call.func).rpartition(".")
        if package in _DEFUSED and name in ("parse", "fromstring", "XML", "iterparse", "parseString"):
            if keyword(call, "parser") is not None or len(call.args) > (1 if package != "xml.sax" else 3):
                raise NotRepaired("it has a parser of its own")
            imports, told = bring(module, _DEFUSED[package])
            return {
                scene.file: [Edit(module.start(call.func), module.end(call.func), f"{told}.{name}"), *imports]
            }
    raise NotRepaired("there is no such parser on that line")


def _is_declared(scene: Scene) -> bool:
    for name in (*_DECLARED, *_REQUIREMENTS):
        try:
            if re.search(r"(?m)^[^#\n]*\bdefusedxml\b", read_text(scene.workspace, name).text):
                return True
        except WorkspaceError:
            continue
    return False


def plain_data(scene: Scene) -> Changes:
    """`yaml.load(data)` to `yaml.safe_load(data)`, and the same for ruamel."""
    module = scene.sink
    for call in scene.calls(scene.file, scene.line):
        if not isinstance(call.func, ast.Attribute) or not isinstance(call.func.value, ast.Name):
            continue
        try:
            made = only_value(module, call.func.value)
        except NotRepaired:
            continue
        if isinstance(made, ast.Call) and qualified(module, made.func) == "ruamel.yaml.YAML":
            kind = keyword(made, "typ")
            if kind is not None and isinstance(kind.value, ast.Constant) and kind.value.value == "unsafe":
                return {scene.file: [Edit(module.start(kind.value), module.end(kind.value), '"safe"')]}
    return {scene.file: calls.safe_yaml(module)}


def literal_only(scene: Scene) -> Changes:
    """`eval(text)` to `ast.literal_eval(text)`: what is no literal is refused."""
    module = scene.sink
    for call in scene.calls(scene.file, scene.line):
        if (
            qualified(module, call.func) in ("eval", "builtins.eval")
            and len(call.args) == 1
            and not call.keywords
        ):
            _refuse_called(module, call)
            imports, name = bring(module, "ast")
            return {
                scene.file: [
                    Edit(module.start(call.func), module.end(call.func), f"{name}.literal_eval"),
                    *imports,
                ]
            }
    raise NotRepaired("there is no such call on that line")


def _refuse_called(module: Module, call: ast.Call) -> None:
    """What is called afterwards was no literal."""
    parent = module.parents[call]
    names = {one.id for one in getattr(parent, "targets", []) if isinstance(one, ast.Name)}
    for node in ast.walk(function_of(module, call)):
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
        if called or (isinstance(node, ast.Call) and node.func is call):
            raise NotRepaired("it is called afterwards")
