"""Redirects that stay on the site, unless the address was checked already."""

from __future__ import annotations

import ast
import re

from burnish.fixers._locals import (
    Function,
    bindings,
    fresh_name,
    function_of,
    is_parameter,
    parameters,
    readings,
)
from burnish.fixers._names import bring, packages
from burnish.fixers._python import Edit, Module, NotRepaired
from burnish.fixers._refusal import indent_of, margin_before, statement_to_guard
from burnish.fixers._scene import Changes, Scene
from burnish.fixers._strings import read
from burnish.fixers._written import one_line

REDIRECTS = frozenset(
    {"redirect", "HttpResponseRedirect", "HttpResponsePermanentRedirect", "RedirectResponse"}
    | {"HTTPFound", "HTTPSeeOther", "HTTPMovedPermanently", "HTTPTemporaryRedirect", "HTTPPermanentRedirect"}
)
NAMES = ("location", "url", "to", "redirect_to")
HOME = '"/"'


def on_this_site(scene: Scene) -> Changes:
    """`redirect(url)` with a check before it: another site's address becomes "/"."""
    module = scene.sink
    address = _address(scene, module)
    _refuse_composed(module, address)
    statement = statement_to_guard(module, address)
    scope = function_of(module, address)
    edits: list[Edit] = []
    lines = []
    if isinstance(address, ast.Name) and not _is_global(module, scope, address.id):
        name = address.id
        _refuse_checked(module, scope, name)
    else:
        name = fresh_name(scope, "target")
        lines.append(f"{name} = {one_line(module.source(address))}")
        edits.append(Edit(module.start(address), module.end(address), name))
    imports, test = _test(module, scope, name)
    margin, inner = margin_before(module, statement), indent_of(module, statement)
    lines += [f"if {test}:"]
    text = (
        "".join(f"{margin}{line}{module.newline}" for line in lines)
        + f"{inner}{name} = {HOME}{module.newline}"
    )
    place = module.starts[statement.lineno - 1]
    return {scene.file: [Edit(place, place, text), *edits, *imports]}


def _is_global(module: Module, scope: ast.AST, name: str) -> bool:
    local = bindings(scope, name) or (isinstance(scope, Function) and is_parameter(scope, name))
    return not local or isinstance(scope, ast.Module)


def _address(scene: Scene, module: Module) -> ast.expr:
    for call in scene.calls(scene.file, scene.line):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in REDIRECTS:
            named = [one.value for one in call.keywords if one.arg in NAMES]
            found = call.args[0] if call.args else named[0] if named else None
            if found is not None and not isinstance(found, ast.Starred):
                return found
    for node in ast.walk(module.tree):
        if (
            isinstance(node, ast.Assign)
            and node.lineno == scene.line
            and isinstance(node.targets[0], ast.Subscript)
        ):
            key = node.targets[0].slice
            if isinstance(key, ast.Constant) and str(key.value).lower() == "location":
                return node.value
    raise NotRepaired("there is no redirect on that line")


def _refuse_composed(module: Module, node: ast.expr) -> None:
    """An address that begins with a text of the program has a site already."""
    value: ast.expr | None = node
    if isinstance(node, ast.Name):
        given = bindings(function_of(module, node), node.id)
        parent = module.parents[given[0]] if len(given) == 1 else None
        value = parent.value if isinstance(parent, ast.Assign) else None
    if value is None:
        return
    for one in ast.walk(value):
        # A table of the program has addresses of other sites for good reason.
        if isinstance(one, ast.Name) and bindings(module.tree, one.id):
            raise NotRepaired("the program itself decides on some addresses")
    try:
        read(module, value)
    except NotRepaired:
        return
    raise NotRepaired("the address is put together")


def _refuse_checked(module: Module, scope: ast.AST, name: str) -> None:
    """Where it is looked at already, somebody knows which addresses are right; we do not."""
    for one in readings(scope, name):
        for parent in module.above(one):
            if isinstance(parent, ast.stmt):
                break
            if isinstance(parent, ast.Compare | ast.GeneratorExp):
                raise NotRepaired("the address is checked in another way")
            if isinstance(parent, ast.Call) and isinstance(module.parents[parent], ast.If | ast.UnaryOp):
                raise NotRepaired("the address is checked in another way")


def _test(module: Module, scope: Function | ast.Module, name: str) -> tuple[list[Edit], str]:
    """The condition under which an address leads elsewhere."""
    request = _request(module, scope)
    if "django" in packages(module) and request:
        imports, check = bring(module, "django.utils.http", "url_has_allowed_host_and_scheme")
        host = f"allowed_hosts={{{request}.get_host()}}, require_https={request}.is_secure()"
        return imports, f"not {check}({name}, {host})"
    if re.search(r"(?i)referr?er", ast.unparse(scope)):
        raise NotRepaired("where somebody came from is a whole address")
    imports, split = bring(module, "urllib.parse", "urlsplit")
    parts = f"{split}({name}).scheme or {split}({name}).netloc"
    return imports, f'{parts} or {name}.startswith("//") or "\\\\" in {name}'


def _request(module: Module, scope: Function | ast.Module) -> str:
    if not isinstance(scope, Function):
        return ""
    names = [one.arg for one in parameters(scope)]
    if "request" in names:
        return "request"
    uses = any(
        isinstance(node, ast.Attribute)
        and node.attr == "request"
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        for node in ast.walk(scope)
    )
    return "self.request" if names[:1] == ["self"] and uses else ""
