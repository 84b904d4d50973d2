"""docs/reference/configuration.md is written from the schema, so that it cannot be out of date."""

from __future__ import annotations

import ast
import inspect
import os
import re
from pathlib import Path

from burnish.codec import dumps
from burnish.config import sandbox_settings, schema, search_settings, slot_settings, taint_settings
from burnish.config.aliases import ALIASES
from burnish.config.entries import variable_name
from burnish.config.schema import FIELDS, Settings, value_of
from burnish.config.values import expected

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "configuration.md"

INTRODUCTION = """\
# Configuration

<!-- Written from src/burnish/config/schema.py. To renew: UPDATE_GOLDEN=1 pytest tests/unit/config/test_reference.py -->

Settings are read from these places; a later one wins, key by key (but of `[taint]` and of prices a repository drops nothing that your own
file says, and `sandbox.run_unsandboxed` is not taken from a repository):

1. your own file: `burnish.toml` in your configuration folder (`~/.config/burnish/` on Linux);
2. the repository's file: `burnish.toml` at its root, **as it is in the base commit**. A file that is only in your checkout is named
   and not used: a change under review cannot say how it is judged;
3. environment variables, such as `BURNISH_LIMITS_CYCLES=5` (lists separated by commas; an empty variable is an unset one);
4. flags of the command.

`burnish init` looks at a repository and writes a first file, with comments. Either file may be a `burnish.yaml` with the same keys
instead (`pip install 'burnish[yaml]'`). `burnish config show` prints every setting, its value and where that came from. Unknown keys
and wrong types are errors that name the place.
"""

TYPES = """\
`TYPE` above is `task`, `explore`, `plan`, `implement`, `review` or `improve`. What a task gets is the first of these that is set:

1. a flag; 2. `task_types.TYPE`; 3. `defaults`; 4. `limits` and `timeouts`; 5. the profile's own.

A `review` task has its time and model from `review_timeout_minutes` and `review_model`, else from `timeout_minutes` and `model`; an
`improve` task likewise. `burnish run` gets what an `implement` task gets, `burnish review` what a `review` task gets. What a stronger
place says in general (`BURNISH_LIMITS_CYCLES`) is stronger than what a weaker one says for a type. `burnish config show --type implement`
prints what comes of it.

A model is a name that the agent knows, or a tier, `strong` or `fast`, which the agent maps to a model of its own. A command finds them in its
environment as `BURNISH_MODEL` (empty: no name was given) and `BURNISH_TIER`.

```yaml
defaults: {auto_review: false, max_review_cycles: 3}
task_types:
  implement:
    auto_review: true
    model: opus
    review_model: sonnet
    timeout_minutes: 60
    review_timeout_minutes: 10
    improve_timeout_minutes: 30
```
"""


def meanings() -> dict[str, str]:
    """What stands below each field of the schema's source, by key."""
    texts: dict[tuple[str, str], str] = {}
    modules = (schema, sandbox_settings, slot_settings, taint_settings, search_settings)
    sources = [inspect.getsource(module) for module in modules]
    for node in [node for source in sources for node in ast.parse(source).body]:
        below = list(zip(node.body, node.body[1:], strict=False)) if isinstance(node, ast.ClassDef) else []
        for field, text in below:
            if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
                assert isinstance(field.target, ast.Name)
                assert isinstance(text.value, ast.Constant)
                texts[node.name, field.target.id] = inspect.cleandoc(text.value.value)
    return {key: texts.get((_owner(key), key.rpartition(".")[2]), "") for key in FIELDS}


def _owner(key: str) -> str:
    """The class that has the field."""
    found: schema.Section = Settings()
    for part in key.split(".")[:-1]:
        found = getattr(found, part)
    return type(found).__name__


def table() -> str:
    lines = ["| key | takes | default | meaning |", "|---|---|---|---|"]
    for key, meaning in meanings().items():
        default = value_of(Settings(), key)
        shown = f"`{dumps(default)}`" if default is not None else "unset"
        lines.append(f"| `{_by_type(key)}` | {expected(key)} | {shown} | {meaning} |")
    return "\n".join(dict.fromkeys(lines))


def _by_type(key: str) -> str:
    """The types of tasks all have the same keys: one row for each is enough."""
    return re.sub(r"^task_types\.[a-z]+\.", "task_types.TYPE.", key)


def aliases() -> str:
    lines = ["| spelling | is read as |", "|---|---|"]
    for spelled, alias in ALIASES.items():
        unit = f", times {alias.factor}" if alias.factor else ""
        lines.append(f"| `{spelled}` | `{alias.key}`{unit} |")
    return "\n".join(lines)


def page() -> str:
    example = """\
```toml
profile = "task"

[agents]
implementer = "my-agent --write"
reviewer = "my-reviewer"

[limits]
cycles = 4

[gate]
command = "pytest -q"
```"""
    parts = [INTRODUCTION, "## Example\n", example + "\n", "## Settings\n", table() + "\n"]
    parts += ["## Types of tasks\n", TYPES]
    parts += [
        "## Accepted spellings\n",
        "What the five origins of Burnish call these settings works in files too.\n",
    ]
    return "\n".join([*parts, aliases() + "\n"])


def test_the_reference_page_is_what_the_schema_says() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page(), "utf8")
    assert PAGE.read_text("utf8") == page()


def test_every_setting_says_what_it_means() -> None:
    assert [key for key, meaning in meanings().items() if not meaning] == []


def test_every_setting_has_a_variable_of_its_own() -> None:
    assert len({variable_name(key) for key in FIELDS}) == len(FIELDS)
    assert variable_name("limits.cycles") == "BURNISH_LIMITS_CYCLES"
