"""What a search may take, as the wiring leaves it in the options of the setup."""

from __future__ import annotations

from dataclasses import dataclass

from burnish import codec
from burnish.process.tool_setup import ToolSetup

# The option of the setup that holds `Limits`, as `codec.encode` writes it.
OPTION = "search"


@dataclass(frozen=True)
class Limits:
    """`max_time_s` is for one failing test, `total_time_s` for all of one run; `protected` are globs."""

    enabled: bool = True
    max_time_s: float = 120.0
    total_time_s: float = 900.0
    protected: tuple[str, ...] = ()


def limits_in(setup: ToolSetup) -> Limits:
    stored = setup.options.get(OPTION, "")
    return codec.decode(stored, Limits) if stored else Limits()
