"""Which log files to keep, and what to call them."""

import re

NAME = re.compile(r"^(?P<base>.+?)\.log(?:\.(?P<number>\d+))?$")


def parse_name(name):
    match = NAME.match(name)
    if match is None:
        return None
    return match.group("base"), int(match.group("number") or 0)


def group(names):
    """Names by base, newest (lowest number) first."""
    groups = {}
    for name in names:
        parsed = parse_name(name)
        if parsed is not None:
            groups.setdefault(parsed[0], []).append((parsed[1], name))
    return {base: [name for _, name in sorted(entries)] for base, entries in groups.items()}


def to_delete(names, keep):
    """The names of all but the newest so many of each base."""
    if keep < 1:
        raise ValueError("keep at least one")
    doomed = []
    for entries in group(names).values():
        doomed.extend(entries[keep + 1:])
    return sorted(doomed)


def renames(names, base):
    """Pairs of old and new name that make room for a fresh file, in a safe order."""
    pairs = []
    for name in reversed(group(names).get(base, [])):
        number = parse_name(name)[1]
        pairs.append((name, f"{base}.log.{number + 1}"))
    return pairs
