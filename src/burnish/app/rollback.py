"""Taking back one group of a fix session that has landed: a new branch without its commits."""

from __future__ import annotations

from contextlib import closing

from burnish.app.archive import Archive
from burnish.app.place import find_place
from burnish.app.start import workspaces_of
from burnish.app.told import find_story
from burnish.errors import UsageError
from burnish.git.lander import GitLander
from burnish.store.database import open_database
from burnish.workflows.fix_outcome import FixOutcome
from burnish.workflows.rolling_back import rollback_group


async def roll_back(run: str, group: str) -> str:
    """The name of the new branch; the one that landed before stays as it is."""
    place = await find_place()
    with closing(open_database(place.database)) as database:
        story = find_story(Archive(place, database), run)
        outcomes = [made for _, _, made in story.results(FixOutcome)]
        if not outcomes:
            raise UsageError(f"{story.view.id} has no finished fix session.", hint="see `burnish runs`")
        base = story.spec.task.base
        async with await workspaces_of(place, story.view.id, base) as workspaces:
            back = await rollback_group(workspaces, outcomes[-1], group)
            lander = GitLander(place.repository, workspaces.store, base)
            name = f"{story.spec.branch_prefix}fix-{story.view.id}-without-{group}"
            return await lander.branch(back.commit, name)
