"""Handlers as they are registered: by a decorator, or by a call that is given one."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from burnish.analysers.taint.memory.things import Class, Function, Obj
from burnish.analysers.taint.memory.values import UNKNOWN, External, Value, of

if TYPE_CHECKING:
    from burnish.analysers.taint.knowledge.frameworks import Framework, Place
    from burnish.analysers.taint.memory.frame import Arguments, Frame
    from burnish.analysers.taint.memory.modules import Module, Modules

# Words of decorators that other libraries use as well.
_OTHERS = frozenset({
    "mock", "responses", "respx", "pytest", "requests_mock", "click", "celery", "numba", "typer",
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Route:
    """`value` is what is called: the function, or what decorators of the tree made of it."""

    framework: Framework
    function: Function
    value: Value
    address: str = ""
    options: dict[str, Value] = field(default_factory=dict)
    # It answers errors: what it is given comes from the program.
    error: bool = False


class Routes:
    def __init__(self) -> None:
        self._by_node: dict[ast.AST, list[Route]] = {}
        self._by_class: dict[ast.AST, list[str]] = {}
        # The tables of handlers that an application says what to make with.
        self.initialized: set[int] = set()
        self._calls: dict[str, tuple[Framework, tuple[Place, ...]]] | None = None
        self.hooks: list[Route] = []
        self.errors: list[tuple[Value, Route]] = []
        # Options of command lines, by function and parameter.
        self.options: dict[ast.AST, dict[str, Value | None]] = {}
        # Handlers inside of a function: an app that is put together when it is called.
        self._nested: dict[ast.AST, list[Function]] = {}

    def of(self, function: Function) -> list[Route]:
        return self._by_node.get(function.node, [])

    def addresses(self, cls: Class) -> list[str]:
        """Where a class of views was registered."""
        return [address for one in cls.line_of_bases()[:1] for address in self._by_class.get(one.node, ())]

    def add(self, route: Route) -> None:
        self._by_node.setdefault(route.function.node, []).append(route)
        self._note_nested(route.function)

    def _note_nested(self, function: Function) -> None:
        home = function.home.function if function.home else None
        if home is not None:
            known = self._nested.setdefault(home.node, [])
            if function not in known:
                known.append(function)

    def inside(self, function: Function) -> list[Function]:
        """The handlers that were made while a function ran, the last time it did."""
        return list({one.node: one for one in self._nested.get(function.node, ())}.values())

    def forget(self, function: Function) -> None:
        """It is run again: what it registered it will register again."""
        gone = {one.node for one in self._nested.pop(function.node, ())}
        for node in gone:
            self._by_node.pop(node, None)
        self.hooks = [one for one in self.hooks if not _made_in(one.function, function)]
        self.errors = [one for one in self.errors if not _made_in(one[1].function, function)]

    def decorated(self, at: Frame, decorator: ast.expr, wrapper: Value, value: Value, made: Function) -> None:
        """`decorator` was put on what decorators below made of a function."""
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        word = getattr(target, "attr", getattr(target, "id", ""))
        found = _by_word(at, word, wrapper)
        if found is None:
            return
        given = decorator.args if isinstance(decorator, ast.Call) else []
        address = _address(at, given)
        if found.name == "bottle" and word == "hook" and address != "before_request":
            return
        options = _options(at, decorator)
        route = Route(found, made, value, address, options, word in found.errors)
        if route.error:
            self.errors.append((at.value(given[0]) if given else UNKNOWN, route))
            self.add(route)
        elif word in found.hooks:
            self.hooks.append(route)
        else:
            self.add(route)

    def method(self, at: Frame, made: Function) -> None:
        """A method of a class that a framework calls before each request."""
        cls = made.owner
        if cls is None:
            return
        for framework in at.engine.known.frameworks:
            if made.name in framework.hook_methods(cls.foreign()) or _middleware(framework, cls, made):
                itself = made.bind(of(Obj("instance", cls), sure=False))
                self.hooks.append(Route(framework, made, of(itself)))
                return
            if made.home is not None and made.name in framework.methods(cls.foreign()):
                self._note_nested(made)

    def called(self, at: Frame, names: tuple[str, ...], given: Arguments, node: ast.AST) -> None:
        """A call that hands a function over to a framework."""
        if self._calls is None:
            known = at.engine.known.frameworks
            self._calls = {name: (one, places) for one in known for name, places in one.calls.items()}
        for name in names:
            if name in self._calls:
                framework, places = self._calls[name]
                self._handed_over(at, framework, places, given, node)
                return
        if names[0].endswith("()"):
            self._applied(at, names[0], given, node)
        if names[0].startswith("tornado.web.Application"):
            self._table(at, given.get(0) or given.get("handlers") or UNKNOWN, node)

    def _applied(self, at: Frame, name: str, given: Arguments, node: ast.AST) -> None:
        """`app.route("/a")(view)`."""
        decorator = getattr(node, "func", None)
        for ref in given.positional[0].refs if len(given.positional) == 1 else ():
            if isinstance(decorator, ast.Call) and isinstance(ref, Function):
                self.decorated(at, decorator, of(External(name)), of(ref), ref)

    def _handed_over(
        self, at: Frame, framework: Framework, places: tuple[Place, ...], given: Arguments, node: ast.AST
    ) -> None:
        value = next((found for place in places if (found := given.get(place))), UNKNOWN)
        address = next((one.text for one in given.all() if one.text), "") or ""
        for ref in (*value.refs, *_view_of(at, node)):
            if isinstance(ref, Function):
                self.add(Route(framework, ref, of(ref), address))
                if isinstance(ref.node, ast.Lambda) and at.function is None:
                    at.engine.known_function(Function(ref.node, ref.module, None))
            elif isinstance(ref, Class):
                self._by_class.setdefault(ref.node, []).append(address)

    def _table(self, at: Frame, value: Value, node: ast.AST) -> None:
        """Tornado's list of addresses and classes, and what each is to be made with."""
        for ref in value.refs:
            for row in (ref.items() or ()) if isinstance(ref, Obj) else ():
                for pair in row.refs:
                    items = pair.items() if isinstance(pair, Obj) else None
                    if items and len(items) > 1 and items[0].text:
                        for cls in items[1].refs:
                            if isinstance(cls, Class):
                                self._by_class.setdefault(cls.node, []).append(items[0].text)
                                if _initialized(at, cls, items[2:3], node):
                                    self.initialized.add(id(at.engine.itself(cls).table))


def _initialized(at: Frame, cls: Class, given: Sequence[Value], node: ast.AST) -> bool:
    """`(address, Handler, {"service": service})`: what `initialize` keeps is there for every request."""
    start = cls.find("initialize")
    known = [ref for value in given for ref in value.refs if isinstance(ref, Obj) and ref.kind == "dict"]
    if start is None or not known:
        return False
    from burnish.analysers.taint.memory.frame import Arguments

    named = {key: known[0].at(key) for key in known[0].known_keys() if isinstance(key, str)}
    itself = of(at.engine.itself(cls))
    for ref in start.refs:
        if isinstance(ref, Function):
            at.engine.call(at, of(ref.bind(itself)), Arguments([], named), node)
    return True


def _made_in(function: Function, home: Function) -> bool:
    return (
        function.home is not None
        and function.home.function is not None
        and (function.home.function.node is home.node)
    )


def _middleware(framework: Framework, cls: Class, made: Function) -> bool:
    """Django's: a class that is made with `get_response`, and called with each request."""
    if framework.name != "django" or made.name not in ("__call__", "process_request", "process_view"):
        return False
    starts = [one for one in cls.node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    return any(arg.arg == "get_response" for one in starts for arg in one.args.args)


def _view_of(at: Frame, node: ast.AST) -> Iterator[Class]:
    """The class in `View.as_view()`: what that gives is the framework's."""
    given = [*getattr(node, "args", ()), *(one.value for one in getattr(node, "keywords", ()))]
    for one in given:
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "as_view":
            yield from (ref for ref in at.value(one.func.value).refs if isinstance(ref, Class))


def _address(at: Frame, given: list[ast.expr]) -> str:
    found = at.value(given[0]) if given and not isinstance(given[0], ast.Call) else UNKNOWN
    return found.text or ""


def _options(at: Frame, decorator: ast.expr) -> dict[str, Value]:
    keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
    return {one.arg: at.value(one.value) for one in keywords if one.arg == "response_class"}


def _by_word(at: Frame, word: str, wrapper: Value) -> Framework | None:
    """The framework a decorator belongs to: by what it is; where that is not known, by what is imported."""
    wanted = [one for one in at.engine.known.frameworks if word in one.words | one.hooks | one.errors]
    if not wanted:
        return None
    names = [ref.name for ref in wrapper.refs if isinstance(ref, External)]
    for one in wanted:
        if any(belongs(name, one.imports) for name in names):
            return one
    roots = {name.partition(".")[0] for name in names}
    if roots & (sys.stdlib_module_names | _OTHERS | {"builtins"}):
        return None
    imported = imports(at.module)
    return next((one for one in wanted if any(belongs(name, one.imports) for name in imported)), None)


def belongs(name: str, packages: frozenset[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


# Modules beside a handler's that tell where it stands and what runs before it.
_BESIDE = (
    "urls",
    "routes",
    "routing",
    "app",
    "main",
    "server",
    "middleware",
    "middlewares",
    "hooks",
    "__init__",
)


def load_registrations(modules: Modules, module: Module) -> None:
    """Handlers are often registered next door, in a module that imports theirs."""
    folder = Path(module.file).parent
    for stem in _BESIDE:
        found = modules.by_path(stem if folder == Path() else f"{folder.as_posix()}/{stem}")
        if found is not None and found is not module:
            modules.load(found)


@lru_cache(maxsize=64)
def imports(module: Module) -> frozenset[str]:
    """The dotted names that a module imports, from wherever."""
    if module.tree is None:
        return frozenset()
    found: set[str] = set()
    for node in module.tree.body:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(found)
