"""Git killed at every state-changing system call of whole runs, alone or together with the orchestrator; then resumed."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.repos import TestRepo

from chaos._many import inject
from chaos._story import Story, in_progress
from chaos.section import Setting, Tally

LANDINGS = ("branch", "apply")
IN_SHORT = 1
AT_ONCE = 3
# A run is over after so many lives, or it is not getting anywhere.
LIVES = 4
SIGKILL = -9


@dataclass(frozen=True)
class Point:
    """The `when`-th system call `name` of the `number`-th call of that verb, which was the `place`-th of all."""

    place: int
    verb: str
    number: int
    name: str
    when: int

    def __str__(self) -> str:
        return f"git {self.verb} ({self.number}), {self.name} {self.when}"

    @property
    def slug(self) -> str:
        return f"{self.verb}-{self.number}-{self.name}-{self.when}"

    @property
    def order(self) -> str:
        """For the git that is to die there."""
        return f"{self.verb} {self.number} {self.name} {self.when}"


@dataclass(frozen=True)
class Death:
    """Of git at that point of a run that lands so; with `both`, of the orchestrator in the same moment."""

    land: str
    point: Point
    both: bool

    def __str__(self) -> str:
        return f"{self.land}: {self.point}{', orchestrator too' if self.both else ''}"


@dataclass(frozen=True)
class Tools:
    """How git is replaced by one that can die, and how its recorded calls are read."""

    put_in_front: Callable[[Path], None]
    found_in: Callable[[Path], list[Point]]


def whole_runs(setting: Setting, tally: Tally, tools: Tools) -> None:
    template = in_progress(setting.folder / "in-progress")
    deaths = [death for land in LANDINGS for death in deaths_of(setting.folder, template, land, tools)]
    chosen = deaths
    if setting.short:
        chosen = random.Random(setting.seed).sample(deaths, IN_SHORT)
    missed: list[Death] = []

    def work(death: Death) -> None:
        kind = "both" if death.both else "git"
        name = f"{death.land}-{death.point.slug}-{kind}"
        if not killed_and_resumed(setting.folder / name, template, death, tools):
            missed.append(death)

    inject(tally, work, [(str(death), death) for death in chosen], AT_ONCE)
    tally.injected -= len(missed)
    tally.survived -= len(missed)
    alone = sum(not death.both for death in deaths)
    tally.note(
        f"whole runs that land as a branch or in the checkout: {alone} points with git killed alone, "
        f"{len(deaths) - alone} of them also together with the orchestrator ({len(missed)} did not come again)"
    )


def deaths_of(folder: Path, template: TestRepo, land: str, tools: Tools) -> list[Death]:
    """Every point once; those after the last commit, of the result's way to the user, also with the orchestrator.

    Up to there the two ways of landing are the same run, so one of them is enough.
    """
    story = story_in(folder / f"whole-{land}", template, land, tools)
    record = story.folder / "tools" / "record"
    record.mkdir()
    assert story.live().code == 0, "the run without a kill did not pass"
    story.check()
    points = tools.found_in(record)
    made = max(point.place for point in points if point.verb == "commit-tree")
    landing = [point for point in points if point.place > made]
    alone = points if land == "apply" else landing
    return [*(Death(land, point, False) for point in alone), *(Death(land, point, True) for point in landing)]


def story_in(folder: Path, template: TestRepo, land: str, tools: Tools) -> Story:
    folder.mkdir()
    tools.put_in_front(folder / "tools")
    return Story(folder, template, land, 1, str(folder / "tools"))


def killed_and_resumed(folder: Path, template: TestRepo, death: Death, tools: Tools) -> bool:
    """False when git was never killed, because that call did not come."""
    story = story_in(folder, template, death.land, tools)
    point, place = death.point, folder / "tools"
    both = "both" if death.both else ""
    (place / "order").write_text(f"{point.order} {both}\n")
    first = story.live()
    came = (place / "killed").exists()
    (place / "order").unlink()
    if came:
        # It may go on as if nothing had been, say what happened in a sentence, or be dead itself.
        assert first.code in (0, 1) or (death.both and first.code == SIGKILL), f"it ended with {first.code}"
        assert first.code != 1 or (first.said and "\n" not in first.said), f"said {first.said!r}"
        for _ in range(LIVES):
            if story.is_over:
                break
            again = story.live()
            assert again.code == 0, f"resumed, it ended with {again.code}: {again.said}"
        story.check()
    shutil.rmtree(folder)
    return came
