"""End a run from outside: the process that holds it is asked first, and what it made is kept."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress

from burnish.app.archive import open_archive
from burnish.app.execute import CANCELLED
from burnish.app.leftovers import clear_away
from burnish.app.place import Place
from burnish.app.start import workspaces_of
from burnish.errors import WorkspaceError
from burnish.model.exit_codes import ExitCode
from burnish.model.run_view import RunView
from burnish.ports import Run
from burnish.store.journal import Journal

WAIT_S = 30.0
POLL_S = 0.1


async def cancel(wanted: str) -> str:
    """What was done about it, in a sentence."""
    with await open_archive() as archive:
        view = archive.run(wanted)
        journal = Journal(archive.database)
        holder = await journal.request_cancel(view.id)
        if holder is None:
            async with await journal.resume(view.id) as run:
                await _keep_drafts(archive.place, view, run)
                await run.end(CANCELLED, ExitCode.INTERRUPTED)
            return f"{view.id} is cancelled; nothing was at work on it"
        with suppress(ProcessLookupError):
            os.kill(holder.pid, signal.SIGTERM)
        for _ in range(int(WAIT_S / POLL_S)):
            now = archive.run(view.id)
            if not now.live:
                return f"{view.id} is {now.outcome or now.state}"
            await asyncio.sleep(POLL_S)
        return f"{view.id} was asked to end; process {holder.pid} is still cleaning up"


async def _keep_drafts(place: Place, view: RunView, run: Run) -> None:
    """What a killed writer left is kept under a name now: nobody will resume this run to do it later."""
    try:
        async with await workspaces_of(place, view.id, view.base) as workspaces:
            await clear_away(workspaces, run)
    except WorkspaceError as error:
        # Whoever cancels wants the run to end, also where its store or the repository is beyond use.
        await run.note("not_kept", f"what a killed step left was not looked at: {error.message}")
