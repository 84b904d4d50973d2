"""burnish.yaml: the same settings in a small, safe part of YAML (no aliases, no tags, no yes/no booleans)."""

from __future__ import annotations

import re
from typing import Any

from burnish.errors import UsageError

MAX_DEPTH = 50


def parse(text: str, *, name: str = "burnish.yaml") -> tuple[dict[str, Any], dict[str, int]]:
    """Content and lines; raises ValueError for what is not such YAML."""
    try:
        import yaml  # type: ignore[import-untyped]
    except ModuleNotFoundError:
        raise UsageError(
            f"reading {name} needs PyYAML, which is not installed",
            hint="pip install 'burnish[yaml]', or write the same settings to burnish.toml"
            if name == "burnish.yaml"
            else "pip install 'burnish[yaml]'",
        ) from None
    _refuse_deep(text)
    try:
        content, lines = _decode(yaml, text)
    except yaml.YAMLError as error:
        raise ValueError(_sentence(error)) from None
    if not isinstance(content, dict):
        raise ValueError(f"expected keys and values, found a {type(content).__name__}")
    if not all(isinstance(key, str) for key in content):
        raise ValueError("every key must be a text")
    return content, lines


def _refuse_deep(text: str) -> None:
    """Brackets in brackets: reading them takes the square of their number."""
    depth = 0
    for bracket in re.findall(r"[\[{\]}]", text):
        depth = max(0, depth + (1 if bracket in "[{" else -1))
        if depth > MAX_DEPTH:
            raise ValueError(f"nested too deeply, more than {MAX_DEPTH} levels")


def _decode(yaml: Any, text: str) -> tuple[Any, dict[str, int]]:
    loader = _loader(yaml)(text)
    try:
        root = loader.get_single_node()
        lines: dict[str, int] = {}
        _lines(yaml, root, "", lines)
        return ({} if root is None else loader.construct_document(root)), lines
    finally:
        loader.dispose()


def _loader(yaml: Any) -> Any:
    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        """Refuses aliases (a few lines of them unfold into gigabytes) and keys that are said twice."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                event = self.peek_event()
                raise yaml.YAMLError(f"aliases such as *{event.anchor} are not accepted here")
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            found = super().construct_mapping(node, deep=deep)
            if len(found) != len(node.value):
                raise yaml.YAMLError(f"a key is given twice in the table at line {node.start_mark.line + 1}")
            return found

    # YAML 1.1 reads `off` as false, which would break `sandbox: {mode: off}`.
    Loader.yaml_implicit_resolvers = {
        first: [entry for entry in entries if entry[0] != "tag:yaml.org,2002:bool"]
        for first, entries in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    Loader.add_implicit_resolver(
        "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
    )
    return Loader


def _lines(yaml: Any, node: Any, prefix: str, found: dict[str, int]) -> None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            name = f"{prefix}{key.value}"
            found.setdefault(name, key.start_mark.line + 1)
            _lines(yaml, value, f"{name}.", found)


def _sentence(error: Any) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f" (at line {mark.line + 1}, column {mark.column + 1})" if mark else ""
    return f"{getattr(error, 'problem', None) or error}{where}".replace("\n", " ")
