"""The scenario file of the scripted agent: which step it is in, and what that step does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from burnish.agents._misdeeds import MISDEEDS
from burnish.config.files import MAX_BYTES, toml
from burnish.errors import UsageError


@dataclass(frozen=True)
class ScriptedStep:
    """What is done in a step, in this order; docs/reference/scripted.md tells each."""

    role: str | None = None
    cycle: int | None = None
    ask: int | None = None
    part: str | None = None
    prompt_has: str = ""
    ignore_stdin: bool = False
    delay_s: float = 0.0
    echo_prompt: bool = False
    write: Mapping[str, str] = field(default_factory=dict)
    append: Mapping[str, str] = field(default_factory=dict)
    replace: tuple[Mapping[str, str], ...] = ()
    delete: tuple[str, ...] = ()
    misdeeds: tuple[str, ...] = ()
    write_outside: str = ""
    show: tuple[str, ...] = ()
    connect: str = ""
    linger_s: float = 3600.0
    children: int = 200
    flood_stdout: int = 0
    flood_stderr: int = 0
    long_line: int = 0
    binary: bool = False
    half_utf8: bool = False
    report: str | None = None
    output_file: str | None = None
    usage: Mapping[str, Any] = field(default_factory=dict)
    reply: str = ""
    stderr: str = ""
    stall_s: float = 0.0
    exit_by_signal: str = ""
    exit: int = 0

    def fits(self, environ: Mapping[str, str], prompt: str) -> bool:
        wanted = {"ROLE": self.role, "CYCLE": self.cycle, "ASK": self.ask, "PART": self.part}
        return self.prompt_has in prompt and all(
            value is None or environ.get(f"BURNISH_{name}") == str(value) for name, value in wanted.items()
        )


def load(path: Path) -> tuple[ScriptedStep, ...]:
    """Read a scenario; UsageError says what is wrong with it."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES // 1024} KB")
        found = toml(path.read_text("utf8"))
    except FileNotFoundError:
        raise UsageError(
            f"no scenario file {str(path)!r}", hint="name a TOML file with [[step]] tables"
        ) from None
    except (OSError, ValueError) as error:
        raise UsageError(f"the scenario {str(path)!r} cannot be read: {error}") from None
    unknown = sorted(set(found) - {"step"})
    steps = found.get("step")
    if unknown or not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise UsageError(
            f"expected only [[step]] tables in {str(path)!r}, found {', '.join(unknown) or 'none'}",
            hint="see docs/reference/scripted.md",
        )
    return tuple(_step(number, step) for number, step in enumerate(steps, 1))


def _step(number: int, given: dict[str, Any]) -> ScriptedStep:
    known = {item.name: item for item in fields(ScriptedStep)}
    for key in given:
        if key not in known:
            raise UsageError(f"step {number} has an unknown key {key!r}", hint=f"known: {', '.join(known)}")
    values = {key: _value(number, key, value, str(known[key].type)) for key, value in given.items()}
    step = ScriptedStep(**values)
    wrong = [name for name in step.misdeeds if name not in MISDEEDS]
    if wrong:
        raise UsageError(
            f"step {number} has an unknown misdeed {wrong[0]!r}", hint=f"known: {', '.join(MISDEEDS)}"
        )
    if not all(isinstance(value, int | float | str) for value in step.usage.values()):
        raise UsageError(f"step {number}: 'usage' takes numbers and texts, found {step.usage!r}")
    return step


def _value(number: int, key: str, value: Any, kind: str) -> Any:
    """TOML's own types are the check: a number where text belongs is a mistake in the scenario."""
    wanted: Any = {"s": str, "i": (int,), "b": bool, "f": (int, float), "M": dict, "t": list}[kind[0]]
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        raise UsageError(f"step {number}: {key!r} cannot be {value!r}", hint="see docs/reference/scripted.md")
    return tuple(value) if isinstance(value, list) else value


def pick(steps: tuple[ScriptedStep, ...], environ: Mapping[str, str], prompt: str) -> ScriptedStep | None:
    """The first step that fits: no memory, so a resumed run gets the same answers."""
    return next((step for step in steps if step.fits(environ, prompt)), None)
