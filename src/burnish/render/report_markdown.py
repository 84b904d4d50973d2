"""The morning report as Markdown: a table a part, and when each task worked."""

from __future__ import annotations

from collections.abc import Sequence

from burnish.model.morning import Morning, Told
from burnish.model.step import Role
from burnish.render import report as facts
from burnish.render.formats.markdown import code, text
from burnish.render.next_steps import command_lines
from burnish.render.report import Part
from burnish.render.tasks import cooling_line

TITLE_CHARS = 60
WHY_CHARS = 160
MOST_ROWS = 200
ROLES = (Role.IMPLEMENT, Role.REVIEW, Role.FIX, Role.GATE)


def render(morning: Morning) -> str:
    since, until = (f"{at.astimezone():%Y-%m-%d %H:%M}" for at in (morning.since, morning.until))
    found = [
        f"# {text(morning.repository)}: {since} to {until}",
        f"**{facts.summary(morning)}.**" + (f" Used: {facts.used(morning)}." if facts.used(morning) else ""),
        *(f"Waiting for {text(cooling_line(one, morning.until.isoformat()))}." for one in morning.cooling),
    ]
    for part, members in facts.parts(morning.tasks).items():
        found += [f"## {part} ({len(members):,})", _table(part, members)]
    if worked := [one for one in morning.tasks if one.spans]:
        found += ["## When what worked", _times(morning, worked)]
    if commands := facts.commands(morning):
        found += ["## Go on with", "\n".join(("```sh", *(line.strip() for line in _shell(commands)), "```"))]
    return "\n\n".join(found) + "\n"


def _shell(commands: Sequence[tuple[str, str]]) -> list[str]:
    return command_lines([(command, f"# {what}") for command, what in commands])


def _table(part: Part, members: Sequence[Told]) -> str:
    head = ["task", "verdict", "cycles", "branch", "cost", "why"]
    rows = [_row(one) for one in members[:MOST_ROWS]]
    # A column that says nothing is left out.
    kept = [at for at in range(len(head)) if any(row[at] for row in rows)]
    lines = [_line([head[at] for at in kept]), _line(["---"] * len(kept))]
    lines += [_line([row[at] for at in kept]) for row in rows]
    left = len(members) - MOST_ROWS
    return "\n".join(lines) + (f"\n\n{left:,} more are in `burnish status`." if left > 0 else "")


def _row(one: Told) -> list[str]:
    view = one.view
    return [
        f"{view.number}\\. {text(view.task.title, TITLE_CHARS)}",
        code(facts.verdict(view)) if facts.verdict(view) else "",
        str(view.cycles or ""),
        code(view.branch) if view.branch else "",
        facts.cost(view),
        text(facts.why_of(one), WHY_CHARS),
    ]


def _times(morning: Morning, worked: Sequence[Told]) -> str:
    lines = [_line(["task", "from", "to", *ROLES]), _line(["---"] * (3 + len(ROLES)))]
    for one in worked[:MOST_ROWS]:
        begun = min(span.start for span in one.spans).astimezone()
        ends = [span.end for span in one.spans if span.end]
        goes_on = facts.drawn(one, None) and len(ends) < len(one.spans)
        ended = "goes on" if goes_on or not ends else f"{max(ends).astimezone():%H:%M:%S}"
        roles = [facts.took(one, role, morning.until) for role in ROLES]
        lines.append(_line([f"{one.view.number}", f"{begun:%m-%d %H:%M:%S}", ended, *roles]))
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
