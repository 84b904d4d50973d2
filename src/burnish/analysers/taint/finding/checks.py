"""Checks that data cannot say: lists of a command, fields of a log's text, templates, pages of CGI."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable

from burnish.analysers.taint.finding.judging import judge
from burnish.analysers.taint.finding.proving import plain_word
from burnish.analysers.taint.knowledge.tables import Sink
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import External, Value

_SHELLS = re.compile(
    r"(?:^|[/\\])(?:ba|z|k|c|da)?sh$|(?:^|[/\\])(?:cmd|powershell|pwsh)(?:\.exe)?$", re.IGNORECASE
)
_SHELL_FLAG = re.compile(r"^(?:-[a-z]*c|/c|-Command|-EncodedCommand)$", re.IGNORECASE)
# Programs that run what they are given as a program of their own.
_RUNNERS = re.compile(r"^(?:env|sudo|nohup|timeout|nice|xargs|time|stdbuf|setsid)$")
_INTERPRETERS = re.compile(r"(?:^|[/\\])(?:python[\d.]*|perl|ruby|node|php)$")
_FIELD = re.compile(r"%(?:\(\w+\))?[-#0 +]*(?:\d+|\*)?(?:\.\d+)?([a-zA-Z%])")
_SAFE_FIELDS = frozenset("diouxXeEfFgGcra%")


def _program(
    at: Frame, sink: Sink, name: str, receiver: Value | None, given: Arguments, node: ast.AST
) -> None:
    """Without a shell only what names the program hurts, and what a shell or interpreter is told to run."""
    value = next((found for place in sink.arguments if (found := given.get(place)) is not None), None)
    if value is None:
        return
    for ref in value.refs:
        if not isinstance(ref, Obj):
            continue
        items = ref.items()
        if items:
            every = (*items, ref.rest()) if "rest" in ref.table else items
            for item in _dangerous(every):
                judge(at, sink.flaw, parts(item), node, what=name)
            _words_proved(at, sink, every, node)
        elif "rest" in ref.table:
            judge(at, sink.flaw, parts(ref.rest()), node, what=name)
    if not value.refs:
        judge(at, sink.flaw, value, node, what=name)


def _words(at: Frame, sink: Sink, name: str, receiver: Value | None, given: Arguments, node: ast.AST) -> None:
    """`execl(path, name, *words)`: the program and its words one by one, or in a list."""
    first = sink.arguments[0]
    words = given.positional[first:] if isinstance(first, int) else []
    listed = [ref for ref in words[1].refs if isinstance(ref, Obj)] if len(words) > 1 else []
    if listed:
        words = [words[0], *(listed[0].items() or (listed[0].rest(),))]
    if not name.endswith("_exec") and len(words) > 1:
        # What the program is to call itself.
        del words[1]
    if given.star is not None:
        words.append(given.star)
    for item in _dangerous(tuple(words)) if words else ():
        judge(at, sink.flaw, parts(item), node, what=name)
    _words_proved(at, sink, words, node)


def _words_proved(at: Frame, sink: Sink, words: Iterable[Value], node: ast.AST) -> None:
    """What a program does with its words is not known here: only words of ours and plain ones are proved."""
    if not all(plain_word(parts(word), at.heap.proof(word)) for word in words):
        at.engine.report.open(at.file, getattr(node, "lineno", 0), sink.flaw)


def _dangerous(items: tuple[Value, ...]) -> list[Value]:
    rest = list(items)
    while len(rest) > 1 and rest[0].text is not None and _RUNNERS.search(rest[0].text):
        rest.pop(0)
    first = rest[0].text
    if first is None:
        return rest[:1]
    if _SHELLS.search(first) or _INTERPRETERS.search(first):
        for number, item in enumerate(rest[1:-1], 1):
            if item.text is not None and (_SHELL_FLAG.search(item.text) or item.text in ("-e", "-E", "-r")):
                return rest[number + 1 : number + 2]
    return rest[:1]


def _log(at: Frame, sink: Sink, name: str, receiver: Value | None, given: Arguments, node: ast.AST) -> None:
    """The text, and what goes into its fields; `%r` and numbers cannot end a line."""
    first = sink.arguments[0]
    start = first if isinstance(first, int) else 0
    told = given.positional[start:]
    if given.star is not None:
        told.append(given.star)
    text = told[0] if told else given.get("msg")
    if text is None:
        return
    judge(at, sink.flaw, parts(text), node, what=name)
    fields = [found for found in _FIELD.findall(text.shape) if found != "%"]
    for number, value in enumerate(told[1:]):
        if number < len(fields) and fields[number] in _SAFE_FIELDS:
            continue
        judge(at, sink.flaw, parts(value), node, what=name)


_RAW = {
    # Escapes unless it is told not to; jinja2 by itself does not escape.
    "bottle": r"\{{\{{!\s*{name}\b",
    "jinja2": r"\{{\{{-?\s*{name}\b(?![^}}]*\|\s*(?:e|escape|forceescape|urlencode|int|float|length)\b)",
    "escaping": r"\{{\{{-?\s*{name}\b[^}}]*\|\s*safe\b",
    "mako": r"\$\{{\s*{name}\b(?![^}}]*\|\s*(?:h|u)\b)",
}
_OFF = re.compile(r"\{%-?\s*autoescape\s+(?:false|off)\b")


def _template(
    at: Frame, sink: Sink, name: str, receiver: Value | None, given: Arguments, node: ast.AST
) -> None:
    """Names that a template of the tree puts into its page as they are."""
    source = receiver if "self" in sink.arguments else given.get(0)
    if source is None or not source.shape.strip("\x00\x01"):
        return
    kind = _engine(name)
    if kind == "escaping" and _OFF.search(source.shape):
        kind = "jinja2"
    for key, value in _told(given):
        if re.search(_RAW[kind].format(name=re.escape(key)), source.shape):
            judge(at, sink.flaw, parts(value), node, what=name)


def _engine(name: str) -> str:
    if name.startswith("bottle."):
        return "bottle"
    if name.startswith("mako."):
        return "mako"
    return "jinja2" if name.startswith("jinja2.") and "escaping" not in name else "escaping"


def _told(given: Arguments) -> list[tuple[str, Value]]:
    """What a template is given, by name: keywords, and keys of dicts."""
    found = list(given.keywords.items())
    for value in given.positional:
        for ref in value.refs:
            inner = [ref]
            if isinstance(ref, Obj) and ref.kind == "context":
                inner = [one for item in ref.items() or () for one in item.refs]
            for one in inner:
                if isinstance(one, Obj) and one.kind == "dict":
                    found += [(key, one.at(key)) for key in one.known_keys() if isinstance(key, str)]
    return found


def _page(at: Frame, sink: Sink, name: str, receiver: Value | None, given: Arguments, node: ast.AST) -> None:
    """What a program that answers with HTML prints."""
    if any("text/html" in line for line in at.module.lines):
        for value in (*given.positional, *([given.star] if given.star else [])):
            judge(at, sink.flaw, parts(value), node, what=name)


def _streams(value: Value) -> bool:
    return any(
        (isinstance(ref, External) and ref.name.endswith("IO"))
        or (isinstance(ref, Obj) and ref.kind == "stream")
        for ref in value.refs
    )


def _file(at: Frame, sink: Sink, name: str, receiver: Value | None, given: Arguments, node: ast.AST) -> None:
    """A name of a file; what is a stream already is no name."""
    for place in sink.arguments:
        value = given.get(place)
        if value is not None and not _streams(value):
            judge(at, sink.flaw, parts(value), node, what=name)


Check = Callable[[Frame, Sink, str, Value | None, Arguments, ast.AST], None]
CHECKS: dict[str, Check] = {
    "program": _program,
    "words": _words,
    "log": _log,
    "template": _template,
    "page": _page,
    "file": _file,
}
