"""The style guide that cannot be forgotten: layers, sizes, one JSON decoder, no mocks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "burnish"

MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40
MAX_ARGUMENTS = 6
MAX_LOOP_LINES = 60

# A module may import from its own group and from groups with a smaller number.
LAYERS = {
    "model": 0, "errors": 0, "codec": 1, "registry": 1, "sanitise": 1, "ports": 1,
    "team_ports": 1,
    "policies": 2, "contracts": 2, "profiles": 2, "prompts": 2, "config": 2, "process": 2,
    "specs": 2, "loops": 2, "slots": 2,
    "workflows": 3, "receipts": 3, "dossier": 3,
    "agents": 4, "analysers": 4, "fixers": 4, "git": 4, "gates": 4, "store": 4, "dispatch": 4, "render": 4,
    "tools": 4,
    "app": 5, "simulator": 5,
    "cli": 6, "mcp": 6, "web": 6,
}  # fmt: skip
ADAPTERS = {name for name, layer in LAYERS.items() if layer == 4}
# Adapters stand beside the workflows: neither knows the other, `app` joins them.
FORBIDDEN = {(adapter, "workflows") for adapter in ADAPTERS} | {(name, "process") for name in ("workflows",)}
JSON_DECODERS = {"codec.py"}

FILES = sorted(SRC.rglob("*.py"))


def relative(path: Path) -> str:
    return path.relative_to(SRC).as_posix()


def group(path: Path) -> str:
    parts = path.relative_to(SRC).parts
    return parts[0] if len(parts) > 1 else parts[0].removesuffix(".py")


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf8"))


def imports(path: Path) -> Iterator[str]:
    """The groups of ours that a module imports, wherever in the file that happens."""
    for node in ast.walk(tree(path)):
        found: list[str] = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{relative(path)}: relative import"
            found = [node.module or ""]
            if node.module == "burnish":
                found = [f"burnish.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        for name in found:
            if name.startswith("burnish."):
                yield name.split(".")[1]


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_imports_point_down(path: Path) -> None:
    own = group(path)
    if own in ("__init__", "__main__"):
        return
    assert own in LAYERS, f"{relative(path)}: give {own!r} a layer"
    for other in set(imports(path)) - {own, "__version__"}:
        assert other in LAYERS, f"{relative(path)} imports {other!r}, which has no layer"
        assert LAYERS[other] <= LAYERS[own], f"{relative(path)} ({own}) imports upwards: {other}"
        assert (own, other) not in FORBIDDEN, f"{relative(path)} ({own}) must not know {other}"
        assert not (own in ADAPTERS and other in ADAPTERS), (
            f"{relative(path)}: adapters do not import each other ({other})"
        )


def test_no_two_groups_import_each_other() -> None:
    edges = {(group(path), other) for path in FILES for other in imports(path) if group(path) != "__init__"}
    both = sorted((a, b) for a, b in edges if a < b and (b, a) in edges)
    assert both == []


def test_the_model_imports_nothing_of_ours() -> None:
    assert {other for path in FILES if group(path) == "model" for other in imports(path)} <= {"model"}


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_files_are_small(path: Path) -> None:
    assert len(path.read_text("utf8").splitlines()) <= MAX_FILE_LINES


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_functions_are_short_and_take_few_arguments(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MAX_FUNCTION_LINES, (
                f"{relative(path)}:{node.lineno} {node.name} has {length} lines"
            )
            taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            taken = [argument for argument in taken if argument.arg not in ("self", "cls")]
            assert len(taken) <= MAX_ARGUMENTS, (
                f"{relative(path)}:{node.lineno} {node.name} takes {len(taken)}"
            )


def test_the_loop_can_be_read_in_one_sitting() -> None:
    loop = SRC / "workflows" / "review_loop.py"
    assert len(loop.read_text("utf8").splitlines()) < MAX_LOOP_LINES


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_json_is_decoded_in_one_module(path: Path) -> None:
    if relative(path) in JSON_DECODERS:
        return
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
            assert not {name.split(".")[0] for name in names} & {"json", "simplejson", "orjson", "pickle"}


def test_nothing_is_mocked() -> None:
    for path in [*FILES, *(ROOT / "tests").rglob("*.py")]:
        for node in ast.walk(tree(path)):
            names = (
                [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            )
            module = getattr(node, "module", "") or ""
            assert "unittest.mock" not in [*names, module], f"{path}: use the shipped fakes"
            calls = (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "monkeypatch"
            )
            assert not (calls and node.attr == "setattr"), f"{path}:{node.lineno}: patched attribute"


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(tree(path)), f"{relative(path)} has no docstring"
