"""The settings of `[sandbox]`: how children are confined, and what may run where they cannot be."""

from __future__ import annotations

from pydantic import Field

from burnish.config.section import Section
from burnish.model.sandbox_mode import SandboxMode

MODE = "sandbox.mode"
RUN_UNSANDBOXED = "sandbox.run_unsandboxed"


class Sandboxing(Section):
    mode: SandboxMode = Field(default=SandboxMode.AUTO, strict=False)
    """`auto`: use bubblewrap where it works; `require`: refuse to run without it; `off`: do not use it."""
    network: bool = True
    """Whether agents may reach the network."""
    home_paths: tuple[str, ...] = Field(default=(), strict=False)
    """Paths below the home folder that agents may see, such as `.config/gh`; the rest is hidden."""
    pass_env: tuple[str, ...] = Field(default=(), strict=False)
    """Names of environment variables that agents get besides the harmless ones, such as `MY_API_KEY`."""
    run_unsandboxed: bool = False
    """Let `burnish review` and `fix` run a change's tests without a sandbox; not taken from a repository."""
