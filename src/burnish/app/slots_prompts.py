"""The user's own words for developers and reviewers: the first place of a chain that has them."""

from __future__ import annotations

from pathlib import Path

from burnish.app.place import Place
from burnish.errors import UsageError
from burnish.git.committed import read_file
from burnish.repository_files import read_named
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
    root, path = place.repository.root, Path(one.path).expanduser()
    # Settings of a repository name no path outside of it (`config/reach.py`): such a one is the user's own.
    own = one.by_flag or path.is_absolute()
    data = None if own else await read_file(place.repository, base, one.path)
    if data is None:
        data = _on_disk(root, path if own else root / path, one)
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


def _on_disk(root: Path, path: Path, one: PromptPlace) -> bytes | None:
    """None where there is nothing; what is there and may not be read is refused."""
    try:
        return read_named(root, path, MOST_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UsageError(
            f"the prompt {clean_line(one.path)!r} cannot be read: {error.strerror}.",
            hint="put the text itself there; links in a repository are not followed",
        ) from None
