"""Settings for whoever asks from a folder, and what is shown of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from burnish.app.place import find_place
from burnish.config.load import DEFAULT, Loaded, price_key
from burnish.config.schema import FIELDS, value_of
from burnish.config.task_types import resolve
from burnish.model.agent import TIERS

Shown = tuple[str, Any, str]


async def load_settings(folder: Path, environ: Mapping[str, str]) -> Loaded:
    """What a run started here and now would use: the repository's part is read from HEAD."""
    place = await find_place(folder, environ)
    return await place.settings(place.repository.head)


def one_by_one(loaded: Loaded) -> Iterator[Shown]:
    """Every key, its value and its origin; prices one by one, because each may have its own."""
    for key in FIELDS:
        value = value_of(loaded.settings, key)
        if isinstance(value, dict) and value:
            named = {price_key(model): price for model, price in value.items()}
            yield from ((name, price, loaded.origins[name]) for name, price in named.items())
        else:
            yield key, value, loaded.origins[key]


def of_type(loaded: Loaded, task_type: str) -> Iterator[Shown]:
    """What a task of a type gets, and the key and origin that decided it."""
    found = resolve(loaded.settings, task_type)

    def decided(name: str) -> str:
        key = found.decided_by.get(name, "")
        return f"{key}, {loaded.origins[key]}" if key and loaded.origins[key] != DEFAULT else DEFAULT

    yield "auto_review", found.auto_review, decided("auto_review")
    yield "max_review_cycles", found.max_review_cycles, decided("max_review_cycles")
    for role, tier in TIERS.items():
        yield f"model of {role}", found.models.get(role, str(tier)), decided(f"models.{role}")
    for name in ("implement_s", "review_s", "fix_s"):
        yield name, getattr(found, name), decided(name)
