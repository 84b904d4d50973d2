"""What a reviewer was given of each file: the hunks that stood in its prompt."""

from __future__ import annotations

from burnish.model.receipt import MOST_HUNKS, GivenFile
from burnish.ports import Diff

_HEADER, _NEW, _OLD, _HUNK = "diff --git ", "+++ b/", "--- a/", "@@ "


def given_files(diff: Diff) -> tuple[GivenFile, ...]:
    """Every file of the change with the hunks shown; one without any had to be read in the copy."""
    hunks: dict[str, list[str]] = {name: [] for name in diff.files}
    name, in_header = "", False
    for line in diff.text.split("\n"):
        if line.startswith(_HEADER):
            name, in_header = "", True
        elif in_header and line.startswith((_NEW, _OLD)) and (told := _named(line)) in hunks:
            name = told
        elif line.startswith(_HUNK):
            in_header = False
            if name and len(hunks[name]) < MOST_HUNKS:
                hunks[name].append(line.split(" @@")[0][3:])
    return tuple(GivenFile(path, tuple(found)) for path, found in hunks.items())


def _named(line: str) -> str:
    """The file of a `+++` or `---` line; git ends a name that has a space in it with a tab."""
    return line[len(_NEW) :].removesuffix("\t")
