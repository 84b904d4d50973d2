"""The style guide that cannot be forgotten: layers, sizes, one JSON decoder, no mocks."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "burnish"

# How much one idea may take; how tangled a function may be is ruff's C901.
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
MAX_ARGUMENTS = 6
MAX_LOOP_LINES = 60

# A module may import from its own group and from groups with a smaller number.
LAYERS = {
    "model": 0, "errors": 0, "codec": 1, "registry": 1, "sanitise": 1, "ports": 1,
    "team_ports": 1, "repository_files": 1,
    "policies": 2, "contracts": 2, "profiles": 2, "prompts": 2, "config": 2, "process": 2,
    "specs": 2, "loops": 2, "slots": 2, "suite_output": 2,
    "workflows": 3, "receipts": 3, "dossier": 3,
    "agents": 4, "analysers": 4, "fixers": 4, "git": 4, "gates": 4, "store": 4, "dispatch": 4, "render": 4,
    "tools": 4,
    "app": 5, "simulator": 5, "corpus": 5,
    "cli": 6, "mcp": 6, "web": 6,
}  # fmt: skip
ADAPTERS = {name for name, layer in LAYERS.items() if layer == 4}
# Adapters stand beside the workflows: neither knows the other, `app` joins them.
FORBIDDEN = {(adapter, "workflows") for adapter in ADAPTERS} | {(name, "process") for name in ("workflows",)}
# Who opens files by itself, and whose: none of these paths comes from a repository or its settings.
_LAID_OUT = "a tree that git/export.py laid out: regular files only"
_PROTOCOL = "what an agent leaves in folders of ours, opened without following links"
_PACKAGE = "files of this package, or of the tool itself"
_STATE = "our own state folder, or the git directory itself"
_SYSTEM = "the system's own files"
_USER = "a path that the user gave"
RAW_READS = {
    "repository_files.py": "the one place",
    "config/load.py": _USER,
    "cli/contract.py": _USER, "agents/_scenario.py": _USER, "agents/_cassette.py": _USER,
    "agents/_private_home.py": _USER, "agents/_version.py": _USER, "agents/claude.py": _USER,
    "app/signing.py": _USER, "app/receipts.py": _USER,
    "analysers/_unsilenced.py": _LAID_OUT, "analysers/added.py": _LAID_OUT, "analysers/ruff.py": _LAID_OUT,
    "analysers/_lizard_child.py": _LAID_OUT, "analysers/_secrets_child.py": _LAID_OUT,
    "analysers/_imports_child.py": _LAID_OUT, "gates/_compiles_child.py": _LAID_OUT, "git/discovery.py": _LAID_OUT,
    "analysers/sarif.py": _USER, "analysers/_table.py": _PACKAGE, "analysers/ast_grep.py": _PACKAGE,
    "agents/_outbox.py": _PROTOCOL, "agents/_kept_session.py": _PROTOCOL, "agents/_codex_record.py": _PROTOCOL,
    "agents/scripted.py": "plays an agent, in the agent's sandbox",
    "agents/_misdeeds.py": "plays an agent, in the agent's sandbox",
    "agents/_file_changes.py": "a workspace, listed without links before",
    "gates/suppressions.py": "a checkout of ours, looked at for links before",
    "gates/canary.py": "a checkout of ours, listed without links",
    "gates/base_files.py": "a checkout of the base; links that lead out of it are refused",
    "git/filters.py": "a name of a regular file by git's own look at it; only its hash is used",
    "git/files.py": "opens without following links", "git/export.py": "writes new files only",
    "git/call.py": _STATE, "git/diff.py": _STATE, "git/index_lock.py": _STATE, "git/landing.py": _STATE,
    "git/locks.py": _STATE, "git/mirror.py": _STATE, "git/pipes.py": _STATE, "git/run_store.py": _STATE,
    "git/settings.py": _STATE, "git/memory.py": "the fake", "app/overview.py": _USER,
    "app/review_wiring.py": _STATE, "app/spec_evidence.py": _STATE, "store/database.py": _STATE,
    "tools/bridge.py": _SYSTEM, "tools/desk.py": _STATE, "cli/last_line.py": _SYSTEM, "cli/output.py": _SYSTEM,
    "store/holders.py": _SYSTEM, "process/guard.py": _SYSTEM, "process/no_sandbox.py": _SYSTEM, "process/capture.py": _STATE,
    "process/program.py": "programs on PATH", "process/tool_paths.py": "programs on PATH",
}  # fmt: skip
JSON_DECODERS = {"codec.py"}
# The parts of the data-flow pass: each may know those with a smaller number. Files beside them put it together.
TAINT = "analysers/taint/"
TAINT_PARTS = {
    "knowledge": 0, "memory": 1, "finding": 2, "guards": 3, "handlers": 3, "library": 4, "walking": 5,
}  # fmt: skip


@dataclass(frozen=True)
class Module:
    """A file, read and parsed once, whichever rules ask; `name` is its path below `src/burnish`."""

    name: str
    text: str

    @property
    def group(self) -> str:
        first, *below = self.name.split("/")
        return first if below else first.removesuffix(".py")

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(ast.parse(self.text)))

    @cached_property
    def imported(self) -> list[tuple[int, str]]:
        """What is imported in which line, wherever in the file that happens."""
        found: list[tuple[int, str]] = []
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self.name}: relative import"
                module = node.module or ""
                found += [
                    (node.lineno, module),
                    *((node.lineno, f"{module}.{each.name}") for each in node.names),
                ]
            elif isinstance(node, ast.Import):
                found += [(node.lineno, alias.name) for alias in node.names]
        return found

    @cached_property
    def imports(self) -> frozenset[str]:
        """The groups of ours that a module imports."""
        return frozenset(name.split(".")[1] for _, name in self.imported if name.startswith("burnish."))


Rule = Callable[[Module], Iterator[str]]
MODULES = [
    Module(path.relative_to(SRC).as_posix(), path.read_text("utf8")) for path in sorted(SRC.rglob("*.py"))
]


def offences(rule: Rule, modules: Iterable[Module] = MODULES) -> list[str]:
    """What a rule says of each file: all offenders at once, each by its name."""
    return [f"{module.name}: {said}" for module in modules for said in rule(module)]


def wrong_imports(module: Module) -> Iterator[str]:
    own = module.group
    if own in ("__init__", "__main__"):
        return
    if own not in LAYERS:
        yield f"give {own!r} a layer"
        return
    for other in sorted(module.imports - {own, "__version__"}):
        if other not in LAYERS:
            yield f"imports {other!r}, which has no layer"
        elif LAYERS[other] > LAYERS[own]:
            yield f"{own} imports upwards: {other}"
        elif (own, other) in FORBIDDEN:
            yield f"{own} must not know {other}"
        elif own in ADAPTERS and other in ADAPTERS:
            yield f"adapters do not import each other ({other})"


def wrong_parts(module: Module) -> Iterator[str]:
    """Types may be named upwards: what a frame is given is made by parts that know frames."""
    own, *below = module.name.removeprefix(TAINT).split("/")
    if not (module.name.startswith(TAINT) and below):
        return
    if own not in TAINT_PARTS:
        yield f"give {own!r} a place in TAINT_PARTS"
        return
    typing = {
        inner.lineno
        for node in module.nodes
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in node.body
    }
    prefix = f"burnish.{TAINT}".replace("/", ".")
    for line, name in module.imported:
        other = name.removeprefix(prefix).split(".")[0]
        if not name.startswith(prefix) or line in typing or other == own:
            continue
        if TAINT_PARTS.get(other, len(TAINT_PARTS)) >= TAINT_PARTS[own]:
            yield f"{own} must not know {other} (line {line})"


def too_many_lines(module: Module) -> Iterator[str]:
    if module.lines > MAX_FILE_LINES:
        yield f"{module.lines} lines"


def too_large_functions(module: Module) -> Iterator[str]:
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MAX_FUNCTION_LINES:
                yield f"{node.name} in line {node.lineno} has {length} lines"
            taken = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            taken = [argument for argument in taken if argument.arg not in ("self", "cls")]
            if len(taken) > MAX_ARGUMENTS:
                yield f"{node.name} in line {node.lineno} takes {len(taken)} arguments"


def own_decoders(module: Module) -> Iterator[str]:
    if module.name in JSON_DECODERS:
        return
    for node in module.nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
            found = {name.split(".")[0] for name in names} & {"json", "simplejson", "orjson", "pickle"}
            yield from (f"imports {name} in line {node.lineno}" for name in sorted(found))


def mocks(module: Module) -> Iterator[str]:
    if not ("mock" in module.text or "monkeypatch" in module.text):
        return
    for line, name in module.imported:
        if f"{name}.".startswith("unittest.mock."):
            yield f"use the shipped fakes instead of {name} (line {line})"
    for node in module.nodes:
        owner = node.value if isinstance(node, ast.Attribute) and node.attr == "setattr" else None
        if isinstance(owner, ast.Name) and owner.id == "monkeypatch":
            yield f"patched attribute in line {owner.lineno}"


def raw_reads(module: Module) -> Iterator[str]:
    """`path.read_text()`, `path.open(...)`, `os.open(...)`, `open(...)`: each follows the links of a path."""
    if module.name in RAW_READS or module.group in ("fixers", "simulator") or module.name.startswith(TAINT):
        return
    for node in module.nodes:
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        owner, _, name = called.rpartition(".")
        mode = node.args[0] if node.args else None
        opens = name == "open" and isinstance(mode, ast.Constant) and set(str(mode.value)) <= set("rwaxbt+")
        of_path = name in ("read_text", "read_bytes") or (opens and owner != "")
        if (of_path and not owner.startswith("files(")) or called in ("open", "os.open"):
            yield f"{called} in line {node.lineno}: use repository_files, or give a reason in RAW_READS"


def no_docstring(module: Module) -> Iterator[str]:
    whole = module.nodes[0]
    assert isinstance(whole, ast.Module)
    if not ast.get_docstring(whole):
        yield "has no docstring"


def test_imports_point_down() -> None:
    assert offences(wrong_imports) == []


def test_the_parts_of_the_data_flow_pass_know_each_other_in_one_direction() -> None:
    assert offences(wrong_parts) == []


def test_no_two_groups_import_each_other() -> None:
    edges = {(each.group, other) for each in MODULES for other in each.imports if each.group != "__init__"}
    both = sorted((a, b) for a, b in edges if a < b and (b, a) in edges)
    assert both == []


def test_the_model_imports_nothing_of_ours() -> None:
    assert {other for each in MODULES if each.group == "model" for other in each.imports} <= {"model"}


def test_files_of_a_repository_are_opened_at_one_place() -> None:
    assert offences(raw_reads) == []
    unused = [name for name in RAW_READS if name not in {module.name for module in MODULES}]
    assert unused == []


def test_files_are_small() -> None:
    assert offences(too_many_lines) == []


def test_functions_are_short_and_take_few_arguments() -> None:
    assert offences(too_large_functions) == []


def test_the_loop_can_be_read_in_one_sitting() -> None:
    (loop,) = [each for each in MODULES if each.name == "workflows/review_loop.py"]
    assert loop.lines < MAX_LOOP_LINES


def test_json_is_decoded_in_one_module() -> None:
    assert offences(own_decoders) == []


def test_nothing_is_mocked() -> None:
    tests = [Module(f"tests/{path.name}", path.read_text("utf8")) for path in (ROOT / "tests").rglob("*.py")]
    assert offences(mocks, [*MODULES, *tests]) == []


def test_every_module_says_what_it_is_for() -> None:
    assert offences(no_docstring) == []


WRONG = Module(
    "store/wrong.py",
    "import pickle\nimport unittest.mock\nfrom burnish import cli, workflows, git, nowhere\n"
    "monkeypatch.setattr()\ndef long(a, b, c, d, e, f, *, g):\n" + "    pass\n" * MAX_FILE_LINES,
)


def test_a_file_that_is_wrong_in_every_way_is_named_by_every_rule() -> None:
    """A rule that says nothing of this one would say nothing of any."""
    wrong = [WRONG, Module("nobodys/wrong.py", "")]
    assert offences(wrong_imports, wrong) == [
        "store/wrong.py: store imports upwards: cli",
        "store/wrong.py: adapters do not import each other (git)",
        "store/wrong.py: imports 'nowhere', which has no layer",
        "store/wrong.py: store must not know workflows",
        "nobodys/wrong.py: give 'nobodys' a layer",
    ]
    upwards = Module(
        f"{TAINT}guards/wrong.py",
        "from burnish.analysers.taint import engine\nfrom burnish.analysers.taint.walking.calls import a\n"
        "if TYPE_CHECKING:\n    from burnish.analysers.taint.library import b\n",
    )
    assert set(offences(wrong_parts, [upwards, Module(f"{TAINT}new/one.py", "")])) == {
        f"{upwards.name}: guards must not know engine (line 1)",
        f"{upwards.name}: guards must not know walking (line 2)",
        f"{TAINT}new/one.py: give 'new' a place in TAINT_PARTS",
    }
    assert offences(too_many_lines, wrong) == ["store/wrong.py: 505 lines"]
    assert offences(too_large_functions, wrong) == [
        "store/wrong.py: long in line 5 has 501 lines",
        "store/wrong.py: long in line 5 takes 7 arguments",
    ]
    assert offences(own_decoders, wrong) == ["store/wrong.py: imports pickle in line 1"]
    assert offences(mocks, wrong) == [
        "store/wrong.py: use the shipped fakes instead of unittest.mock (line 2)",
        "store/wrong.py: patched attribute in line 4",
    ]
    assert offences(no_docstring, wrong) == [
        "store/wrong.py: has no docstring",
        "nobodys/wrong.py: has no docstring",
    ]
