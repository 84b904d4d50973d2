"""Command lines that are put together from text to lists of arguments, or with each value quoted."""

from __future__ import annotations

import ast
import re

from burnish.fixers import _shell as shell
from burnish.fixers._locals import (
    bindings,
    constant_text,
    function_of,
    is_parameter,
    readings,
    still_holds,
    value_given,
)
from burnish.fixers._names import bring, qualified
from burnish.fixers._pieces import Part, Slot
from burnish.fixers._python import Edit, Module, NotRepaired, keyword, without_argument
from burnish.fixers._scene import Changes, Scene
from burnish.fixers._strings import Built, read
from burnish.fixers._texts import is_number
from burnish.fixers._wrapping import in_place

STARTS = {f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen")}
SYSTEM = {"os.system"}
# They give back what a shell wrote, and nothing else does quite the same.
ONLY_SHELL = {"os.popen", "subprocess.getoutput", "subprocess.getstatusoutput", "commands.getoutput"}
ASYNC_SHELL = "asyncio.create_subprocess_shell"
# Values that are several words on purpose.
_SEVERAL = re.compile(r"(?i)(^|_|\b)(args?|arguments|options?|opts|flags|params|cmd|command|line)(_|\b|$)")


def without_shell(scene: Scene) -> Changes:
    """`run(f"ping {host}", shell=True)` to `run(["ping", host])`, where the command is only words."""
    module = scene.sink
    call, name = _call(scene)
    if _shell_script(call.args[0]) is not None:
        raise NotRepaired("it is a shell that was asked for")
    built, variable = _command(module, call)
    told = shell.words(_fixed(module, built))
    _refuse_several(told)
    if variable is not None and not all(
        still_holds(module, slot.node, built.node.lineno, call) for slot in built.slots
    ):
        raise NotRepaired("a value changes before the command runs")
    written = shell.as_list(told)
    if name == ASYNC_SHELL:
        edits = _awaited(module, call, variable)
        written = written if variable is not None else written[1:-1]
    else:
        edits = _started(module, call, name)
    return {scene.file: [Edit(module.start(built.node), module.end(built.node), written), *edits]}


def quoted_values(scene: Scene) -> Changes:
    """`system(f"cat {name} | wc")` to `system(f"cat {shlex.quote(name)} | wc")`."""
    module = scene.sink
    call, _ = _call(scene)
    built, _variable = _command(module, call)
    for slot in built.slots:
        if not _is_fixed(module, slot, built.node):
            _refuse_several([(slot,)])
    imports, name = bring(module, "shlex")
    parts = shell.quoted(
        [piece.parts for piece in built.pieces],
        f"{name}.quote",
        lambda slot: _is_fixed(module, slot, built.node),
    )
    return {scene.file: [*in_place(module, built, parts), *imports]}


def _call(scene: Scene) -> tuple[ast.Call, str]:
    known = STARTS | SYSTEM | ONLY_SHELL | {ASYNC_SHELL}
    for call in scene.calls(scene.file, scene.line):
        name = qualified(scene.sink, call.func)
        shelled = keyword(call, "shell")
        if name in STARTS and call.args and _shell_script(call.args[0]) is not None:
            return call, name
        if name in known and call.args and not isinstance(call.args[0], ast.Starred):
            if name in STARTS and (shelled is None or getattr(shelled.value, "value", None) is not True):
                raise NotRepaired("it starts without a shell")
            return call, name
    raise NotRepaired("there is no such command on that line")


def _shell_script(node: ast.expr) -> ast.expr | None:
    """What a shell is told in `["sh", "-c", script]`."""
    if not isinstance(node, ast.List | ast.Tuple) or len(node.elts) != 3:
        return None
    program, option = (one.value if isinstance(one, ast.Constant) else "" for one in node.elts[:2])
    return (
        node.elts[2] if str(program).rpartition("/")[2] in ("sh", "bash", "dash") and option == "-c" else None
    )


def _command(module: Module, call: ast.Call) -> tuple[Built, ast.Name | None]:
    """The parts of the command, and the variable that it is in."""
    first = _shell_script(call.args[0]) or call.args[0]
    if not isinstance(first, ast.Name):
        return read(module, first), None
    scope = function_of(module, first)
    given = bindings(scope, first.id)
    value = value_given(module, given[0]) if len(given) == 1 else None
    if value is None or is_parameter(scope, first.id) or given[0].lineno > first.lineno:
        raise NotRepaired("what the command is cannot be told")
    if len(readings(scope, first.id)) > 1:
        raise NotRepaired("the command is used elsewhere too")
    return read(module, value), first


def _fixed(module: Module, built: Built) -> list[Part]:
    """The parts, with constants of the module as the text that they are."""
    found: list[Part] = []
    for part in built.parts:
        text = (
            _text(module, part.node) if isinstance(part, Slot) and not part.spec + part.conversion else None
        )
        found.append(part if text is None else text)
    return found


def _text(module: Module, node: ast.expr) -> str | None:
    if not isinstance(node, ast.Name):
        return None
    texts = {constant_text(module, one) for one in readings(module.tree, node.id)}
    return texts.pop() if len(texts) == 1 else None


def _is_fixed(module: Module, slot: Slot, near: ast.AST) -> bool:
    return _text(module, slot.node) is not None or is_number(module, slot.node, near)


def _refuse_several(told: list[tuple[Part, ...]]) -> None:
    for word in told:
        for part in word:
            if isinstance(part, Slot) and _SEVERAL.search(_last_word(part.node)):
                raise NotRepaired("a value may be several words")


def _last_word(node: ast.expr) -> str:
    """What a value is called: `host` of `host`, `form["host"]`, `args.get("host")` and `self.host`."""
    if isinstance(node, ast.Call) and node.args and isinstance(node.func, ast.Attribute):
        key = node.args[0]
        if node.func.attr in ("get", "getlist", "pop") and isinstance(key, ast.Constant):
            return str(key.value)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    if isinstance(node, ast.Call):
        return _last_word(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _started(module: Module, call: ast.Call, name: str) -> list[Edit]:
    """The call without its shell."""
    if name in STARTS:
        shelled = keyword(call, "shell")
        assert shelled is not None
        return without_argument(module, call, shelled)
    # What os.system gives back is a wait status, which nothing else does.
    if name in SYSTEM and len(call.args) == 1 and isinstance(module.parents[call], ast.Expr):
        imports, started = bring(module, "subprocess")
        last = module.end(call) - 1
        called = Edit(module.start(call.func), module.end(call.func), f"{started}.run")
        return [called, Edit(last, last, ", check=False"), *imports]
    raise NotRepaired("it needs a shell")


def _awaited(module: Module, call: ast.Call, variable: ast.Name | None) -> list[Edit]:
    if not isinstance(call.func, ast.Attribute):
        raise NotRepaired("it is called in an unusual way")
    end = module.end(call.func)
    named = Edit(end - len(call.func.attr), end, "create_subprocess_exec")
    if variable is None:
        return [named]
    return [named, Edit(module.start(variable), module.start(variable), "*")]
