"""What settings of a repository may reach: its own files, not the user's files, not all of their keys."""

from __future__ import annotations

from burnish.config.entries import Entry
from burnish.errors import UsageError
from burnish.process.secrets import IN_HOME
from burnish.repository_files import is_foreign
from burnish.sanitise import clean_line

HOME_PATHS, PASS_ENV, SOURCE = "sandbox.home_paths", "sandbox.pass_env", "slots.source"
PROMPTS = ("prompts.", "slots.prompt")
CHECKLIST = "checklist:"


def of_repository(entries: dict[str, Entry]) -> dict[str, Entry]:
    """The same entries, all of them read from a file that others wrote. Raises UsageError."""
    for key, entry in entries.items():
        if key.startswith(PROMPTS):
            _refuse_foreign(entry, str(entry.value))
        elif key == SOURCE and str(entry.value).startswith(CHECKLIST):
            _refuse_foreign(entry, str(entry.value).removeprefix(CHECKLIST))
        elif key == HOME_PATHS:
            for path in entry.value:
                _refuse_private(entry, str(path))
        elif key == PASS_ENV:
            for name in entry.value:
                _refuse_everything(entry, str(name))
    return entries


def _refuse_foreign(entry: Entry, path: str) -> None:
    if is_foreign(path):
        raise UsageError(
            f"{entry.place}: {entry.spelled} must be a path inside of the repository,"
            f" found {clean_line(path)!r}",
            hint="set a path outside of it in your own burnish.toml, by a variable or by a flag",
        )


def _refuse_private(entry: Entry, path: str) -> None:
    """A path above such a place shows it as well."""
    plain = "/".join(part for part in path.split("/") if part not in ("", "."))
    near = any(f"{name}/".startswith(f"{plain}/") or f"{plain}/".startswith(f"{name}/") for name in IN_HOME)
    if is_foreign(path) or not plain or near:
        raise UsageError(
            f"{entry.place}: {entry.spelled} of a repository must not show agents what you log in with,"
            f" found {clean_line(path)!r}",
            hint="if you want that, set it in your own burnish.toml, by a variable or by a flag",
        )


def _refuse_everything(entry: Entry, name: str) -> None:
    if name.startswith(("*", "?", "[")):
        raise UsageError(
            f"{entry.place}: {entry.spelled} of a repository must name variables, found {clean_line(name)!r}",
            hint="write whole names such as MY_API_KEY, or set the pattern in your own burnish.toml",
        )
