"""The table of agents, and the lines of a round trip with one."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

from burnish.model.agent import Usage
from burnish.model.agent_view import AgentView, Login, TrialStep
from burnish.render.columns import cut, filled
from burnish.sanitise import clean_line

WIDE = 80
NAME, VERSION, LOGIN, CAN = 9, 9, 7, 28
MISSING = "missing"
NO_ROLE = "-"


def table(agents: Iterable[AgentView]) -> list[str]:
    """A line each, then what there is to say about each; no line is longer than 80 cells."""
    views = list(agents)
    rows = [_row("AGENT", "VERSION", "LOGIN", "CAN", "ROLES")]
    rows += [
        _row(view.name, _version(view), _login(view), " ".join(view.can), ", ".join(view.roles) or NO_ROLE)
        for view in views
        if view.driven
    ]
    return [*rows, "", *(line for view in views for line in _note(view))]


def steps(found: Iterable[TrialStep]) -> list[str]:
    return [line for step in found for line in step_lines(step)]


def step_lines(step: TrialStep) -> list[str]:
    """What happened in one step of a round trip, and what to do about it."""
    mark = "✓" if step.ok else "✗"
    lines = [f"{mark} {filled(step.name, 8)} {clean_line(step.told)}"]
    if spent := _spent(step):
        lines.append(f"  {filled('', 8)} {spent}")
    if step.remedy:
        lines.append(f"  {filled('', 8)} remedy: {clean_line(step.remedy)}")
    return lines


def total(found: Iterable[TrialStep]) -> str:
    """The sum of what a round trip took."""
    usage = Usage()
    for step in found:
        usage += step.usage
    return _usage(usage)


def _row(name: str, version: str, login: str, can: str, roles: str) -> str:
    cells = (
        (clean_line(name), NAME),
        (clean_line(version), VERSION),
        (login, LOGIN),
        (can, CAN),
    )
    start = " ".join(filled(cut(text, wide), wide) for text, wide in cells)
    return cut(f"{start} {roles}", WIDE).rstrip()


def _login(view: AgentView) -> str:
    return view.login if view.installed else Login.NOT_NEEDED


def _version(view: AgentView) -> str:
    if not view.installed:
        return MISSING
    return view.version or ("-" if view.login is Login.NOT_NEEDED else "unknown")


def _note(view: AgentView) -> list[str]:
    where = f" ({view.path})" if view.path not in ("", view.name) else ""
    text = f"{clean_line(view.name)}: {clean_line(view.why + where)}"
    return wrap(text, WIDE, subsequent_indent="    ", break_on_hyphens=False)


def _spent(step: TrialStep) -> str:
    parts = [_usage(step.usage)] if not step.usage.nothing else []
    if step.isolation:
        parts.append(f"isolation: {clean_line(step.isolation)}")
    return ", ".join(parts)


def _usage(usage: Usage) -> str:
    parts = [f"{usage.seconds:.1f} s"]
    if usage.tokens:
        parts.append(f"{usage.tokens_in:,} tokens in, {usage.tokens_out:,} out")
    if usage.cost_usd is not None:
        # One round trip costs less than a cent.
        least = "at least " if usage.partly else ""
        parts.append(f"{least}${usage.cost_usd:.4f} ({usage.basis})")
    else:
        parts.append("cost unknown" if usage.tokens else "no tokens told")
    return ", ".join(parts)
