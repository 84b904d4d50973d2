"""Which of the JSON objects in a reply is the answer, and what to say when none is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from burnish.codec import dumps, loads
from burnish.contracts._brackets import first_block
from burnish.contracts._inline import TooBusy
from burnish.contracts._objects import Block, Found, find
from burnish.contracts._text import clean, too_long, writable
from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Review, Verdict

_CLOSERS = re.compile(
    r"(?:done|end(?: of (?:the )?review)?|review[ _]completed?|that'?s (?:it|all)|let me know\b.*"
    r"|hope this helps.*|thank(?:s| you)\b.*)[.!]?",
    re.IGNORECASE | re.ASCII,
)
EMPTY = "the answer is empty"


@dataclass(frozen=True)
class Form:
    """What a dialect's object is: what it is called, its keys, how it is judged, what denies a pass."""

    what: str
    keys: tuple[str, ...]
    absent: str
    judge: Callable[[dict[str, Any]], Review]
    denies: re.Pattern[str]
    whole: bool = False

    def bears(self, value: dict[str, Any]) -> bool:
        return any(key in value for key in self.keys)

    def mentions(self, text: str) -> bool:
        return any(key in text for key in self.keys)


def answer(reply: Reply, form: Form) -> Review:
    """The review in native structure if the agent has that, else in its words. Raises ContractViolation."""
    if reply.structured is not None and not isinstance(reply.structured, str):
        return _structured(reply, form)
    text = reply.text if reply.structured is None else reply.structured
    if not text.strip():
        raise ContractViolation("no_json", EMPTY)
    try:
        review = _choose(find(clean(text)), form)
    except TooBusy as error:
        raise ContractViolation("malformed", str(error)) from None
    unsure = too_long(reply, text)
    if unsure and review.verdict is Verdict.PASS:
        raise ContractViolation("malformed", f"{unsure}, so the {form.what} in it cannot be relied on")
    return replace(review, text=writable(text))


def literal(reply: Reply, form: Form) -> Review:
    """The seed's literal rule: the first `{...}` block, whatever stands around it."""
    if reply.structured is not None and not isinstance(reply.structured, str):
        return _structured(reply, form)
    text = reply.text if reply.structured is None else reply.structured
    if "{" not in text:
        raise ContractViolation("no_json", "no JSON object found in the review")
    try:
        block = first_block(text)
        value = loads(block) if block else None
    except ValueError as error:
        raise ContractViolation("malformed", f"the {form.what} is not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise ContractViolation("malformed", f"the {form.what} is never closed")
    return replace(form.judge(value), text=writable(text))


def _structured(reply: Reply, form: Form) -> Review:
    try:
        text = reply.text or dumps(reply.structured)
    except (TypeError, ValueError, RecursionError) as error:
        raise ContractViolation("malformed", f"the structured answer is not plain data: {error}") from None
    given = reply.structured if isinstance(reply.structured, list) else [reply.structured]
    objects = [value for value in given if isinstance(value, dict)]
    if not objects:
        raise ContractViolation("no_json", f"the structured answer is not a {form.what}")
    review = _agreed(objects, form)
    if review.verdict is Verdict.PASS and _text_denies(reply.text, form):
        raise ContractViolation("conflict", f"the text beside the structured {form.what} contradicts it")
    return replace(review, text=writable(text))


def _text_denies(text: str, form: Form) -> bool:
    """Whether words beside a structured pass say something else. Quoted or not: doubt does not pass."""
    try:
        found = find(clean(text))
        loose = found.loose(form.denies)
    except TooBusy:
        return True
    for block in found.blocks:
        said = [_verdict(value, form) for value in block.objects if form.bears(value)]
        if any(verdict not in (Verdict.PASS, None) for verdict in said):
            return True
        if (None in said or block.value is None) and form.denies.search(block.text):
            return True
    return loose


def _choose(found: Found, form: Form) -> Review:
    own, fenced, soft = _sorted_out(found, form)
    if not own and not fenced:
        raise _nothing(found, form, bool(soft))
    review = _agreed([value for _, value in own or fenced], form)
    if review.verdict is not Verdict.PASS:
        return review
    if own and _denied(own[-1][0], fenced, soft, form):
        raise ContractViolation("conflict", f"two {form.what}s contradict each other")
    if any(block.value is None and form.denies.search(block.text) for block in found.blocks) or found.loose(
        form.denies
    ):
        raise ContractViolation(
            "conflict", f"a {form.what} that is not valid JSON contradicts the passing one"
        )
    if not own and not _is_last(found, fenced[-1][0]):
        raise ContractViolation(
            "no_json",
            f"the only {form.what} is in a code block with other text behind it, like a quotation;"
            " write it once, outside of code blocks",
        )
    return review


Placed = list[tuple[Block, dict[str, Any]]]


def _sorted_out(found: Found, form: Form) -> tuple[Placed, Placed, Placed]:
    """The bearing objects: the writer's own, those in code blocks, those that may be quotations."""
    own: Placed = []
    fenced: Placed = []
    soft: Placed = []
    for block in found.blocks:
        into = fenced if block.fenced else soft if block.soft else own
        into.extend((block, value) for value in block.objects if form.bears(value))
    return own, fenced, soft


def _agreed(objects: Sequence[dict[str, Any]], form: Form) -> Review:
    """The last of objects that say the same."""
    bearing = [value for value in objects if form.bears(value)] or list(objects)[-1:]
    reviews = [form.judge(value) for value in bearing]
    last = reviews[-1]
    for review in reviews:
        if review.verdict is not last.verdict or (form.whole and review.findings != last.findings):
            raise ContractViolation("conflict", f"{len(reviews)} {form.what}s contradict each other")
    return last


def _denied(own: Block, fenced: Placed, soft: Placed, form: Form) -> bool:
    """Whether an object in a code block, or one that may be a quotation, contradicts the pass.

    Code blocks before it that contradict each other are the examples of the prompt, repeated.
    """
    said = {_verdict(value, form) for _, value in fenced}
    examples = len(said) > 1 and all(block.start < own.start for block, _ in fenced)
    doubts = {_verdict(value, form) for _, value in soft} | (set() if examples else said)
    return bool(doubts - {Verdict.PASS, None})


def _verdict(value: dict[str, Any], form: Form) -> Verdict | None:
    try:
        return form.judge(value).verdict
    except ContractViolation:
        return None


def _is_last(found: Found, block: Block) -> bool:
    """Whether nothing but a closing phrase follows; blocks that are no answers do not count as text."""
    rest, position = "", block.end
    for other in found.blocks:
        if other.start >= position and not other.fenced:
            rest += found.text[position : other.start]
            position = other.end
    rest += found.text[position:]
    words = rest.replace("\x00", "").strip(" \t\n`~")
    return len(words) < 200 and (not words or _CLOSERS.fullmatch(words) is not None)


def _nothing(found: Found, form: Form, soft: bool) -> ContractViolation:
    broken = [block for block in found.blocks if block.value is None]
    meant = next((block for block in broken if form.mentions(block.text)), None)
    objects = any(block.objects for block in found.blocks)
    if meant or (broken and not objects):
        return ContractViolation("malformed", _defect(meant or broken[0], form))
    if objects and not soft:
        keys = " and ".join(repr(key) for key in form.keys)
        return ContractViolation(form.absent, f"a JSON object was found, but none with {keys} at its top")
    return ContractViolation("no_json", f"no {form.what} found outside of quotations")


def _defect(block: Block | None, form: Form) -> str:
    if block is None:
        return f"the {form.what} is never closed"
    return f"the {form.what} is not valid JSON: {block.why or 'it is not an object'}"
