"""What all slots of a session share: where work comes from, what is held, and where it all goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from burnish.app.merge_line import MergeLine
from burnish.app.place import Place
from burnish.app.slots_facts import (
    BRANCH,
    Opened,
    Picked,
)
from burnish.app.slots_plan import SlotsPlan
from burnish.app.slots_source import WorkSource
from burnish.app.spec import RunSpec
from burnish.app.start import Hooks, workspaces_of
from burnish.errors import WorkspaceError
from burnish.git.lander import GitLander
from burnish.git.moving import tip
from burnish.model.events import Recorded
from burnish.model.step import Role, Step
from burnish.ports import Lander, Listener
from burnish.slots.picking import pickable, waiting
from burnish.slots.work_item import WorkItem
from burnish.store.database import Database
from burnish.store.durable import DurableRun

# Makes the listener that shows a slot's run, of which so much has happened already.
Show = Callable[[Picked, Sequence[Recorded]], Listener]


@dataclass
class SlotBench:
    """What all slots share: `run` is the session's own, `held` what slots have at this moment."""

    place: Place
    database: Database
    run: DurableRun
    spec: RunSpec
    plan: SlotsPlan
    source: WorkSource
    line: MergeLine
    show: Show
    hooks: Hooks
    # Iterations that are over: how many slots each had, whatever is asked for now.
    filled: Mapping[int, int] = field(default_factory=dict)
    held: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    # The session's own branch, once there is one, and the last commit that landed there.
    branch: str = ""
    landed: str = ""

    async def pickable(self) -> tuple[WorkItem, ...]:
        """What a slot can get now, the most urgent first."""
        items = await self.source.items()
        landed = self._landed_before(items)
        done = self.done | (landed & set(self.plan.in_base))
        return pickable(items, self.held | landed, done)

    async def left(self) -> int:
        """How many are open, whether or not they can be picked now."""
        items = await self.source.items()
        return len(waiting(items, self.done | self._landed_before(items)))

    def _landed_before(self, items: Sequence[WorkItem]) -> set[str]:
        """Ids of what an earlier session has landed; what reads differently now is new work."""
        return {item.id for item in items if item in self.plan.before}

    async def ground(self) -> str:
        """The commit that work starts from now."""
        name = self.plan.onto or self.branch
        if not name:
            return self.plan.base
        at = await tip(self.place.repository, name)
        if not at:
            raise self.gone(name)
        return at

    async def target(self) -> str:
        """The branch that everything comes together on; the session's own is made when first needed."""
        if self.plan.onto:
            return self.plan.onto
        opened = await self.run.do(Step(Role.LAND, part=BRANCH), self._open)
        self.branch = opened.branch
        return opened.branch

    def gone(self, name: str) -> WorkspaceError:
        at = self.landed or self.plan.base
        return WorkspaceError(
            f"the branch {name} is gone, and what passes has to go there.",
            hint=f"git branch {name} {at[:12]}, then burnish slots --resume",
        )

    async def _open(self) -> Opened:
        base = self.plan.base
        async with await workspaces_of(self.place, self.run.id, base) as workspaces:
            git = GitLander(self.place.repository, workspaces.store, base)
            lander: Lander = self.hooks.decorate("lander", git)
            return Opened(await lander.branch(base, self.plan.branch))
