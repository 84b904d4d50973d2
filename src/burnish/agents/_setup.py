"""What every agent is made with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from burnish.config.prices import LIST_PRICES, PriceList
from burnish.model.sandbox_mode import SandboxMode
from burnish.ports import Agent


@dataclass(frozen=True)
class AgentSetup:
    """`environ` is filtered before a child sees it; `pass_names` are the variables passed on by name.

    `readable` and `hidden` are for the sandbox; `home_paths` (relative ones count from the home folder) stay
    visible in it. `start` is the folder that relative program paths count from: where the user stands.
    `prices` are for agents that tell tokens only.
    `embedded` is who may stand in at the end of a chain: it needs no program.
    """

    environ: Mapping[str, str]
    mode: SandboxMode = SandboxMode.AUTO
    readable: tuple[Path, ...] = ()
    home_paths: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    network: bool = True
    stall_s: float | None = None
    pass_names: tuple[str, ...] = ()
    start: Path = Path()
    prices: PriceList = LIST_PRICES
    embedded: Agent | None = None
