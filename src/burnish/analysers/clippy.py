"""cargo clippy, where it is installed, and only in a sandbox: it builds the code and runs build scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from burnish import codec
from burnish.analysers._program import Answer, relative
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.analysers._tool import Tool
from burnish.model.review import Finding, Severity

LEVELS = {"error": Severity.HIGH, "warning": Severity.MEDIUM}
OPTIONS = ("clippy", "--offline", "--locked", "--workspace", "--message-format=json", "--quiet")


def make(setup: AnalyserSetup) -> Tool:
    return Tool(
        name="clippy",
        setup=setup,
        looks_at=lambda name: name.endswith(".rs"),
        options=lambda _: OPTIONS,
        read=read,
        # 101 is code that does not build: the answer says so too, in better words.
        exits=frozenset({0, 101}),
        command="cargo",
        # It looks at what Cargo.toml names.
        takes_files=False,
        boxed=True,
        env={"CARGO_TARGET_DIR": "{scratch}/target", "CARGO_NET_OFFLINE": "true"},
    )


def read(text: str, root: Path) -> Answer:
    said = [codec.loads(line) for line in text.split("\n") if line.strip()]
    ends = [one for one in said if one.get("reason") == "build-finished"]
    if not ends or not ends[-1]["success"]:
        raise ValueError("the code does not build here")
    messages = [one["message"] for one in said if one.get("reason") == "compiler-message"]
    found = (_finding(message, root) for message in messages)
    return Answer(tuple(finding for finding in found if finding is not None))


def _finding(message: dict[str, Any], root: Path) -> Finding | None:
    """None for a summary ("3 warnings emitted"), which has no place, and for what is inside a dependency."""
    places = [span for span in message["spans"] if span["is_primary"]]
    if not places or message["level"] not in LEVELS:
        return None
    try:
        path = relative(str(places[0]["file_name"]), root)
    except ValueError:
        return None
    code = message.get("code") or {}
    hit = Hit(
        rule=str(code.get("code") or "rustc").removeprefix("clippy::"),
        file=path,
        line=int(places[0]["line_start"]),
        end_line=int(places[0]["line_end"]),
        message=str(message["message"]),
        severity=LEVELS[message["level"]],
    )
    return classify("clippy", hit)
