"""A session without its journal, found again by its signals."""

from __future__ import annotations

from burnish.app.place import Place
from burnish.app.spec_open import Opened, SpecRequest
from burnish.errors import UsageError
from burnish.store.database import Database
from burnish.store.journal import Journal


async def restore(place: Place, database: Database, request: SpecRequest, journal: Journal) -> Opened:
    raise UsageError(
        f"there is no session of {request.path} to go on with.", hint="leave --resume out to begin one"
    )
