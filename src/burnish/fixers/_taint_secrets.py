"""Secrets that can be guessed: random numbers and hashes that were not made for protection."""

from __future__ import annotations

import ast

from burnish.fixers._locals import only_value
from burnish.fixers._names import bring, imported, qualified
from burnish.fixers._python import Edit, Module, NotRepaired, keyword, without_argument
from burnish.fixers._scene import Changes, Scene

# What the secrets module has under a name of its own; all else is a method of its generator.
_SAME = {"random.choice": "choice", "random.getrandbits": "randbits", "random.randbytes": "token_bytes"}
_METHODS = frozenset(
    {"random", "randint", "randrange", "choices", "sample", "shuffle", "uniform", "betavariate", "gauss"}
)
_WEAK = frozenset({"md5", "sha1", "md4", "ripemd160"})
_STRONG = "sha256"


def unguessable(scene: Scene) -> Changes:
    """`random.choice(letters)` to `secrets.choice(letters)`, other functions to those of its generator."""
    for file, line in _lines(scene):
        module = scene.module(file)
        edits = [edit for node in _at(module, line) for edit in _replaced(module, node)]
        if edits:
            imports, _ = bring(module, "secrets") if "uuid4" not in edits[0].text else ([], "")
            return {file: [*edits, *imports]}
    raise NotRepaired("no such function is used there")


def _lines(scene: Scene) -> list[tuple[str, int]]:
    """The finding's place, then the way to it from its end."""
    steps = [(step.file, step.line) for step in reversed(scene.finding.flow) if step.file.endswith(".py")]
    return list(dict.fromkeys([(scene.file, scene.line), *steps]))


def _at(module: Module, line: int) -> list[ast.expr]:
    """The names that are used on a line, the outermost only."""
    return [
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute | ast.Name)
        and node.lineno == line
        and isinstance(node.ctx, ast.Load)
        and not isinstance(module.parents.get(node), ast.Attribute)
        and not any(isinstance(parent, ast.JoinedStr) for parent in module.above(node))
    ]


def _replaced(module: Module, node: ast.expr) -> list[Edit]:
    name = qualified(module, node)
    start, end = module.start(node), module.end(node)
    if name == "uuid.uuid1" and isinstance(node, ast.Attribute):
        return [Edit(start, end, module.source(node).replace("uuid1", "uuid4"))]
    if name in _SAME:
        return [Edit(start, end, f"secrets.{_SAME[name]}")]
    root, _, method = name.rpartition(".")
    if root == "random" and method in _METHODS:
        return [Edit(start, end, _fitting(module, node, method))]
    if (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id not in imported(module)
    ):
        return _generator(module, node.value)
    return []


def _fitting(module: Module, node: ast.expr, method: str) -> str:
    """`randbelow(n)` for `randrange(n)`, else the same method of a generator that cannot be guessed."""
    call = module.parents.get(node)
    plain = isinstance(call, ast.Call) and call.func is node and len(call.args) == 1 and not call.keywords
    return "secrets.randbelow" if method == "randrange" and plain else f"secrets.SystemRandom().{method}"


def _generator(module: Module, name: ast.Name) -> list[Edit]:
    """A generator of its own: `random.Random(seed)`."""
    try:
        value = only_value(module, name)
    except NotRepaired:
        return []
    if isinstance(value, ast.Call) and qualified(module, value.func) == "random.Random":
        return [Edit(module.start(value), module.end(value), "secrets.SystemRandom()")]
    return []


def stronger_hash(scene: Scene) -> Changes:
    """`hashlib.md5(data)` to `hashlib.sha256(data)`: what was stored before no longer compares."""
    for file, line in _lines(scene):
        module = scene.module(file)
        for call in scene.calls(file, line):
            if edits := _hashed(module, call):
                return {file: edits}
    raise NotRepaired("no such function is used there")


def default_hasher(scene: Scene) -> Changes:
    """`make_password(raw, hasher="md5")` to `make_password(raw)`: what was stored still verifies."""
    module = scene.sink
    for call in scene.calls(scene.file, scene.line):
        if qualified(module, call.func) == "django.contrib.auth.hashers.make_password":
            hasher = keyword(call, "hasher")
            if hasher is not None and isinstance(hasher.value, ast.Constant):
                return {scene.file: without_argument(module, call, hasher)}
    raise NotRepaired("no hasher is named there")


def _hashed(module: Module, call: ast.Call) -> list[Edit]:
    name = qualified(module, call.func)
    weak = name.rpartition(".")[2].lower() in _WEAK
    end = module.end(call.func)
    if name.startswith("hashlib.") and weak and isinstance(call.func, ast.Attribute):
        if keyword(call, "usedforsecurity") is not None:
            return []
        return [Edit(end - len(call.func.attr), end, _STRONG)]
    if name.rpartition(".")[0].endswith("hashes") and weak and isinstance(call.func, ast.Attribute):
        return [Edit(end - len(call.func.attr), end, _STRONG.upper())]
    if name in ("hashlib.new", "hmac.new", "hmac.digest"):
        return [
            edit
            for one in [*call.args, *(one.value for one in call.keywords)]
            for edit in _named(module, one)
        ]
    return []


def _named(module: Module, node: ast.expr) -> list[Edit]:
    """The algorithm as an argument: its name, or the function."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.lower() in _WEAK:
        return [Edit(module.start(node), module.end(node), f'"{_STRONG}"')]
    name = qualified(module, node)
    if name.startswith("hashlib.") and name.rpartition(".")[2] in _WEAK and isinstance(node, ast.Attribute):
        return [Edit(module.end(node) - len(node.attr), module.end(node), _STRONG)]
    return []
