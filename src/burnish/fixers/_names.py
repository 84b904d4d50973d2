"""What names in a Python module stand for by its imports, and imports that are added or no longer needed."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from burnish.fixers._python import Edit, Module, NotRepaired, dotted, first_line

Import = ast.Import | ast.ImportFrom


@lru_cache(maxsize=16)
def imported(module: Module) -> Mapping[str, str]:
    """What each imported name stands for: `{"ET": "xml.etree.ElementTree", "escape": "html.escape"}`."""
    found: dict[str, str] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            for alias in node.names:
                found[alias.asname or alias.name] = (
                    f"{start}.{alias.name}" if start.strip(".") else start + alias.name
                )
    return MappingProxyType(found)


def packages(module: Module) -> set[str]:
    """Every module that is named by an import, with the parts of its path."""
    found: set[str] = set()
    for node in ast.walk(module.tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            found |= {".".join(parts[:at]) for at in range(1, len(parts) + 1)}
    return found


def qualified(module: Module, node: ast.AST) -> str:
    """`hashlib.md5` for whatever the module calls it; empty for what is no plain name."""
    name = dotted(node)
    if not name:
        return ""
    first, _, rest = name.partition(".")
    known = imported(module).get(first, first)
    return f"{known}.{rest}" if rest else known


def bring(module: Module, package: str, name: str = "") -> tuple[list[Edit], str]:
    """What imports a module, or a name of it, at the top; and what it is called there."""
    wanted = f"{package}.{name}" if name else package
    for statement in module.tree.body:
        if isinstance(statement, ast.ImportFrom if name else ast.Import) and isinstance(statement, Import):
            for alias in statement.names:
                start = f"{statement.module}." if isinstance(statement, ast.ImportFrom) else ""
                if f"{start}{alias.name}" == wanted and not getattr(statement, "level", 0):
                    return [], alias.asname or alias.name
    if (name or package.split(".")[0]) in _bound(module) - (set() if name else _packages_of(module)):
        raise NotRepaired(f"{name or package} means something else here")
    if name and (beside := _beside(module, package, name)) is not None:
        return [beside], name
    line = f"from {package} import {name}" if name else f"import {package}"
    return [_placed(module, line, package)], name or package


def _beside(module: Module, package: str, name: str) -> Edit | None:
    """The name among those that are imported from there already."""
    for statement in _block(module):
        own = isinstance(statement, ast.ImportFrom) and statement.module == package and not statement.level
        if own and statement.names[0].name != "*":
            for alias in statement.names:
                if _order(alias.name) > _order(name):
                    place = module.at(alias.lineno, alias.col_offset)
                    return Edit(place, place, f"{name}, ")
            last = statement.names[-1]
            place = module.at(last.end_lineno or last.lineno, last.end_col_offset or 0)
            return Edit(place, place, f", {name}")
    return None


def _order(name: str) -> tuple[int, str]:
    """As most sort them: constants, classes, functions."""
    return 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2, name


def _bound(module: Module) -> set[str]:
    """Every name that the module gives to something, wherever."""
    return set(imported(module)) | _given(module)


def _given(module: Module) -> set[str]:
    """What is not imported: assigned, defined, a parameter."""
    found: set[str] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return found


def _packages_of(module: Module) -> set[str]:
    """Names that only `import name.part` gives, so that another part may come beside it."""
    imports = [node for node in ast.walk(module.tree) if isinstance(node, ast.Import)]
    found = {
        alias.name.split(".")[0]
        for node in imports
        for alias in node.names
        if "." in alias.name and not alias.asname
    }
    return {name for name in found if imported(module)[name] == name} - _given(module)


def _placed(module: Module, line: str, package: str) -> Edit:
    """Among the imports at the top, sorted as most do: the standard library, then packages, then our own."""
    block = _block(module)
    if not block:
        place = module.starts[_first_line(module) - 1]
        return Edit(place, place, f"{line}{module.newline * 2}")
    key = _key(line, package)
    before = [one for one in block if _key_of(one) <= key]
    if before:
        apart = module.newline if _key_of(before[-1])[0] != key[0] else ""
        place = module.end(before[-1])
        return Edit(place, place, f"{module.newline}{apart}{line}")
    apart = module.newline if _key_of(block[0])[0] != key[0] else ""
    place = module.starts[block[0].lineno - 1]
    return Edit(place, place, f"{line}{module.newline}{apart}")


def _block(module: Module) -> list[Import]:
    """The imports at the top, each on lines of its own."""
    found: list[Import] = []
    for node in module.tree.body:
        if isinstance(node, Import):
            if not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
                found.append(node)
        elif found or not _is_docstring(node):
            break
    if any(a.end_lineno == b.lineno for a, b in pairwise(found)):
        raise NotRepaired("there is no place for an import")
    return found


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _first_line(module: Module) -> int:
    for node in module.tree.body:
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not _is_docstring(node) and not future:
            return first_line(node)
    raise NotRepaired("there is no place for an import")


def _key(line: str, package: str) -> tuple[int, bool, str]:
    root = package.lstrip(".").split(".")[0]
    own = 3 if package.startswith(".") else 1 if root in sys.stdlib_module_names else 2
    return own, line.startswith("from "), package.lower()


def _key_of(node: Import) -> tuple[int, bool, str]:
    if isinstance(node, ast.ImportFrom):
        return _key("from ", "." * node.level + (node.module or ""))
    return _key("import ", node.names[0].name)


def unused_since(module: Module, after: Module) -> list[Edit]:
    """What takes the imports at the top of `after` away that `module` needed and `after` does not."""
    used, left = _used(module), _used(after)
    edits: list[Edit] = []
    for statement in _block(after):
        gone = [
            alias
            for alias in statement.names
            if (name := alias.asname or alias.name.split(".")[0]) in used and name not in left and name != "*"
        ]
        if gone:
            edits += _without(after, statement, gone)
    return edits


def _used(module: Module) -> set[str]:
    """Names that are read, also in a text (`__all__`, annotations)."""
    found = {node.id for node in ast.walk(module.tree) if isinstance(node, ast.Name)}
    texts = [node.value for node in ast.walk(module.tree) if isinstance(node, ast.Constant)]
    return found | {text for text in texts if isinstance(text, str)}


def _without(module: Module, statement: Import, gone: list[ast.alias]) -> list[Edit]:
    start, end = module.starts[statement.lineno - 1], module.end(statement)
    if len(gone) == len(statement.names):
        rest = module.text[end:].split("\n", 1)[0]
        if rest.strip() or module.start(statement) != start:
            return []
        last = min(end + len(rest) + 1, len(module.text))
        # Where it stood alone one of the empty lines around it goes too.
        alone = not module.text[:start].rstrip("\r\n \t") or module.text[:start].endswith(
            ("\n\n", "\r\n\r\n")
        )
        if alone and (empty := re.compile(r"[ \t]*\r?\n").match(module.text, last)):
            last = empty.end()
        return [Edit(start, last, "")]
    edits = []
    for alias in gone:
        at = statement.names.index(alias)
        first = module.at(alias.lineno, alias.col_offset)
        last = module.at(alias.end_lineno or alias.lineno, alias.end_col_offset or 0)
        if at + 1 < len(statement.names):
            follower = statement.names[at + 1]
            edits.append(Edit(first, module.at(follower.lineno, follower.col_offset), ""))
        else:
            former = statement.names[at - 1]
            place = module.at(former.end_lineno or former.lineno, former.end_col_offset or 0)
            edits.append(Edit(place, last, ""))
    return edits
