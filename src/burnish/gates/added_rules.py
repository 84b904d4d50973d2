"""Edits of a Makefile that only add targets, and of a shell script that only add functions.

Whatever is added, the gate runs before the base's file first. These rules keep the file that lands from
being a weaker judge of the next change.
"""

from __future__ import annotations

import re

_TARGETS = re.compile(
    r"([A-Za-z0-9_][\w./-]*(?:[ \t]+[A-Za-z0-9_][\w./-]*)*)[ \t]*:(?![:=])([ \t\w./-]*)(?:#.*)?"
)
_PHONY = re.compile(r"\.PHONY[ \t]*:[ \t\w./-]*")
_REMADE = re.compile(r"[Mm]akefile|\.mk\b")  # make runs such a rule before any other
_WORD = re.compile(r"[\w./-]+")
_FUNCTION = re.compile(r"([a-z]+(?:_[a-z0-9]+)+)[ \t]*\(\)[ \t]*([({])")
_EXPANSIONS = re.compile(r"\$\{[^{}]*\}|\$\([^()]*\)")
_SPECIAL = re.compile(
    r"command_not_found_handle|(?:assert|check|expect|test|fail|die|verify|is|run|should|refute)(?:_|$)"
)


def only_adds_targets(old: str, new: str) -> bool:
    """New rules behind those of the base, for targets that the base does not mention."""
    lines, known = new.split("\n"), set(_WORD.findall(old))
    kept = old.rstrip("\n").split("\n")
    if (
        len(lines) < len(kept)
        or kept[-1].endswith("\\")
        or "%" in old
        or ".DEFAULT" in old
        or "define" in known
    ):
        return False
    if not all(_same_or_phony(one, other, known) for one, other in zip(kept, lines, strict=False)):
        return False
    inside = False
    for line in lines[len(kept) :]:
        if line.startswith("\t"):
            if not inside:
                return False
        elif not line.strip() or line.startswith("#"):
            inside = inside and not line.strip()
        elif _PHONY.fullmatch(line):
            if known & {*_WORD.findall(line)} - {".PHONY"}:
                return False
            inside = False
        elif rule := _TARGETS.fullmatch(line):
            inside = True
            if known & {*rule[1].split()} or _REMADE.search(rule[1]):
                return False
        else:
            return False
    return True


def _same_or_phony(old: str, new: str, known: set[str]) -> bool:
    """The same line, or `.PHONY` with names that the base does not mention behind its own."""
    if old == new:
        return True
    both = _PHONY.fullmatch(old) and _PHONY.fullmatch(new) and new.startswith(f"{old.rstrip()} ")
    return bool(both) and not known & {*_WORD.findall(new[len(old.rstrip()) :])}


def only_adds_functions(old: str, new: str) -> bool:
    """New functions behind the text of the base, of names that it does not mention."""
    kept = old.rstrip("\n")
    if not kept or kept.endswith("\\") or "<<" in kept or not new.startswith(f"{kept}\n"):
        return False
    known, closing = set(re.findall(r"\w+", old)), ""
    for line in new[len(kept) + 1 :].split("\n"):
        if closing:
            rest = _EXPANSIONS.sub("", line)
            if line == closing:
                closing = ""
            elif "<<" in line or re.search(r"[(){}]", rest) or (line and line[0] not in " \t"):
                return False
        elif head := _FUNCTION.fullmatch(line):
            if head[1] in known or _SPECIAL.match(head[1]):
                return False
            closing = ")" if head[2] == "(" else "}"
        elif line.strip() and not line.startswith("#"):
            return False
    return not closing
