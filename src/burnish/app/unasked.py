"""Code of a change that others wrote is executed in a sandbox, or where a person allowed it without one."""

from __future__ import annotations

from burnish.app.spec import Confinement
from burnish.config.load import Loaded
from burnish.config.sandbox_settings import MODE
from burnish.model.sandbox_mode import SandboxMode
from burnish.process.no_sandbox import remedy, why_none

NO_SANDBOX = "no sandbox"
ALLOWING = "or allow it: --run-unsandboxed"


def why_not_run(held: Confinement) -> str:
    """Why nothing of a change may be executed, in a few words; empty where it may."""
    why = why_none(SandboxMode(held.mode))
    return f"{NO_SANDBOX} ({why})" if why and not held.run_unsandboxed else ""


def tests_notice(held: Confinement, *, fix: bool) -> str:
    """What becomes of a change's tests where there is no sandbox; empty where there is one."""
    mode = SandboxMode(held.mode)
    why = why_none(mode)
    if not why:
        return ""
    if held.run_unsandboxed:
        return f"tests run unsandboxed, as you allowed: {why}"
    untested = "; fixes are not tested" if fix else ""
    return f"tests not run: {NO_SANDBOX} ({why}; {remedy(mode)}, {ALLOWING}){untested}"


def review_confinement(loaded: Loaded) -> tuple[Confinement, str]:
    """How a review's children are confined, and what to say of it: a repository does not loosen that."""
    asked = loaded.settings.sandbox
    mode, told = asked.mode, ""
    if mode is SandboxMode.OFF and MODE in loaded.of_repository:
        mode = SandboxMode.AUTO
        told = f"{loaded.origins[MODE]}: {MODE} = off is ignored: a repository does not loosen its review"
    held = Confinement(mode, asked.network, asked.home_paths, asked.pass_env, asked.run_unsandboxed)
    return held, told


def run_notice(loaded: Loaded) -> str:
    """What to say of a run whose sandbox the repository switched off."""
    if loaded.settings.sandbox.mode is not SandboxMode.OFF or MODE not in loaded.of_repository:
        return ""
    return (
        f"agents and the gate run unsandboxed: {loaded.origins[MODE]} says so (--sandbox auto overrules it)"
    )
