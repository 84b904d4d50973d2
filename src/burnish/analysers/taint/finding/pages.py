"""Where untrusted text stands in a page, as a browser reads it: between tags, or in a value in quotes."""

from __future__ import annotations

import re

from burnish.analysers.taint.memory.proofs import NUMBER, OURS, Part, Proof

# Between these a browser reads text, with entities, and nothing else.
_TAGS = frozenset({
    "a", "abbr", "article", "b", "blockquote", "body", "br", "caption", "center", "cite", "code", "dd",
    "div", "dl", "dt", "em", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "i",
    "img", "input", "label", "li", "main", "nav", "ol", "p", "pre", "section", "small", "span", "strong",
    "sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "tt", "u", "ul",
})  # fmt: skip
# Values that are text, and neither code nor addresses.
_ATTRIBUTES = frozenset({
    "alt", "class", "colspan", "dir", "for", "height", "id", "lang", "name", "placeholder", "role",
    "rowspan", "title", "value", "width",
})  # fmt: skip
_TAG = re.compile(r"/?([A-Za-z][A-Za-z0-9]*)")
_LAST_NAME = re.compile(r"\s([A-Za-z-]+)=$")
_ELSEWHERE = "elsewhere"
_BETWEEN, _IN_TAG = "between", "tag"


def safe_page(proof: Proof) -> bool:
    """A page or a piece of one. A piece that may begin in the middle of a tag is no such thing."""
    own = "".join(part for part in proof.parts if isinstance(part, str))
    if "<" not in own and any(character in own for character in "\"'=`>"):
        return False
    reader = _Reader()
    for part in proof.parts:
        if isinstance(part, str):
            reader.read(part)
        elif not reader.takes(part):
            return False
    return True


class _Reader:
    """`state` is where the text stands that comes next: between tags, in one, or which quote is open."""

    def __init__(self) -> None:
        self.state, self.tag, self.value_of = _BETWEEN, "", ""

    def read(self, text: str) -> None:
        for character in text:
            if self.state == _BETWEEN:
                if character == "<":
                    self.state, self.tag = _IN_TAG, ""
            elif self.state == _IN_TAG:
                self._in_tag(character)
            elif character == self.state:
                # The quote that was open.
                self.state, self.tag, self.value_of = _IN_TAG, f"{self.tag} ", ""

    def _in_tag(self, character: str) -> None:
        if character == ">":
            named = _TAG.match(self.tag)
            known = named is not None and named[1].lower() in _TAGS
            self.state = _BETWEEN if known else _ELSEWHERE
        elif character in "\"'" and self.tag.endswith("="):
            found = _LAST_NAME.search(self.tag)
            self.value_of = found[1].lower() if found else ""
            self.state = character
        elif character in "<\"'`":
            self.state = _ELSEWHERE
        else:
            self.tag += character

    def takes(self, part: Part) -> bool:
        """Whether this part stays where it stands; text of ours may be anything and loses the place."""
        fine = {"<", ">"} <= part.free if self.state == _BETWEEN else False
        if self.state in "\"'":
            fine = {self.state, "<", ">"} <= part.free and self.value_of in _ATTRIBUTES
        if OURS in part.fit:
            self.state = self.state if fine else _ELSEWHERE
            return True
        if self.state in (_BETWEEN, '"', "'") and "xss" in part.fit:
            return self.state == _BETWEEN or self.value_of in _ATTRIBUTES
        return fine or (NUMBER in part.fit and self.state != _IN_TAG)
