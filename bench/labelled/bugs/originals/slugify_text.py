"""Titles for pages and addresses."""

import re
import unicodedata


def slugify(text, limit=40):
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    return slug[:limit].rstrip("-")


def unique_slug(text, taken, limit=40):
    """A slug that is not taken yet: the second one ends in -2, and so on."""
    slug = slugify(text, limit)
    if slug not in taken:
        return slug
    number = 2
    while True:
        suffix = f"-{number}"
        candidate = slug[:limit - len(suffix)] + suffix
        if candidate not in taken:
            return candidate
        number += 1


def truncate(text, limit, mark="..."):
    """The text, cut at the end of a word if it is too long; never longer than the limit."""
    if len(text) <= limit:
        return text
    room = limit - len(mark)
    cut = text[:room + 1]
    space = cut.rfind(" ")
    if space > 0:
        return text[:space] + mark
    return text[:room] + mark


def initials(name):
    return "".join(part[0].upper() for part in name.split())
