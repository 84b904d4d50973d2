"""What the data-flow pass is told: its settings, and what users added to its knowledge, read at the base."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from burnish import codec
from burnish.app.place import Place
from burnish.config.schema import Settings
from burnish.config.taint_settings import TABLES, Taint, plain_entries, wrong_entry
from burnish.errors import UsageError
from burnish.git.committed import read_file

# The name under which tools find it among their options.
OPTION = "taint"
MAX_BYTES = 256 * 1024
CALLERS_AGAIN = 40
Knowledge = dict[str, list[dict[str, Any]]]


async def run_options(place: Place, settings: Settings, base: str) -> tuple[tuple[str, str], ...]:
    """What the tools of a run are told, by the name of the tool."""
    return ((OPTION, await taint_option(place, settings.taint, base)),)


async def taint_option(place: Place, taint: Taint, base: str) -> str:
    """All of it as one text, stored with the run: the change under review has no say in it."""
    known: Knowledge = {name: [] for name in TABLES}
    for path in taint.files:
        for name, entries in (await _file(place, path, base)).items():
            known[name] += entries
    for name in TABLES:
        known[name] += plain_entries(getattr(taint, name))
    told = {
        "enabled": taint.enabled,
        "max_time_s": taint.max_time_s,
        "max_steps": taint.max_steps,
        "kinds": [str(kind) for kind in taint.sources],
        "knowledge": {name: entries for name, entries in known.items() if entries},
    }
    return codec.dumps(told)


def looking_again(options: Mapping[str, str]) -> dict[str, str]:
    """For a look at what one fix did: whoever calls from far away is not followed each time."""
    return with_callers(options, CALLERS_AGAIN)


def with_callers(options: Mapping[str, str], most: int) -> dict[str, str]:
    """So many files, at most, that use what is looked at are followed as well."""
    told = codec.loads(options.get(OPTION, "{}"))
    return {**options, OPTION: codec.dumps({**told, "callers": most})}


def is_off(options: tuple[tuple[str, str], ...]) -> bool:
    """Whether whoever set the options wants no pass; a run stored before there was one has none to say so."""
    return not codec.loads(dict(options).get(OPTION, "{}")).get("enabled", True)


def taken_as_safe(options: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The calls behind which untrusted input is clean because the settings say so, and nobody looked."""
    known = codec.loads(dict(options).get(OPTION, "{}")).get("knowledge", {})
    calls = [entry["call"] for name in ("sanitizer", "guard") for entry in known.get(name, ())]
    names = (name for call in calls for name in ([call] if isinstance(call, str) else call))
    return tuple(dict.fromkeys(names))


async def _file(place: Place, path: str, base: str) -> Knowledge:
    if PurePosixPath(path).is_absolute() or ".." in PurePosixPath(path).parts:
        raise UsageError(
            f"taint.files names {path!r}, expected a path inside of the repository.",
            hint="entries of your own can stand in your own burnish.toml, as [[taint.sink]]",
        )
    data = await read_file(place.repository, base, path)
    where = f"{path} at {base[:12]}"
    if data is None:
        raise UsageError(
            f"taint.files names {path!r}, which is not in the repository at {base[:12]}.",
            hint="commit it to the base, or mend the path",
        )
    if len(data) > MAX_BYTES:
        raise UsageError(f"{where} is larger than {MAX_BYTES // 1024} KB", hint="is this the right file?")
    try:
        return _tables(tomllib.loads(data.decode("utf8")), where)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where} is not valid TOML: {error}", hint="correct that place") from None


def _tables(content: dict[str, Any], where: str) -> Knowledge:
    for name, entries in content.items():
        if name not in TABLES:
            raise UsageError(
                f"{where}: unknown table {name!a}",
                hint=f"known: {', '.join(f'[[{table}]]' for table in TABLES)}",
            )
        if why := wrong_entry(name, entries):
            raise UsageError(
                f"{where}: {name}: {why}", hint="docs/concepts/dataflow.md shows what it may hold"
            )
    return {name: list(entries) for name, entries in content.items()}
