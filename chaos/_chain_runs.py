"""Chains that were written by chance, run with texts that are made to slip through, and judged by what arrives."""

from __future__ import annotations

import contextlib
import os.path
import random
import re
import shlex
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from burnish.analysers.taint.engine import Pass
from burnish.analysers.taint.knowledge.tables import Knowledge, built_in
from burnish.analysers.taint.memory.budget import Budget
from chaos._chains import Program

# Quotes and brackets plain, wide, encoded and normalised to; letters that change their length or script.
TEXTS = (
    "'", '"', "<", "<script>", "a'b", "k' OR 1=1 --", "it's", "k", "x", "kx", "a", "7", "39", "-7", " 7\n", "1_000",
    "1e5", "nan", "-0.5", "60", "", "k\n", "\nk", "a\n<b", "..", "../..", "../../etc", "/etc", "./k", "k/../../..", ".",
    "a.b", "\\", "k\\", "a\\'b", "--", "k--", ";ls", "$(ls)", "`ls`", "a b", "a;b", "a|b", "a&b", "&lt;b&gt;", "&#39;",
    "%27", "%2e%2e%2f", "%3Cb", "\\x27", "\\u0027", "Jw==", "27", "3c", "PA==", '"\'"', '"a"', "\\u003c", "\uff07",
    "\uff1c", "\uff0f", "\uff0e\uff0e\uff0f", "\u2474", "\u2488", "\u00bd", "\u2100", "\u017f", "\u212a", "\u0130",
    "\u00df", "\ufb00", "\u0149", "\u1e9a", "\u0661\u0662", "\u00b2", "\u2028k", "a\x85b", "a\x0bb'", "\x1c<", "\t'",
    "k\t<", "'k'", "x''x", "x<k<x", "k<x", "kx'x", "ka/bx", "<<>>", "''''", "a,b'c", "a b'c", "a'b'c", "a<b<c",
    "a/b/c", "a..b", "a.-_b", "(k)", "k()", "\x00", "k\x00'", "=1", "*", "k=k", "x.y", "-rf", "~", "a\r\nb", "K", "I",
)  # fmt: skip
# As JSON can bring them.
THINGS: tuple[Any, ...] = (
    ["'"], ["<b>", "k"], {"'": 1}, {"k": "'"}, 7, True, None, ["k"], [["'"]], "'", "k", 0.5, "<", "..",
)  # fmt: skip
# What the program itself holds is no untrusted text, whatever is in it; nor is what is empty.
OURS = ("k", "it's", "<b>", "x", "None", "[]", "{}", "['']")
FILLING = ("k", "'", "<", "../..", ";ls", "\n")
HARMLESS = ("k", "x", "kax", "a", "7", "-7", "39", "60", "kx", "abc", "it's", "27", "", "nan", "0.5")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|-?nan|-?inf|True|False", re.ASCII)
_PLAIN = re.compile(r"[^\x00-\x7f]|\w")
_WORDS = re.compile(r"-?\w+(?:\.\w+)?")
_IN_COMMAND = re.compile(r"(?:[^\x00-\x7f]|[\w./,:@+=-])*")


def _bare(text: str) -> bool:
    return all(_PLAIN.match(character) for character in text) or bool(_NUMBER.fullmatch(text))


def _quoted(text: str) -> bool:
    return ("'" not in text and "\\" not in text) or _bare(text)


def _command(text: str) -> bool:
    if _IN_COMMAND.fullmatch(text.strip(" ")):
        return True
    try:
        return " ".join(shlex.quote(word) for word in shlex.split(text)) == text.strip(" ")
    except ValueError:
        return False


def _path(text: str) -> bool:
    whole = os.path.normpath("/srv/root/" + text)
    return (whole + "/").startswith("/srv/root/") and ".." not in text.split("/") and not text.startswith("/")


def _number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))


ALLOWED: dict[str, Callable[[str], bool]] = {
    "quoted": _quoted,
    "bare": _bare,
    "between": lambda text: "<" not in text,
    "attribute": lambda text: '"' not in text and "<" not in text,
    "never": _number,
    "command": _command,
    "path": _path,
    "line": lambda text: "\n" not in text and "\r" not in text,
    "number": _number,
}


def knowledge() -> Knowledge:
    """What Burnish knows itself, and the places of `lab`."""
    made = built_in()
    sinks = {"sql": "sql", "page": "xss", "sink": "command", "path": "path", "log": "log", "code": "code"}
    made.add({
        "source": [{"call": ["lab.source"], "kind": "request", "what": "the lab"}],
        "sink": [{"class": flaw, "call": [f"lab.{name}"]} for name, flaw in sinks.items()],
    })  # fmt: skip
    return made


def cleared(program: Program, known: Knowledge, folder: Path) -> tuple[set[int], set[int]]:
    """The lines of sinks of which the pass says that they are clean, and those it reports."""
    (folder / "app.py").write_text(program.text, "utf8")
    looking = Pass(folder, ("app.py",), known, Budget(steps=10**7, seconds=600))
    looking.look_at("app.py")
    looking.finish()
    assert not looking.report.undone, looking.report.undone
    clean = {line for _, line, _ in looking.report.clean_places()} & set(program.rules)
    return clean, {line for _, line, _ in looking.report.findings}


class Lab:
    """The places where texts arrive, and functions that the pass does not know."""

    def __init__(self, chance: random.Random, rules: dict[int, str]) -> None:
        self.chance, self.rules, self.came = chance, rules, ""
        self.wrong: dict[int, str] = {}
        # What arrives of harmless texts is what the program itself puts there.
        self.harmless, self.usual = True, set[tuple[int, str]]()
        self.sql = self.page = self.sink = self.path = self.log = self.code = self._used

    def arrives(self, text: Any) -> None:
        self.came = f"{text}"

    def _used(self, text: str) -> None:
        line = sys._getframe(1).f_lineno
        if self.came in OURS or ALLOWED[self.rules[line]](self.came):
            return
        kind = line, _WORDS.sub("w", self.came)
        if self.harmless:
            self.usual.add(kind)
        elif line not in self.wrong and kind not in self.usual:
            self.wrong[line] = f"{self.came!r} in {text!r}"

    def coin(self) -> bool:
        return self.chance.random() < 0.5

    def is_sound(self, text: Any) -> bool:
        return self.coin()

    def change(self, text: Any) -> None:
        pass

    def fill(self, words: list[Any]) -> None:
        words.append(self.chance.choice(HARMLESS if self.harmless else FILLING))

    def source(self) -> str:
        return self.chance.choice(HARMLESS if self.harmless else TEXTS)


def hurt(program: Program, chance: random.Random, wanted: set[int], rounds: int) -> dict[int, str]:
    """What really arrives at the lines in question and must not."""
    lab = Lab(chance, program.rules)
    skipped = ("from flask import request", "import lab")
    lines = ["" if line in skipped else line for line in program.text.splitlines()]
    request = SimpleNamespace(args={}, get_json=dict)
    names: dict[str, Any] = {"lab": lab, "request": request, "__name__": "app"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile("\n".join(lines), "app.py", "exec"), names)
        for function in _asked(program, wanted):
            for lab.harmless, times in ((True, rounds // 3), (False, rounds)):
                for number in range(times):
                    _ask(lab, request, number)
                    with contextlib.suppress(Exception):
                        names[function]()
    return {line: what for line, what in lab.wrong.items() if line in wanted}


def _ask(lab: Lab, request: SimpleNamespace, number: int) -> None:
    """The next request: each text once, then any of them."""
    texts, things = (HARMLESS, HARMLESS) if lab.harmless else (TEXTS, THINGS)
    request.args = {name: lab.chance.choice(texts) for name in ("w", "v")}
    request.args["w"] = texts[number] if number < len(texts) else request.args["w"]
    held = {name: lab.chance.choice(things) for name in ("w", "v")}
    request.get_json = held.copy


def _asked(program: Program, wanted: set[int]) -> list[str]:
    """The functions that these lines are in."""
    found, name = [], ""
    for number, line in enumerate(program.text.splitlines(), 1):
        if match := re.match(r"def (f\d+)\(", line):
            name = match[1]
        if number in wanted:
            found.append(name)
    return found
