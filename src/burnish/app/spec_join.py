"""A phase that passed is put on its spec's branch: the branch's tip plus the change, checked as one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burnish.app.place import Place
from burnish.app.spec import RunSpec
from burnish.app.spec_facts import Begun, Fate, Kept, Placed
from burnish.app.start import workspaces_of
from burnish.app.wiring import Wiring
from burnish.errors import WorkspaceError
from burnish.git.joining import Contested
from burnish.git.landed import runs_between
from burnish.git.lander import GitLander
from burnish.git.merge_trees import have
from burnish.git.moving import tip as tip_of
from burnish.git.workspaces import Workspaces
from burnish.ports import Gate, Lander

_SHOWN = 5
Decorate = Callable[[str, Any], Any]


async def place_phase(
    place: Place, branch: str, begun: Begun, commit: str, spec: RunSpec, decorate: Decorate
) -> Placed:
    """The phase's commits on top of the branch. Done again after a crash, it finds them there.

    When the branch moved since the phase began, the gate is run on exactly what the branch would become.
    """
    async with await workspaces_of(place, begun.run, begun.base) as workspaces:
        tip = await tip_of(place.repository, branch)
        onto = tip or begun.base
        if tip and begun.run in await runs_on(place, begun.base, tip):
            return Placed(Fate.ON_BRANCH, tip)
        joined = await workspaces.join(onto, begun.base, commit)
        if isinstance(joined, Contested):
            names = ", ".join(joined.paths[:_SHOWN])
            return Placed(Fate.CONTESTED, onto, message=f"another phase changed the same lines of {names}")
        if onto != begun.base and joined.commit != onto:
            gate = Wiring(place, spec, begun.run, workspaces).checks()
            if gate and (red := await _turned_red(gate, joined.tree, workspaces, onto)):
                return Placed(Fate.RED, onto, message=red)
        lander: Lander = decorate("lander", GitLander(place.repository, workspaces.store, begun.base))
        if tip:
            await lander.move(branch, joined.commit, tip)
        elif await lander.branch(joined.commit, branch) != branch:
            raise WorkspaceError(
                f"somebody made a branch {branch} while the phase was worked on, so it was not moved.",
                hint="rename that branch, then go on with --resume",
            )
        return Placed(Fate.ON_BRANCH, joined.commit, rebased=joined.rebased)


async def runs_on(place: Place, base: str, tip: str) -> frozenset[str]:
    """The runs whose commits are on a line."""
    return await runs_between(place.repository.git, place.repository.place, base, tip)


async def keep_phase(place: Place, name: str, begun: Begun, commit: str, decorate: Decorate) -> Kept:
    """The work of a phase that did not pass, under a name that says so."""
    if commit in ("", begun.base):
        return Kept("")
    async with await workspaces_of(place, begun.run, begun.base) as workspaces:
        await have(workspaces.store, commit)
        lander: Lander = decorate("lander", GitLander(place.repository, workspaces.store, begun.base))
        return Kept(await lander.branch(commit, name))


async def _turned_red(gate: Gate, tree: str, workspaces: Workspaces, onto: str) -> str:
    """Why the two together are not fit; empty when they are, or when the branch was red by itself."""
    base = await workspaces.tree(onto)
    result = await gate.check(tree, base)
    if result.green or not (await gate.check(base, base)).green:
        return ""
    how = "ran too long" if result.exit is None else result.fault or f"exit {result.exit}"
    return f"the gate {result.command!r} is red on the phase and what passed before it together ({how})"
