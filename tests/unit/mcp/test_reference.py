"""docs/reference/mcp.md names every tool and every argument that there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from burnish.mcp.host_tools import TOOLS as HOST
from burnish.tools.catalogue import TOOLS

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "mcp.md").read_text("utf8")
ALL = {
    **{name: tool.input for name, tool in HOST.items()},
    **{name: tool.input for name, tool in TOOLS.items()},
}


@pytest.mark.parametrize("name", ALL)
def test_the_page_has_the_tool_with_its_arguments(name: str) -> None:
    [row] = [line for line in PAGE.splitlines() if line.startswith(f"| `{name}` |")]
    told = set(re.findall(r"`(\w+)`\*{0,2} \(", row.rpartition(" | ")[2]))
    assert told == set(ALL[name].model_fields) - {"repository"}


def test_the_page_has_no_tool_that_is_not_there() -> None:
    rows = set(re.findall(r"^\| `([a-z_]+)` \|", PAGE, re.MULTILINE))
    assert rows == set(ALL)
