"""What a web handler answers: text that a browser shows is a sink."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from burnish.analysers.taint.finding.sinks import judge
from burnish.analysers.taint.handlers.responses import BODY, TYPE, Response, is_page, type_in
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.state import kept, put
from burnish.analysers.taint.memory.things import Class, Function, Obj
from burnish.analysers.taint.memory.values import NEVER, External, Value, constant

if TYPE_CHECKING:
    from burnish.analysers.taint.handlers.parameters import Entry

PAGE = "the page that is answered"
# Frameworks where the type of a text that is returned is said beside it.
_TYPES_BESIDE = {
    "bottle": "bottle.response.content_type",
    "cherrypy": "cherrypy.response.headers['Content-Type']",
}
# Where each part of a list is a part of the page.
_LISTS = frozenset({"bottle", "cherrypy", "wsgi"})
_WSGI_TYPE = "wsgi.type"
_HEADERS = {
    "http.server.BaseHTTPRequestHandler.send_header": "http.server",
    "http.server.SimpleHTTPRequestHandler.send_header": "http.server",
    "tornado.web.RequestHandler.set_header": "tornado",
}
_WRITERS = {
    "http.server.BaseHTTPRequestHandler.wfile.write": ("http.server", ""),
    "http.server.SimpleHTTPRequestHandler.wfile.write": ("http.server", ""),
    "tornado.web.RequestHandler.write": ("tornado", "text/html"),
    "tornado.web.RequestHandler.finish": ("tornado", "text/html"),
}


def check_answer(at: Frame, entry: Entry, value: Value, node: ast.AST) -> None:
    """What an entry gives back: an answer of any framework, or a text where that is a page."""
    if _of_another(at, node):
        return
    for ref in value.refs:
        if isinstance(ref, Response):
            judge_response(at, ref)
    if entry.framework == "wsgi":
        _judge_text(at, entry, value, node, kept(at, _WSGI_TYPE) or constant(""))
    elif entry.pages:
        beside = kept(at, _TYPES_BESIDE.get(entry.framework, ""))
        _judge_text(at, entry, value, node, beside or constant("text/html"))


def _of_another(at: Frame, node: ast.AST) -> bool:
    """`return other_handler()`: told there."""
    called = node.value if isinstance(node, ast.Return) else None
    if not isinstance(called, ast.Call) or not isinstance(called.func, ast.Name):
        return False
    found = at.lookup(called.func.id)
    functions = [ref for ref in found.refs if isinstance(ref, Function)] if found else []
    return any(at.engine.routes.of(one) for one in functions)


def judge_response(at: Frame, ref: Response) -> None:
    """At the place where it was made."""
    body, kind = ref.table.get(BODY, NEVER), ref.table.get(TYPE, constant(""))
    if body is NEVER:
        return
    node, place = ref.place.node, Frame(at.engine, ref.place.module)
    shown = is_page(kind, body)
    if shown:
        judge(place, "xss", body, node, what=PAGE)
    elif shown is False and (kind.sure or kind.consts is not None):
        at.engine.report.clean(place.file, getattr(node, "lineno", 0), "xss")
    else:
        at.engine.report.open(place.file, getattr(node, "lineno", 0), "xss")


def _judge_text(at: Frame, entry: Entry, value: Value, node: ast.AST, kind: Value) -> None:
    for ref in value.refs:
        if not isinstance(ref, Obj) or ref.cls is not None:
            continue
        items = ref.items()
        if ref.kind == "tuple" and items and entry.framework in ("flask", "quart"):
            # A text with a status, and headers.
            said = type_in(items[-1]) if len(items) > 1 else None
            for one in items[0].refs:
                if isinstance(one, Response):
                    judge_response(at, one)
            _judge_text(at, entry, items[0], node, said or kind)
        elif ref.kind == "generator" or (entry.framework in _LISTS and ref.kind in ("list", "tuple")):
            _judge_page(at, parts(ref.everything()), node, kind, entry.framework)
    if not any(_no_text(ref) for ref in value.refs):
        _judge_page(at, value, node, kind, entry.framework)


def _no_text(ref: object) -> bool:
    """Objects become JSON or fail; a class from outside is an answer of its own kind."""
    if isinstance(ref, External):
        return isinstance(ref, Response) or ref.name.rpartition(".")[2][:1].isupper()
    return isinstance(ref, Obj | Class | Function) and getattr(ref, "kind", "") != "encoded"


def _judge_page(at: Frame, value: Value, node: ast.AST, kind: Value, framework: str) -> None:
    shown = is_page(kind, value)
    if shown:
        judge(at, "xss", value, node, what=PAGE, framework=framework)
    elif shown is False:
        at.engine.report.clean(at.file, getattr(node, "lineno", 0), "xss")


def check_written(at: Frame, name: str, given: Arguments, node: ast.AST) -> None:
    """Handlers that write their answer: its type is what was said before."""
    if name == "wsgi.start_response":
        said = type_in(given.get(1) or NEVER)
        if said is not None:
            put(at, _WSGI_TYPE, said)
        return
    if name in _HEADERS:
        key, value = given.get(0), given.get(1)
        if key is not None and value is not None and (key.text or "").lower() == "content-type":
            put(at, f"{_HEADERS[name]} type", value)
        return
    written = given.get(0)
    if name in _WRITERS and written is not None:
        server, default = _WRITERS[name]
        if not any(isinstance(ref, Obj) for ref in written.refs):
            _judge_page(at, written, node, kept(at, f"{server} type") or constant(default), server)
