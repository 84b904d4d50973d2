"""The morning report as one HTML file: no script, no network, light and dark, nothing of others is markup."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from burnish import __version__
from burnish.model.morning import Morning, Told
from burnish.render import report as facts
from burnish.render.tasks import cooling_line
from burnish.render.timeline import timeline
from burnish.sanitise import clean_line

MOST_ROWS = 500
WHY_CHARS = 300


def render(morning: Morning) -> str:
    picture = timeline(morning)
    style = _source("morning.css")
    page = _template().render(
        repository=clean_line(morning.repository),
        since=morning.since.astimezone(),
        until=morning.until.astimezone(),
        parts=[_part(part, members) for part, members in facts.parts(morning.tasks).items()],
        used=facts.used(morning),
        cooling=[cooling_line(one, morning.until.isoformat()) for one in morning.cooling],
        picture=picture,
        commands=facts.commands(morning),
        style=Markup(style),  # noqa: S704 - a file of this package
        style_hash=b64encode(hashlib.sha256(style.encode("utf8")).digest()).decode("ascii"),
        version=__version__,
    )
    return page + "\n"


def _part(part: facts.Part, members: list[Told]) -> dict[str, Any]:
    tasks = [_task(one) for one in members[:MOST_ROWS]]
    return {
        "title": str(part),
        "name": part.name.lower(),
        "count": len(members),
        "left": max(len(members) - MOST_ROWS, 0),
        "tasks": tasks,
        "branch": any(task["branch"] for task in tasks),
        "why": any(task["why"] for task in tasks),
    }


def _task(one: Told) -> dict[str, Any]:
    view = one.view
    why = facts.why_of(one)
    return {
        "number": view.number,
        "title": clean_line(view.task.title[:400]),
        "type": str(view.task.task_type),
        "verdict": clean_line(facts.verdict(view)),
        "cycles": view.cycles or "",
        "branch": clean_line(view.branch),
        "cost": facts.cost(view),
        "why": why if len(why) <= WHY_CHARS else why[:WHY_CHARS] + "…",
    }


@cache
def _template() -> Template:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_source("morning.html"))


def _source(name: str) -> str:
    return files("burnish.render").joinpath("templates", name).read_text("utf8").strip("\n")
