"""A repository's own rules for agents, from the base commit: the change under review did not write them."""

from __future__ import annotations

from burnish.app.place import Place
from burnish.git.committed import read_file
from burnish.model.briefing import FOR_REVIEWERS, FOR_WRITERS
from burnish.prompts.book import cap

NAMES = (FOR_REVIEWERS, FOR_WRITERS)
CAP_CHARS = 20_000


async def find_guidelines(place: Place, base: str) -> tuple[tuple[str, str], ...]:
    """Name and text of each that stands in the root of the base; a longer one is cut, and says so itself."""
    found = []
    for name in NAMES:
        data = await read_file(place.repository, base, name)
        text = data.decode("utf-8-sig", "replace").strip() if data else ""
        if text:
            found.append((name, cap(text, CAP_CHARS)))
    return tuple(found)
