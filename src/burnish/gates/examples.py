"""Examples in the documentation of the code (doctests): they judge, and lie in files that a change edits."""

from __future__ import annotations

import ast
import doctest
import random
import re
from collections import Counter
from collections.abc import Iterator

from burnish.gates.probes import MAX_CHARS, Shape, example

DOCUMENTED = ("**/*.py", "**/*.md", "**/*.rst", "**/*.txt", "**/*.pyx")
_PROMPT = re.compile(r"^([ \t]*)>>> ", re.MULTILINE)
# Names by which a module or the runner's plugins leave examples out, or put others in their place.
_SWITCHES = re.compile(
    r"__test__|__doctest_skip__|__doctest_requires__|__doc__\s*=|setattr\([^\n]*__doc__|del [\w.]*__doc__"
)
Examples = Counter[tuple[str, str, str]]


def keeps_examples(path: str, old: bytes, new: bytes | None) -> bool:
    """Whether each example of the base is still there as it was, unless what it documents is gone."""
    before = old.decode("utf8", "replace")
    if not _PROMPT.search(before):
        return True
    if new is None:
        return path.endswith(".py")
    after = new.decode("utf8", "replace")
    if not path.endswith(".py"):
        return _of_text(before) <= _of_text(after)
    try:
        theirs, own = ast.parse(before[:MAX_CHARS]), ast.parse(after[:MAX_CHARS])
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return before == after
    if len(_SWITCHES.findall(after)) > len(_SWITCHES.findall(before)):
        return False
    there, bound = dict(_documented(own)), _bound(own)
    everywhere = sum(there.values(), Examples())
    for name, found in _documented(theirs):
        gone = name not in there and name.rpartition(".")[2] not in bound
        if not gone and not found <= there.get(name, everywhere):
            return False
    return True


def probe_examples(text: str, shape: Shape, chance: random.Random) -> str | None:
    """The file with one more example before the last of each docstring; None when it has none."""
    try:
        tree = ast.parse(text[:MAX_CHARS])
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    lines = text.split("\n")
    docs = [node.body[0] for _, node in _nodes(tree) if ast.get_docstring(node, clean=False)]
    found = False
    for doc in sorted(docs, key=lambda one: one.lineno, reverse=True):
        last = (doc.end_lineno or doc.lineno) - 1
        for at in range(last, doc.lineno - 1, -1):
            if prompt := _PROMPT.match(lines[at]):
                source, want = example(shape, chance)
                lines[at:at] = [f"{prompt[1]}>>> {source}", f"{prompt[1]}{want}"]
                found = True
                break
    return "\n".join(lines) if found else None


Node = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def _nodes(tree: Node, name: str = "") -> Iterator[tuple[str, Node]]:
    yield name, tree
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _nodes(node, f"{name}.{node.name}" if name else node.name)


def _documented(tree: ast.Module) -> Iterator[tuple[str, Examples]]:
    """Name of what is documented -> its examples; of two of one name the last counts, as it runs."""
    found: dict[str, Examples] = {}
    for name, node in _nodes(tree):
        text = ast.get_docstring(node) or ""
        found[name] = _of_text(text) if ">>>" in text else Examples()
    yield from found.items()


def _bound(tree: ast.Module) -> set[str]:
    """Names that a module still has: what its examples document is not gone with its definition."""
    found = {""}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
    return found


def _of_text(text: str) -> Examples:
    """What each example runs, wants and is run with; none where the text cannot be read."""
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return Examples()
    return Examples((one.source.strip(), one.want.strip(), str(sorted(one.options.items()))) for one in found)
