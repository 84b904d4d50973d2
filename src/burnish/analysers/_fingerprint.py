"""The identity of a finding, which survives that its line moves or is indented anew."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from burnish.model.review import Finding

TextOf = Callable[[str], str | None]


def identify(
    findings: tuple[Finding, ...], text_of: TextOf, renamed: Mapping[str, str] | None = None
) -> tuple[Finding, ...]:
    """The findings with `identity` set, and with the line they are about where they brought no snippet.

    One that brought its own keeps it. Else it is made of the rule, the path, the words of the line (of
    the snippet, where the tool brought one), and the how-manieth of these in the file.
    `text_of` gives a file's text, None where it cannot be read. `renamed` gives the path under which a file
    is known on the other side of a comparison, so that a renamed file keeps its findings.
    """
    lines: dict[str, list[str]] = {}
    seen: Counter[tuple[str, str, str]] = Counter()
    marked: dict[int, Finding] = {}
    by_place = sorted(range(len(findings)), key=lambda at: _place(findings[at]))
    for at in by_place:
        finding = findings[at]
        if finding.file not in lines:
            lines[finding.file] = (text_of(finding.file) or "").split("\n") if finding.file else []
        text = _line(lines[finding.file], finding.line)
        words = " ".join((finding.snippet.strip() or text).split("\n")[0].split())
        path = (renamed or {}).get(finding.file, finding.file)
        key = (finding.rule, path, words or finding.title)
        seen[key] += 1
        marked[at] = replace(
            finding,
            identity=finding.identity or _digest(*key, str(seen[key])),
            snippet=finding.snippet or text.strip()[:500],
        )
    return tuple(marked[at] for at in range(len(findings)))


def _place(finding: Finding) -> tuple[str, int, str, str]:
    return finding.file, finding.line or 0, finding.rule, finding.title


def _line(lines: list[str], number: int | None) -> str:
    return lines[number - 1] if number and 0 < number <= len(lines) else ""


def _digest(*parts: str) -> str:
    """Lengths are part of it, so that no two lists of parts look the same when joined."""
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf8", "backslashreplace")).hexdigest()[:16]
