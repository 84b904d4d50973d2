"""Functions that are called from outside: which they are, and which of their parameters are untrusted."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from burnish.analysers.taint.handlers import typed
from burnish.analysers.taint.handlers.addresses import harmless_names, names
from burnish.analysers.taint.handlers.annotations import Asker
from burnish.analysers.taint.handlers.options import option_values
from burnish.analysers.taint.handlers.parameters import (
    METHODS,
    REQUESTS,
    Entry,
    every_parameter,
    from_address,
    is_method,
    is_view,
    untrusted,
)
from burnish.analysers.taint.handlers.registering import Route, belongs, imports
from burnish.analysers.taint.handlers.responses import TYPE, Response
from burnish.analysers.taint.knowledge.frameworks import Framework, Parameters
from burnish.analysers.taint.memory.state import external
from burnish.analysers.taint.memory.things import Class, Function, Obj
from burnish.analysers.taint.memory.values import (
    UNKNOWN,
    UNPROVED,
    External,
    Value,
    constant,
    of,
)

if TYPE_CHECKING:
    from burnish.analysers.taint.memory.frame import Engine, Frame
    from burnish.analysers.taint.memory.modules import Module

_TELLING = frozenset({
    "GET", "POST", "FILES", "COOKIES", "META", "query_params", "match_info", "rel_url", "path_params",
    "matchdict", "json_body",
})  # fmt: skip


def entry_of(engine: Engine, module: Module, function: Function) -> Entry:
    """The function with its parameters as whoever calls it from outside would give them."""
    routes = engine.routes.of(function)
    framework = routes[0].framework if routes else _framework(engine, module, function)
    entry = Entry(function, framework.name if framework else "")
    for one in every_parameter(function):
        entry.names[one.arg] = _by_annotation(engine, module, function, one)
    if is_method(function) and function.owner is not None:
        entry.names[function.node.args.args[0].arg] = of(engine.itself(function.owner), sure=False)
    if framework is not None:
        _of_framework(engine, module, entry, framework, routes)
    else:
        _without_framework(engine, module, entry)
    return entry


def _by_annotation(engine: Engine, module: Module, function: Function, one: ast.arg) -> Value:
    """A request wherever it is handed to; else something of the class it is said to be."""
    node = one.annotation
    if not isinstance(node, ast.Name | ast.Attribute) or module.frame is None:
        return UNKNOWN
    for ref in module.frame.value(node).refs:
        if isinstance(ref, External) and not ref.name.startswith(("builtins.", "typing.")):
            return of(External(request_names(engine).get(ref.name, ref.name)), sure=False)
    return UNKNOWN


def request_names(engine: Engine) -> dict[str, str]:
    """What annotations call a request, to what knowledge calls it."""
    found = {name: one.request for one in engine.known.frameworks for name in one.requests if one.request}
    sockets = ("fastapi.WebSocket", "starlette.websockets.WebSocket")
    upload = "starlette.datastructures.UploadFile"
    found |= dict.fromkeys(sockets, "starlette.websockets.WebSocket")
    return found | dict.fromkeys(("fastapi.UploadFile", upload, "fastapi.datastructures.UploadFile"), upload)


def _framework(engine: Engine, module: Module, function: Function) -> Framework | None:
    """Of a function that nobody was seen to register: by its class, its name and what it takes."""
    if isinstance(function.node, ast.Lambda):
        return None
    imported = imports(module)
    if function.owner is not None:
        bases = [*function.owner.foreign()]
        for one in engine.known.frameworks:
            methods = one.methods(bases)
            if function.name in methods or ("*" in methods and not function.name.startswith("_")):
                return one
            if function.name in one.views.get(one.name, ()) and _imports(imported, one):
                return one
    return _by_name(engine, function, imported)


def _imports(imported: frozenset[str], framework: Framework) -> bool:
    return any(belongs(name, framework.imports) for name in imported)


def _by_name(engine: Engine, function: Function, imported: frozenset[str]) -> Framework | None:
    args = function.node.args.args[1 if is_method(function) else 0 :]
    if not args or args[0].arg not in REQUESTS:
        return None
    wanted = [one for one in engine.known.frameworks if one.by_name]
    near = [one for one in wanted if _imports(imported, one)]
    used = _attributes(function.node, args[0].arg)
    # Where no framework is imported only words that no other library uses tell.
    chosen = [one for one in near or wanted if one.attributes & (used if near else used & _TELLING)]
    if chosen:
        return chosen[0]
    return near[0] if near else None


def _attributes(node: ast.AST, name: str) -> set[str]:
    return {
        one.attr
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == name
    }


def _of_framework(
    engine: Engine, module: Module, entry: Entry, framework: Framework, routes: list[Route]
) -> None:
    at = module.frame
    assert at is not None
    function = entry.function
    entry.pages = (framework.name in PAGES and not _answers_data(function)) or _says_page(routes)
    if routes and not any(ref is function for ref in routes[0].value.refs):
        entry.value = routes[0].value
    if framework.request:
        entry.request = of(External(framework.request))
    rest = function.node.args.args[1 if is_method(function) else 0 :]
    if is_method(function):
        _itself(entry, framework, at)
    if routes and routes[0].error:
        for one in rest:
            entry.names[one.arg] = entry.request if one.arg == "request" and entry.request else UNKNOWN
        return
    if framework.parameters is Parameters.TYPED:
        _typed(engine, at, entry, framework.name)
        return
    if framework.parameters is Parameters.ALL:
        for one in (*rest, *function.node.args.kwonlyargs):
            entry.names[one.arg] = untrusted(at, one.arg, one.lineno, framework.name)
        return
    if entry.request is not None and rest and _takes_request(function, rest[0]):
        entry.names[rest[0].arg] = entry.request
        rest = rest[1:]
    if framework.response and rest:
        entry.answer = Response(framework.response, module, function.node)
        entry.answer.table[TYPE] = constant("application/json")
        entry.names[rest[0].arg] = of(entry.answer)
        rest = rest[1:]
    addresses = [route.address for route in routes]
    if function.owner is not None:
        addresses += engine.routes.addresses(function.owner)
    addresses = [one for one in addresses if one]
    _harmless_parts(engine, framework.request, addresses)
    if framework.parameters is Parameters.ADDRESS:
        from_address(at, entry, framework.name, rest, addresses)


def _harmless_parts(engine: Engine, request: str, addresses: list[str]) -> None:
    """What a pattern keeps harmless is so wherever it is read: `request.match_info["number"]`."""
    for name in {name for address in addresses for name in harmless_names(address)}:
        if all(name in harmless_names(address) or name not in names(address) for address in addresses):
            for holder in ("match_info", "path_params", "matchdict", "resolver_match.kwargs"):
                engine.heap.put(engine.state, f"{request}.{holder}[{name!r}]", UNPROVED)


# Frameworks where a text that is returned is a page.
PAGES = frozenset({"flask", "quart", "bottle", "cherrypy", "pyramid"})


def _takes_request(function: Function, first: ast.arg) -> bool:
    """Methods that a framework calls with something else say what they take."""
    return not is_method(function) or first.arg in REQUESTS or function.name in METHODS or is_view(function)


def _answers_data(function: Function) -> bool:
    """Resources whose results become JSON."""
    bases = function.owner.foreign() if function.owner else []
    return any(base.startswith(("flask_restful.", "flask_restx.", "flask_restplus.")) for base in bases)


def _says_page(routes: list[Route]) -> bool:
    """`@app.get("/", response_class=HTMLResponse)`."""
    values = [route.options["response_class"] for route in routes if "response_class" in route.options]
    return any("HTML" in getattr(ref, "name", "") for value in values for ref in value.refs)


def _itself(entry: Entry, framework: Framework, at: Frame) -> None:
    """A view with its request, as the framework sets it up."""
    made = Obj("instance", entry.function.owner)
    if entry.function.owner is not None:
        known = at.engine.itself(entry.function.owner).table
        if id(known) in at.engine.routes.initialized:
            made.table |= known
    line = getattr(entry.function.node, "lineno", 1)
    if entry.request is not None:
        made.table[".request"] = entry.request
    if framework.name == "django":
        _form(entry)
        rest = untrusted(at, "kwargs", line, framework.name)
        made.table[".kwargs"], made.table[".args"] = rest, rest
    entry.names[entry.function.node.args.args[0].arg] = of(made)


def _form(entry: Entry) -> None:
    """`form_valid(self, form)`: the form that the class says."""
    owner = entry.function.owner
    found = owner.find("form_class") if owner else None
    forms = [ref for ref in found.refs if isinstance(ref, Class)] if found else []
    if "form" in entry.names:
        entry.names["form"] = of(Obj("instance", forms[0])) if forms else of(External("django.forms.Form"))


def _typed(engine: Engine, at: Frame, entry: Entry, framework: str) -> None:
    def make(where: Frame, name: str, line: int) -> Value:
        return untrusted(where, name, line, framework)

    ask = Asker(at, make, request_names(engine))
    given = typed.parameters(ask, entry.function, skip=1 if is_method(entry.function) else 0)
    entry.names |= given.keywords
    for one in every_parameter(entry.function):
        if one.arg in REQUESTS and one.annotation is None and entry.request is not None:
            entry.names[one.arg] = entry.request


def _is_servicer(function: Function) -> bool:
    return function.owner is not None and any(base.endswith("Servicer") for base in function.owner.foreign())


def _without_framework(engine: Engine, module: Module, entry: Entry) -> None:
    """Functions that a server, a cloud or a command line calls by convention."""
    function, at = entry.function, module.frame
    assert at is not None
    plain = [one.arg for one in function.node.args.args if one.arg != "self"]
    line = getattr(function.node, "lineno", 1)
    if plain[:2] == ["event", "context"] or (plain and function.name == "lambda_handler"):
        entry.framework = "cloud"
        entry.names[plain[0]] = external(at, "cloud.event", function.node)
    elif len(plain) == 2 and plain[0] in ("environ", "env") and plain[1] == "start_response":
        entry.framework = "wsgi"
        entry.names[plain[0]] = external(at, "wsgi.environ", function.node)
        entry.names["start_response"] = of(External("wsgi.start_response"))
    elif plain == ["scope", "receive", "send"]:
        entry.framework = "asgi"
        entry.names["scope"] = external(at, "asgi.scope", function.node)
        entry.names["receive"] = of(External("asgi.receive"))
    elif function.name.startswith(("resolve_", "mutate")) and "info" in plain[:2]:
        entry.framework = "graphql"
        for name in plain[plain.index("info") + 1 :]:
            entry.names[name] = untrusted(at, name, line, "graphql")
    elif plain == ["request", "context"] and _is_servicer(function):
        entry.framework = "grpc"
        entry.names["request"] = untrusted(at, "request", line, "grpc")
    elif found := option_values(engine, function):
        for name, value in found.items():
            entry.names[name] = untrusted(at, name, line, "", "argv") if value is None else value
