"""The planted bugs: where they are, the harness that judges a program, and whether two programs are the same."""

from __future__ import annotations

import ast
import hashlib
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from bench._scene import HERE

PLANTED = HERE / "labelled" / "bugs"
SHOWN, KEPT_BACK = "test_program.py", "held_back.py"
# README of the set, rule 3: cases that may be looked at while edits are chosen, by nothing but their name.
LOOKED_AT_BELOW = 64
FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


@dataclass(frozen=True)
class Bug:
    id: str
    kind: str
    line: int
    change: str

    @property
    def folder(self) -> Path:
        return PLANTED / "cases" / self.id

    @property
    def planted(self) -> str:
        return (self.folder / "program.py").read_text("utf8")

    @property
    def original(self) -> str:
        return (PLANTED / "originals" / f"{self.id}.py").read_text("utf8")

    @property
    def may_be_looked_at(self) -> bool:
        return hashlib.sha256(self.id.encode()).digest()[0] < LOOKED_AT_BELOW


def bugs() -> list[Bug]:
    listed = tomllib.loads((PLANTED / "bugs.toml").read_text("utf8"))["bug"]
    return [Bug(one["id"], one["kind"], one["line"], one["change"]) for one in listed]


def passes(bug: Bug, program: str) -> dict[str, bool]:
    """By test file: whether every test of it passes with this program, in a fresh folder and within a time limit."""
    from bench.labelled.bugs.check import outcome

    with tempfile.TemporaryDirectory(prefix="bench-bug-") as folder:
        written = Path(folder, "candidate.py")
        written.write_text(program, "utf8")
        try:
            counts = outcome(written, bug.folder)
        except TimeoutError:
            return {SHOWN: False, KEPT_BACK: False}
    return {name: set(count) == {"passed"} for name, count in counts.items()}


def identical(one: str, other: str) -> bool:
    """The same program but for layout and comments."""
    return _dumped(ast.parse(one)) == _dumped(ast.parse(other))


def equivalent(one: str, other: str) -> bool:
    """The same but for ways of writing that always mean the same, such as `a > b` and `b < a`."""
    return _dumped(_Plain().visit(ast.parse(one))) == _dumped(_Plain().visit(ast.parse(other)))


def _dumped(tree: ast.AST) -> str:
    return ast.dump(tree)


class _Plain(ast.NodeTransformer):
    """One way of writing for what can be written in two."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        flipped = FLIPPED.get(type(node.ops[0]))
        if len(node.ops) == 1 and flipped:
            return ast.Compare(node.comparators[0], [flipped()], [node.left])
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        inner = node.operand
        if isinstance(node.op, ast.Not) and isinstance(inner, ast.Compare) and len(inner.ops) == 1:
            return self.visit(ast.Compare(inner.left, [OPPOSITE[type(inner.ops[0])]()], inner.comparators))
        self.generic_visit(node)
        if isinstance(node.op, ast.USub) and isinstance(inner, ast.Constant) and isinstance(inner.value, int):
            return ast.Constant(-inner.value)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        right = node.right
        if isinstance(node.op, ast.Sub) and isinstance(right, ast.Constant) and isinstance(right.value, int):
            return ast.BinOp(node.left, ast.Add(), ast.Constant(-right.value))
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name):
            value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            return ast.Assign([node.target], self.visit(value))
        return node
