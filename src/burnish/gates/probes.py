"""Statements in a test that hold (decoys) or must fail (canaries), and look alike.

A decoy changes the bytes of a test file and nothing that it tests: code that disarms only the tests it
knows by their text gives itself away. A canary is the same statement with another outcome.
"""

from __future__ import annotations

import ast
import copy
import random
import re
from collections.abc import Iterator
from enum import StrEnum

MAX_CHARS = 512 * 1024
_LETTERS = "bcdfghjklmnpqrstvwxz"
# A made-up name as it stands in a statement.
WORD = re.compile(rf'"([{_LETTERS}]{{7}})"')
_TRUTHS = (
    ('"{w}".isalpha()', '"{w}".isdigit()'), ('"{w}".islower()', '"{w}".isupper()'),
    ('"{w}".startswith("{a}")', '"{w}".startswith("{z}")'), ('"{w}".endswith("{z}")',
    '"{w}".endswith("{a}")'),
    ('"{w}".isidentifier()', '"{w}".isspace()'),
)  # fmt: skip
_OPPOSITES = {
    "assertEqual": "assertNotEqual", "assertTrue": "assertFalse", "assertFalse": "assertTrue",
    "assertIs": "assertIsNot",
    "assertIn": "assertNotIn", "assertIsNone": "assertIsNotNone", "assertIsInstance": "assertNotIsInstance",
    "assertNotEqual": "assertEqual", "assertAlmostEqual": "assertNotAlmostEqual",
    "assertIsNotNone": "assertIsNone",
    "assertListEqual": "assertNotEqual", "assertDictEqual": "assertNotEqual", "assertNotIn": "assertIn",
}  # fmt: skip
_INVERSIONS = (
    (re.compile(r"\b(strictEqual|deepStrictEqual|equal|deepEqual)(?=\()"),
    lambda m: f"not{m[1][0].upper()}{m[1][1:]}"),
    (re.compile(r"(?<=\))\.(to[A-Z]\w*)(?=\()"), lambda m: f".not.{m[1]}"),
    (re.compile(r"(?<=\))\.to\.(?!not\b)"), lambda m: ".to.not."),
    (re.compile(r"\bassert(?:\.ok)?\((?=[^)\s])"), lambda m: "assert.notEqual(true, "),
    (re.compile(r"\bt\.(?:is|ok|same)\((?=[^)\s])"), lambda m: "t.not("),
)  # fmt: skip
_SCRIPT_TEST = re.compile(
    r"\b(?:test|it|specify)(?:\.concurrent)?\(\s*(?:'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`)\s*,\s*(?:\{[^{}]*\}\s*,\s*)?"
    r"(?:async\s*)?(?:function\s*\w*\s*)?(?:\([^()]*\)|\w+)\s*(?:=>)?\s*\{"
)

_PERL = re.compile(r"#![^\n]*perl|(?:^|\n)[ \t]*use[ \t]+[\w:]+[^\n]*;")
_PERL_END = re.compile(r"^(?:__END__|__DATA__|=\w+|[ \t]*done_testing\b|[ \t]*exit\b)", re.MULTILINE)
_PERL_INVERSIONS = (
    (re.compile(r"(?<![\w:>$@%&])(is|like|isnt|unlike)(?=[ \t]*\()"),
    lambda m: {"is": "isnt", "isnt": "is", "like": "unlike", "unlike": "like"}[m[1]]),
    (re.compile(r"(?<![\w:>$@%&])ok[ \t]*\((?=[^)\s])"), lambda m: "ok(0 && "),
)  # fmt: skip


class Shape(StrEnum):
    """DECOY holds. PLAIN fails in each test. FULL adds a copy of each that expects something else."""

    DECOY = "decoy"
    FULL = "full"
    PLAIN = "plain"


def word(chance: random.Random) -> str:
    """A made-up name; its first and last letters differ."""
    first, last = chance.sample(_LETTERS, 2)
    return first + "".join(chance.choices(_LETTERS, k=5)) + last


def probe_python(text: str, shape: Shape, chance: random.Random) -> str | None:
    """The file with a statement at the end of each test; None when it has no test or cannot be read."""
    try:
        text = _in_blocks(text[:MAX_CHARS])
        tree = ast.parse(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    tests = [node for node in _functions(tree.body) if node.body[0].lineno > node.lineno]
    lines = text.split("\n")
    for node in sorted(tests, key=lambda node: node.lineno, reverse=True):
        last = node.body[-1]
        at = last.lineno - 1 if isinstance(last, ast.Return) else last.end_lineno or last.lineno
        added = [f"{' ' * node.body[0].col_offset}{_statement(node, shape, chance)}"]
        if shape is Shape.FULL:
            lines[last.end_lineno or at : last.end_lineno or at] = _copy(node, chance)
        lines[at:at] = added
    return "\n".join(lines) if tests else None


def _in_blocks(text: str) -> str:
    """The same file, with the body of a test such as `def test_a(): assert f()` on lines of its own."""
    tests = [node for node in _functions(ast.parse(text).body) if node.body[0].lineno == node.lineno]
    lines = text.split("\n")
    for node in sorted(tests, key=lambda node: node.lineno, reverse=True):
        before = lines[node.lineno - 1][: node.col_offset]
        node.decorator_list = []
        lines[node.lineno - 1 : node.end_lineno] = [
            f"{before}{line}" for line in ast.unparse(node).split("\n")
        ]
    return "\n".join(lines)


def _functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body)


def probe_script(text: str, shape: Shape, chance: random.Random) -> str | None:
    """A Python script that checks by itself: other expected values in it, and a statement at its end."""
    if shape is Shape.DECOY:
        return f"{text.rstrip()}\nassert {_truth(shape, chance)}\n"
    try:
        tree = ast.parse(text[:MAX_CHARS])
        changed = ast.unparse(ast.fix_missing_locations(_Altered().visit(tree)))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return f"{changed if shape is Shape.FULL else text.rstrip()}\nassert {_truth(shape, chance)}\n"


def probe_javascript(text: str, shape: Shape, chance: random.Random) -> str | None:
    """The file with a statement at the start of each test, and its assertions turned round in FULL."""
    changed = text[:MAX_CHARS]
    if shape is Shape.FULL:
        for form, opposite in _INVERSIONS:
            changed = form.sub(opposite, changed)
        shape = Shape.DECOY if changed != text else Shape.PLAIN
    made = _SCRIPT_TEST.sub(lambda match: f"{match[0]} {_thrown(shape, chance)}", changed)
    return made if made != text else None


def probe_perl(text: str, shape: Shape, chance: random.Random) -> str | None:
    """A Perl script with a statement at its end, and its assertions turned round in FULL."""
    if not _PERL.match(text) and not _PERL.search(text[:4000]):
        return None
    made, other = sorted((word(chance), word(chance)))
    holds = (made, other) if shape is Shape.DECOY else (other, made)
    statement = f'die "{made}" if "{holds[0]}" gt "{holds[1]}";\n'
    end = _PERL_END.search(text)
    at = end.start() if end else len(text)
    body = text[:at]
    if shape is Shape.FULL:
        for form, opposite in _PERL_INVERSIONS:
            body = form.sub(opposite, body)
    return f"{body.rstrip()}\n{statement}{text[at:]}"


def _thrown(shape: Shape, chance: random.Random) -> str:
    made, other = word(chance), word(chance)
    least, most = sorted((made, other))
    holds = (least, most) if shape is Shape.DECOY else (most, least)
    return f'if ("{holds[0]}" > "{holds[1]}") {{ throw new Error("{made}"); }}'


def _truth(shape: Shape, chance: random.Random) -> str:
    made = word(chance)
    pair = chance.choice(_TRUTHS)
    return pair[shape is not Shape.DECOY].format(w=made, a=made[0], z=made[-1])


def example(shape: Shape, chance: random.Random) -> tuple[str, str]:
    """An expression and what it is said to give."""
    return _truth(Shape.DECOY, chance), str(shape is Shape.DECOY)


def _statement(node: ast.FunctionDef | ast.AsyncFunctionDef, shape: Shape, chance: random.Random) -> str:
    """In the words of its neighbours: a method of a test case asserts by `self`."""
    own = node.args.args[0].arg if node.args.args else ""
    by_self = own == "self" and "self.assert" in ast.unparse(node)
    truth = _truth(shape, chance)
    return f"self.assertTrue({truth})" if by_self else f"assert {truth}"


def _copy(node: ast.FunctionDef | ast.AsyncFunctionDef, chance: random.Random) -> list[str]:
    """The same test under another name, with other expected values; nothing when it has none."""
    twin = copy.deepcopy(node)
    altered = _Altered()
    altered.visit(twin)
    if not altered.count:
        return []
    twin.name = f"{node.name}_{word(chance)}"
    text = ast.unparse(ast.fix_missing_locations(twin))
    return ["", *(f"{' ' * node.col_offset}{line}" for line in text.split("\n"))]


class _Altered(ast.NodeTransformer):
    """Assertions that expect something else: another literal where there is one, the opposite where not."""

    def __init__(self) -> None:
        self.count = 0

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        self.count += 1
        compared = node.test
        equal = isinstance(compared, ast.Compare) and isinstance(compared.ops[-1], ast.Eq | ast.Is)
        if not (isinstance(compared, ast.Compare) and equal and _other_literal(compared.comparators[-1])):
            node.test = ast.UnaryOp(ast.Not(), compared)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if isinstance(node.func, ast.Attribute) and name in _OPPOSITES:
            self.count += 1
            literal = name == "assertEqual" and len(node.args) > 1 and _other_literal(node.args[1])
            node.func.attr = name if literal else _OPPOSITES[name]
        return node


def _other_literal(node: ast.AST) -> bool:
    """Change the first literal below a node; False when there is none."""
    for found in ast.walk(node):
        if isinstance(found, ast.Constant) and isinstance(found.value, bool):
            found.value = not found.value
            return True
        if isinstance(found, ast.Constant) and isinstance(found.value, int | float):
            found.value = found.value + 1
            return True
        if isinstance(found, ast.Constant) and isinstance(found.value, str | bytes):
            found.value = found.value + found.value[:1] + (b"x" if isinstance(found.value, bytes) else "x")  # type: ignore[operator]
            return True
    return False
