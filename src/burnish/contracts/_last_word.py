"""The last word of a reply: the only place where a pass can stand.

A pass is the whole last line, a last section that holds nothing but the word, or a JSON answer that ends the
text. Nothing but white space follows it, nothing that was opened before it is still open, and the line before
it does not lead on to it. This is a whitelist: what is not described here is no pass.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from burnish.codec import loads, loads_from

MAX_LINE = 2000
_PRAISE = "(?: ?[✅✔☑👍🎉🚀💯🟢✨🏆]\ufe0f?){0,2}"
_GAP = "[ \u00a0]"
_EM = "[*_]{0,3}"
# Words of a line such as "Here is my final verdict:", which introduces an answer and not a quotation.
_OWN_WORDS = frozenset(
    {
        "a", "about", "above", "all", "an", "and", "answer", "as", "assessment", "based", "below",
        "blocking", "change", "changes", "checks", "comments", "complete", "compliance", "conclusion",
        "decision", "everything", "final", "finding", "findings", "fix", "follows", "for", "format",
        "found", "grade", "have", "header", "here", "here's", "here’s", "i", "implementation", "in", "is",
        "issue", "issues", "item", "items", "json", "just", "low", "medium", "minor", "must", "must-fix",
        "my", "nit", "nits", "non-blocking", "none", "note", "notes", "object", "observation",
        "observations", "of", "on", "one", "only", "optional", "output", "overall", "quality",
        "recommendation", "remark", "remarks", "report", "requested", "required", "response", "result",
        "results", "review", "short", "should-fix", "small", "so", "structured", "suggestion",
        "suggestions", "sum", "summary", "tests", "that", "the", "therefore", "this", "three", "to", "two",
        "up", "valid", "verdict", "verification", "with",
    }
)  # fmt: skip
_LEADS_ON = re.compile(
    r"(?:[,;=<>({\[|/\\“‘«—–-]|\b(?:the|an?|is|are|was|were|be|to|as|with|this|these|those|following|says?|said"
    r"|reads?|writes?|write|wrote|lines?|if|and|or|but|not|until|unless|once|when|because|that|than|of|in|from"
    r"|by|for|containing|contains?|would|could|should|call|called|like))$",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_HEADING = re.compile(r"#{1,6}[ \t]+(.*?)[ \t#]*$")
_RULE = re.compile(r"(?:[-*_][ \t]*){3,}$")
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*)*(`{3,}|~{3,})([^`]*)$")
_TAG = re.compile(r"[ \t]*<(/?)([A-Za-z][\w:.-]{0,40})(?:[ \t][^<>]{0,300})?>[ \t]*$")
_VOID = frozenset({"br", "hr", "img", "input"})
_HERE = re.compile(r"<<[-~]?[ \t]?['\"]?([A-Za-z_]\w{0,40})['\"]?(?:[ \t]*[>|&].*)?$")
_BEGIN = re.compile(r"\W*(BEGIN|START|\\begin|\[quote|\[code|#\+begin)\b", re.IGNORECASE)
_END = re.compile(r"\W*(END|STOP|FINISH|\\end|\[/quote|\[/code|#\+end)\b", re.IGNORECASE)
_BARE_FENCE = re.compile(r"(`{3,}|~{3,})")
_JSON_FENCE = re.compile(r"(?:`{3,}|~{3,})[ \t]*(?:jsonc?)?[ \t]*", re.IGNORECASE)
_OPENS = re.compile(r"^[{\[]", re.MULTILINE)
_CODE = re.compile(r"`[^`\n]{1,400}`")
_SENTENCE_END = (".", "!", ")", "…", "`", "*", "_", "}", "]", '"', "”", "»")


@dataclass(frozen=True)
class LastWord:
    """How the passing word of a line dialect is written; `heading` where only a heading carries it."""

    label: str
    word: str
    heading: bool = False

    @cached_property
    def _line(self) -> re.Pattern[str]:
        hashes = "#{1,6} +" if self.heading else "(?:#{1,6} +)?"
        return re.compile(
            rf"{hashes}{_PRAISE} ?(?P<marks>{_EM}(?:(?:final|overall|review){_GAP})?{self.label}{_EM}{_GAP}?:"
            rf"{_GAP}{{0,2}}{_EM}{_PRAISE} ?[*_`]{{0,3}}{self.word}[*_`]{{0,3}}[.!]?{_EM})"
            rf"[.!]?{_PRAISE}(?: #{{1,6}})?",
            re.ASCII | re.IGNORECASE,
        )

    @cached_property
    def _alone(self) -> re.Pattern[str]:
        return re.compile(
            rf"(?P<marks>[*_`]{{0,3}}{self.word}[*_`]{{0,3}}[.!]?[*_]{{0,3}}){_PRAISE}", re.A | re.I
        )

    @cached_property
    def _title(self) -> re.Pattern[str]:
        return re.compile(
            rf"#{{1,6}} +(?:(?:final|overall|review) )?{self.label}:?(?: #{{1,6}})?", re.A | re.I
        )

    def doubt(self, text: str) -> str:
        """Why the word is not the last word of a cleaned text; empty when it is."""
        lines = text.rstrip().split("\n")
        last = lines[-1][:MAX_LINE].rstrip()
        found = self._line.fullmatch(last)
        if found and balanced(found["marks"]):
            return lead_in(lines[:-1], interrupts=last.startswith("#")) or unclosed(lines[:-1])
        before = [number for number, line in enumerate(lines[:-1]) if line.strip()]
        alone = self._alone.fullmatch(last)
        if (
            alone
            and balanced(alone["marks"])
            and before
            and self._title.fullmatch(lines[before[-1]].rstrip())
        ):
            return unclosed(lines[:-1])
        return f"the {self.label} is not the whole last line of the answer"


@dataclass(frozen=True)
class Ending:
    """The JSON value that ends a text, and the lines before it."""

    value: Any
    before: Sequence[str]

    @property
    def doubt(self) -> str:
        """Why it may not be the writer's own answer; empty when it is."""
        return lead_in(self.before, interrupts=True) or unclosed(self.before)


def ending(text: str) -> Ending | None:
    """The JSON value that ends a cleaned text: at the start of a line, or alone in a last code block."""
    lines = text.strip().split("\n")
    closing = _BARE_FENCE.fullmatch(lines[-1].rstrip())
    if closing:
        opening = next((n for n in range(len(lines) - 2, -1, -1) if lines[n].startswith(closing[1])), -1)
        if opening < 0 or not _JSON_FENCE.fullmatch(lines[opening].rstrip()):
            return None
        try:
            return Ending(loads("\n".join(lines[opening + 1 : -1])), lines[:opening])
        except ValueError:
            return None
    return _bare("\n".join(lines))


def _bare(text: str) -> Ending | None:
    """Values are decoded one behind the other: what stands inside of one is never taken for the last."""
    position, work = 0, 0
    while (found := _OPENS.search(text, position)) and work < 4 * len(text) + 100_000:
        start = found.end() - 1
        try:
            value, position = loads_from(text, start)
        except ValueError as error:
            work += max(getattr(error, "pos", 0) - start, 1000)
            position = found.end()
            continue
        if not text[position:].strip():
            return Ending(value, text[:start].split("\n")[:-1] if start else [])
    return None


def lead_in(lines: Sequence[str], *, interrupts: bool = False) -> str:
    """Why what follows these lines may be quoted or the rest of a sentence; empty when it stands alone."""
    count = len(lines)
    while count and not lines[count - 1].strip():
        count -= 1
    if not count:
        return ""
    line, gap = lines[count - 1].strip()[-MAX_LINE:], count < len(lines)
    if line.startswith(">"):
        return "" if gap else "a quotation runs into the verdict"
    heading = _HEADING.match(line)
    plain = line.strip("*_ \t")
    if heading or plain.endswith((":", "：")):
        words = re.findall(r"[\w'’-]+", (heading[1] if heading else plain).casefold())
        return (
            "" if set(words) <= _OWN_WORDS else "the line before the verdict introduces it like a quotation"
        )
    if _RULE.match(line) or _FENCE.match(line) or (line.startswith("|") and line.endswith("|")):
        return ""
    if (
        _TAG.match(line)
        or line.endswith("-->")
        or line.endswith(_SENTENCE_END)
        or line[-1] in "✅✔☑👍🎉🚀💯🟢✨🏆\ufe0f"
    ):
        return ""
    if _LEADS_ON.search(plain) or plain.endswith("?"):
        return "the line before the verdict leads on to it"
    return "" if gap or interrupts else "the verdict continues the line before it; put a blank line between"


def unclosed(lines: Sequence[str]) -> str:
    """What was opened in these lines and not closed, so that what follows may be a quotation; else empty."""
    fence, tags, ends, begins = "", list[str](), set[str](), 0
    quotes = curly = comments = 0
    for line in lines:
        short = line[:MAX_LINE]
        mark = _FENCE.match(short) if "```" in short or "~~~" in short else None
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                fence = ""
            continue
        if mark:
            fence = mark[1]
            continue
        if short.strip() in ends:
            ends.discard(short.strip())
        own = _CODE.sub("", short) if "`" in short else short
        quotes += own.count('"')
        curly += own.count("“") - own.count("”") + own.count("«") - own.count("»")
        comments += own.count("<!--") - own.count("-->")
        begins += bool(_BEGIN.match(own)) - (begins > 0 and bool(_END.match(own)))
        if here := _HERE.search(own):
            ends.add(here[1])
        if "<" in own and (tag := _TAG.match(own)):
            _count(tags, tag[2].lower(), closing=bool(tag[1]))
    what = (
        (fence, "code block"), (tags, "tag"), (ends, "here-document"), (begins, "block"),
        (quotes % 2 or curly > 0, "quotation mark"), (comments > 0, "comment"),
    )  # fmt: skip
    return next((f"a {name} before the verdict is never closed" for found, name in what if found), "")


def _count(tags: list[str], name: str, *, closing: bool) -> None:
    if closing and name in tags:
        tags.reverse()
        tags.remove(name)
        tags.reverse()
    elif not closing and name not in _VOID and len(tags) < 1000:
        tags.append(name)


def balanced(text: str) -> bool:
    """Whether each run of emphasis marks is closed by one as long, in order."""
    waiting: list[str] = []
    for mark in re.findall(r"\*+|_+(?!\w)|(?<!\w)_+|`+", text):
        if waiting and waiting[-1] == mark:
            waiting.pop()
        else:
            waiting.append(mark)
    return not waiting
