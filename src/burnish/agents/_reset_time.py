"""When a limit is over, from the words that CLIs use for it; a time of day without a date is the next one."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from burnish.model.trouble import asked_to_wait_s

MOST_DAYS = 40
_UNIX = re.compile(r"\|(1[0-9]{9})\b", re.A)
_ISO = re.compile(r"\b(20\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)", re.A)
_SPAN = re.compile(
    r"(?:again in|resets? in|in about)\s{1,2}"
    r"(?:(\d{1,2}) ?d(?:ays?)?,? ?)?(?:(\d{1,3}) ?h(?:ours?|rs?)?,? ?)?"
    r"(?:(\d{1,4}) ?m(?:in(?:ute)?s?)?\b,? ?)?(?:(\d{1,6}) ?s(?:ec(?:ond)?s?)?\b)?",
    re.I | re.A,
)
_CLOCK = re.compile(
    r"(?:resets?|again)(?: at| on)?\s{1,2}"
    r"(?:([A-Z][a-z]{2})[a-z]{0,6}\.? (\d{1,2})(?:st|nd|rd|th)?,? ?(20\d\d)?,? ?(?:at )?)?"
    r"(\d{1,2})(?::(\d\d))? ?([ap]m)?\b(?: ?\(([A-Za-z_]{1,20}(?:/[A-Za-z_]{1,30}){0,2})\))?",
    re.I | re.A,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def reset_time(words: str, now: datetime) -> datetime | None:
    """The moment a limit ends, if the words name one that lies ahead and not too far."""
    for found in (_unix(words), _iso(words), _span(words, now), _clock(words, now)):
        if found is not None and now < found <= now + timedelta(days=MOST_DAYS):
            return found
    return None


def wait_s(words: str, now: datetime) -> float | None:
    """How long to wait: what was asked for in seconds, else until the named moment."""
    moment = reset_time(words, now)
    if moment is not None:
        return (moment - now).total_seconds()
    return asked_to_wait_s(words)


def _unix(words: str) -> datetime | None:
    found = _UNIX.search(words)
    return datetime.fromtimestamp(int(found[1]), UTC) if found else None


def _iso(words: str) -> datetime | None:
    found = _ISO.search(words)
    if not found:
        return None
    try:
        moment = datetime.fromisoformat(found[1])
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _span(words: str, now: datetime) -> datetime | None:
    found = _SPAN.search(words)
    if not found or not any(found.groups()):
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return now + timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)


def _clock(words: str, now: datetime) -> datetime | None:
    found = _CLOCK.search(words)
    if not found or not (found[5] or found[6]):
        return None
    month, day, year, hour, minute, half, zone = found.groups()
    local = now.astimezone(_zone(zone))
    try:
        moment = local.replace(hour=_hour(int(hour), half), minute=int(minute or 0), second=0, microsecond=0)
        if month:
            numbered = _MONTHS.index(month.lower()) + 1
            # In December, January is next year's.
            named = int(year) if year else local.year + (numbered < local.month)
            moment = moment.replace(month=numbered, day=int(day), year=named)
    except ValueError:
        return None
    if not month and moment <= local:
        moment += timedelta(days=1)
    return moment.astimezone(UTC)


def _hour(hour: int, half: str | None) -> int:
    if not half:
        return hour
    return hour % 12 + (12 if half.lower() == "pm" else 0)


def _zone(name: str | None) -> tzinfo | None:
    """Where none is told it is this machine's."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
