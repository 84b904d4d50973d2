"""Prompt templates of the user's own: from the base commit where the settings name one, else their folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from burnish.app.place import Place
from burnish.config.load import user_folder
from burnish.config.schema import Prompts
from burnish.errors import UsageError
from burnish.git.committed import read_file
from burnish.model.dimension import Dimension
from burnish.prompts.book import BUILD_NAMES, LOOP_NAMES, MERGE_NAMES, NAMES, PANEL_NAMES
from burnish.repository_files import read_named
from burnish.slots.prompt_chain import NO_PROMPT

MOST_BYTES = 1024 * 1024


async def find_templates(
    place: Place, prompts: Prompts, base: str, names: tuple[str, ...] = NAMES
) -> tuple[tuple[str, str], ...]:
    """Name and text of every template that replaces one of ours."""
    found = []
    for name in names:
        named: str | None = getattr(prompts, name, None)
        if named == NO_PROMPT:
            continue
        if name in (*LOOP_NAMES, *BUILD_NAMES, *MERGE_NAMES):
            text = await _in_folder(place, prompts.build, name, base)
        else:
            text = await _named(place, named, base) if named else _of_user(place, name)
        if text is not None:
            found.append((name, text))
    return tuple(found)


async def find_panel_templates(place: Place, prompts: Prompts, base: str) -> tuple[tuple[str, str], ...]:
    """The same for a review of dimensions, with the roles of its reviewers."""
    found = list(await find_templates(place, prompts, base, PANEL_NAMES))
    for name in (f"dimensions/{dimension}" for dimension in Dimension):
        text = await _in_folder(place, prompts.dimensions, name, base)
        if text is not None:
            found.append((name, text))
    return tuple(found)


async def _in_folder(place: Place, folder: str | None, name: str, base: str) -> str | None:
    """From the repository's folder for such templates, where it has one of that name; else the user's own."""
    path = f"{(folder or '').rstrip('/')}/{PurePosixPath(name).name}.md"
    data = await read_file(place.repository, base, path) if folder else None
    return _of_user(place, name) if data is None else data.decode("utf8", "replace")


async def _named(place: Place, path: str, base: str) -> str:
    """A path in the repository is read at the base: a change under review does not write its prompts."""
    whole = Path(path).expanduser()
    # Settings of a repository name no path outside of it (`config/reach.py`): such a one is the user's own.
    own = whole.is_absolute()
    data = _on_disk(place, whole) if own else await read_file(place.repository, base, path)
    if data is None:
        where = "" if own else f" in the repository at {base[:12]}"
        raise UsageError(
            f"expected a prompt template at {path!r}{where}, found none.", hint="commit it, or mend the path"
        )
    return data.decode("utf8", "replace")


def _of_user(place: Place, name: str) -> str | None:
    data = _on_disk(place, user_folder(place.environ) / "prompts" / f"{name}.md")
    return None if data is None else data.decode("utf8", "replace")


def _on_disk(place: Place, path: Path) -> bytes | None:
    try:
        data = read_named(place.repository.root, path, MOST_BYTES)
    except OSError:
        return None
    return data if len(data) <= MOST_BYTES else None
