"""Terminal: no control, escape, bidirectional or invisible character of an agent gets through to a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

from tests.cli import BURNISH

from chaos._desk import Desk, Desks, at_home
from chaos.section import Setting, Tally

CHARACTERS = [
    *(chr(code) for code in range(0x20) if chr(code) not in "\n\t\0"),
    *(chr(code) for code in range(0x7F, 0xA0)),
    *"\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff\u061c\u00ad",
    "\U000e0041",
    "\U000e007f",
]
SEQUENCES = [
    "\x1b[2J",
    "\x1b]52;c;ZXZpbA==\x07",
    "\x1b]0;title\x07",
    "\x1bc",
    "\x9b31m",
    "\x1b[6n",
    "\x1bP1$r\x1b\\",
]
MARKUP = ["[red]m[/red]", "[/b]", "list[int]", "[link=http://evil.invalid]x[/link]", "[bold"]
HEAD = "import json\nmarks = json.loads({marks!r})\n"
# File names, an own commit, findings, summary, plain output.
WRITES = (
    "for mark in marks:\n    try:\n        Path(mark.replace('/', '_')[:80]).write_text('# good')\n    except OSError:\n        pass\n"
    "import subprocess\nsubprocess.run(['git', 'commit', '-q', '--allow-empty', '-m', ' '.join(marks)], capture_output=True)\n"
    "print(' '.join(marks))\n"
)
DENIES = "print('# ' + ' '.join(marks) + '\\n\\n## Must-Fix\\n\\n' + '\\n'.join('- ' + m for m in marks) + '\\n\\n**Verdict: CHANGES_REQUESTED** ' + ' '.join(marks[:20]))\n"
FAILS = "sys.stderr.write(' '.join(marks))\nsys.exit(1)\n"
NAMES = ("../../../../etc/passwd", "/etc/passwd", "..", "r-1/../../x", "-rf", "\x1b[2J", "a\nb", "%2e%2e")


def marked(texts: list[str]) -> dict[str, str]:
    """Each between two words of its own, so that it is known again among what a renderer itself prints."""
    return {f"m{number:03}k{text}z": text for number, text in enumerate(texts)}


def section(setting: Setting, tally: Tally) -> None:
    import json

    marks = [*marked(CHARACTERS + SEQUENCES)]
    body = HEAD.format(marks=json.dumps([*marks, *MARKUP]))
    with at_home(setting.folder):
        desks = Desks(setting.folder)
        for fails in (False,) if setting.short else (False, True):
            _sinks(tally, desks, body, marks, fails=fails, short=setting.short)
        _artifacts(tally, desks.new(), NAMES[:2] if setting.short else NAMES)


def _sinks(tally: Tally, desks: Desks, body: str, marks: list[str], *, fails: bool, short: bool) -> None:
    desk = desks.new()
    agents = [
        *("--implementer", desk.agent("implement", body + (FAILS if fails else WRITES))),
        *("--reviewer", desk.agent("review", body + DENIES)),
    ]
    run = ("run", "Make it good", *agents, "--cycles", "1")
    sinks = {"run": desk.burnish(*run).out}
    if not short:
        sinks["run on a terminal"] = _on_a_terminal(desk, *run)
    name = sinks["run"].partition(":")[0]
    for words in (("show", name), ("log", name), ("runs",), ("receipt", "show", name)):
        if short and words[0] not in ("show", "log"):
            continue
        sinks[" ".join(words[: 2 if words[0] == "receipt" else 1])] = desk.burnish(*words).out
        if not short:
            sinks[f"{words[0]} on a terminal"] = _on_a_terminal(desk, *words)
    shown = 0
    for sink, text in sinks.items():
        shown += sum(mark.partition("k")[0] + "k" in text for mark in marks)
        for mark in marks:
            if mark in text:
                tally.fall(f"{sink}: {mark!r}", "came through raw")
            else:
                tally.survive(mark)
        if "on a terminal" not in sink:
            stray = sorted({c for c in text if c in CHARACTERS})
            if stray:
                tally.fall(sink, f"raw characters {stray[:5]!r}")
    if not shown:
        tally.fall("the marks", "none was shown anywhere: it proves nothing")
    tally.note(
        f"{'failing' if fails else 'working'} agents: {len(sinks)} sinks, {shown} marks shown in a harmless form"
    )


def _on_a_terminal(desk: Desk, *words: str) -> str:
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [*BURNISH, *words],
        cwd=desk.repo.path,
        env={**os.environ, "BURNISH_STATE": str(desk.state), "TERM": "xterm-256color", "COLUMNS": "4000"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    data = b""
    try:
        while piece := os.read(ours, 65536):
            data += piece
    except OSError:  # the terminal's other side is closed: it ended
        pass
    os.close(ours)
    child.wait(60)
    return data.decode("utf8", "replace")


def _artifacts(tally: Tally, desk: Desk, names: tuple[str, ...]) -> None:
    """A name from outside never becomes a path outside of our folders."""
    outside = desk.folder / "evil"
    body = 'print(\'{"loopId": "../../../../evil", "passed": true}\')\nPath(os.environ["BURNISH_OUTPUT"]).with_name("..evil").write_text("x")\n'
    desk.run("--profile", "loops", review=body)
    found = [path for path in (outside, Path("/evil")) if path.exists()]
    tally.fall("loopId", f"made {found}") if found else tally.survive("loopId")
    for name in names:
        said = desk.burnish("show", "--", name)
        if said.code in (1, 2) and "\x1b" not in said.err and "root:" not in said.out + said.err:
            tally.survive(name)
        else:
            tally.fall(f"show {name!r}", f"exit {said.code}: {said.err[-200:]!r}")
