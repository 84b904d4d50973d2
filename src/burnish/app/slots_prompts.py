"""The user's own words for developers and reviewers: the first place of a chain that has them."""

from __future__ import annotations

from pathlib import Path

from burnish.app.place import Place
from burnish.errors import UsageError
from burnish.git.committed import read_file
from burnish.sanitise import clean_line
from burnish.slots.prompt_chain import PromptPlace

MOST_BYTES = 1024 * 1024


async def find_prompt(place: Place, chain: tuple[PromptPlace, ...], base: str) -> str:
    """The text; empty where nothing was found and the built-in words hold. Raises UsageError.

    A flag names a file on disk. All else is looked for in the base commit, so that a change under review
    writes no prompts, and then among the user's own files.
    """
    for one in chain:
        found = await _read(place, one, base)
        if found is not None:
            return found
        if one.must_be_there:
            where = "on disk" if one.by_flag else f"in {base[:12]} or on disk"
            raise UsageError(
                f"{one.said_by}: expected a prompt at {clean_line(one.path)!r}, found none {where}.",
                hint="mend the path, or leave it out to have the built-in prompt",
            )
    return ""


async def _read(place: Place, one: PromptPlace, base: str) -> str | None:
    path = Path(one.path)
    if one.by_flag or path.is_absolute():
        data = _on_disk(path)
    else:
        data = await read_file(place.repository, base, one.path)
        data = _on_disk(place.repository.root / path) if data is None else data
    if data is None:
        return None
    if len(data) > MOST_BYTES:
        raise UsageError(
            f"the prompt {clean_line(one.path)!r} is larger than 1 MB.", hint="is it the right file?"
        )
    text = data.decode("utf-8-sig", "replace").strip()
    if not text and one.must_be_there:
        raise UsageError(f"the prompt {clean_line(one.path)!r} is empty.", hint="write it, or leave it out")
    return text or None


def _on_disk(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError:
        return None
