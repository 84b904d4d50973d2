"""Semantic versions: parsing and precedence."""

import re

PATTERN = re.compile(r"^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$")


def parse(text):
    match = PATTERN.match(text.strip())
    if match is None:
        raise ValueError(f"not a version: {text!r}")
    major, minor, patch, pre, _build = match.groups()
    return int(major), int(minor), int(patch), pre


def _part_key(part):
    if part.isdigit():
        return (0, int(part), "")
    return (1, 0, part)


def precedence(text):
    """A key that sorts versions from old to new; a release follows its pre-releases."""
    major, minor, patch, pre = parse(text)
    if pre is None:
        return (major, minor, patch, 1, ())
    return (major, minor, patch, 0, tuple(_part_key(part) for part in pre.split(".")))


def newest(versions, include_pre=False):
    candidates = [v for v in versions if include_pre or parse(v)[3] is None]
    if not candidates:
        return None
    return max(candidates, key=precedence)


def ordered(versions):
    return sorted(versions, key=precedence)
