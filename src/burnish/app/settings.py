"""Settings for whoever asks from a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from burnish.app.place import find_place
from burnish.config.load import Loaded


async def load_settings(folder: Path, environ: Mapping[str, str]) -> Loaded:
    """What a run started here and now would use: the repository's part is read from HEAD."""
    place = await find_place(folder, environ)
    return await place.settings(place.repository.head)
