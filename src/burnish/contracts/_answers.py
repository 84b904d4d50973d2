"""Which of the JSON objects in a reply is the answer, and what to say when none is."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from burnish.codec import dumps, loads
from burnish.contracts._brackets import first_block
from burnish.contracts._denials import denial, denying_pair
from burnish.contracts._inline import TooBusy
from burnish.contracts._last_word import ending
from burnish.contracts._markdown import layout
from burnish.contracts._objects import Block, Found, find
from burnish.contracts._reading import own_text
from burnish.contracts._text import MAX_PROSE, clean, too_long, writable
from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Review, Verdict

EMPTY = "the answer is empty"
# A count of something that stands against a pass.
_COUNTS = re.compile(r"fail|issue|block|error|problem|critical|high|must|open|defect|finding", re.IGNORECASE)
# Keys that models like to add and that judge nothing.
_HARMLESS = frozenset(
    {
        "checked", "comment", "comments", "confidence", "cost", "duration", "explanation", "files",
        "files_reviewed", "id", "model", "note", "notes", "rationale", "reasoning", "review", "reviewer",
        "score", "strengths", "summary", "task", "tests", "tests_run", "timestamp", "title", "version",
    }
)  # fmt: skip
# A code span that names a pair and holds no object, such as `passed: false`.
_MENTION = re.compile(r"`[^`{}\n]{1,100}`")


@dataclass(frozen=True)
class Form:
    """What a dialect's object is: what it is called, its keys, how it is judged, what denies a pass."""

    what: str
    keys: tuple[str, ...]
    absent: str
    judge: Callable[[dict[str, Any]], Review]
    denies: re.Pattern[str]
    whole: bool = False
    # Whether doubts beside the object take a pass away, as a refusal does; findings speak for themselves.
    prose: bool = True
    # A line that a prompt asks for behind the object.
    closing: str = ""

    def bears(self, value: dict[str, Any]) -> bool:
        return any(key in value for key in self.keys)

    def mentions(self, text: str) -> bool:
        return any(key in text for key in self.keys)


def answer(reply: Reply, form: Form) -> Review:
    """The review that all sources of a reply agree on. Raises ContractViolation."""
    if reply.structured is not None and not isinstance(reply.structured, str):
        return _structured(reply, form)
    text = reply.text if reply.structured is None else reply.structured
    if not text.strip():
        raise ContractViolation("no_json", EMPTY)
    cleaned = clean(text)
    try:
        found = find(cleaned)
    except TooBusy as error:
        raise ContractViolation("malformed", str(error)) from None
    try:
        review = _choose(found, form)
        if review.verdict is Verdict.PASS:
            _check_pass(reply, cleaned, form, empty=not review.findings)
    except TooBusy as error:
        raise ContractViolation("malformed", str(error)) from None
    except ContractViolation as violation:
        violation.denied = violation.denied or _denial_in(found, form)
        raise
    return replace(review, text=writable(text))


def _check_pass(reply: Reply, text: str, form: Form, *, empty: bool) -> None:
    """Raises ContractViolation unless the passing object is the last word, and nothing speaks against it."""
    if reply.structured is not None:
        raise ContractViolation("malformed", f"the structured {form.what} is a text, not an object")
    if unsure := too_long(reply, text):
        raise ContractViolation("malformed", f"{unsure}, so the {form.what} in it cannot be relied on")
    last = ending(text.rstrip().removesuffix(form.closing))
    values = last.value if last and isinstance(last.value, list) else [last.value] if last else []
    if last is None or not any(isinstance(value, dict) and form.bears(value) for value in values):
        raise ContractViolation(
            "no_json", f"the {form.what} is not the last word: end the answer with it, at the start of a line"
        )
    if last.doubt:
        raise ContractViolation("no_json", last.doubt)
    before = "\n".join(last.before)
    if denying_pair(_MENTION.sub("", before)):
        raise ContractViolation("conflict", f"another answer that denies stands before the {form.what}")
    _check_words(before, form, empty=empty)
    _check_words(reply.report or "", form, empty=empty)
    if reply.structure_expected:
        raise ContractViolation(
            "no_json", f"the {form.what} came as prose; give it as the structured answer that was asked for"
        )


def _check_words(text: str, form: Form, *, empty: bool = False) -> None:
    """Raises ContractViolation where prose beside a pass takes it away; `empty`: beside no finding at all."""
    if len(text) > MAX_PROSE:
        raise ContractViolation(
            "malformed", f"the text beside the {form.what} is longer than {MAX_PROSE} characters"
        )
    said = denial(own_text(layout(text))) if text.strip() else None
    if said and (form.prose or said.refuses or empty):
        why = f"the text beside the passing {form.what} says: {said.words}"
        raise ContractViolation("conflict", why, denied=said.refuses)


def check_pass(value: Mapping[str, Any], known: Container[str], prose: str = "") -> None:
    """Raises ContractViolation where a passing object says something against its pass.

    Keys that were not asked for may hold a number or a text; what is listed, a bool or refused is no pass.
    """
    for key, extra in value.items():
        number = isinstance(extra, int | float) and not isinstance(extra, bool)
        harmless = extra in (None, [], {}, "") or (number and (not extra or not _COUNTS.search(key)))
        text = isinstance(extra, str) and not denial(extra) and not denying_pair(f'"verdict": "{extra}"')
        if key not in known and not (harmless or (text and key.casefold() in _HARMLESS)):
            why = f"a pass beside {key[:60]!r}: {dumps(extra)[:60]}; give only the keys that were asked for"
            raise ContractViolation("conflict", why, denied=True)
    if said := denial(prose):
        raise ContractViolation("conflict", f"a pass whose text says: {said.words}", denied=said.refuses)


def _denial_in(found: Found, form: Form) -> bool:
    """Whether a denial can be read in an answer that does not fit the form."""
    if denying_pair(found.text) or form.denies.search(found.text):
        return True
    said = (_verdict(value, form) for block in found.blocks for value in block.objects)
    return any(verdict not in (Verdict.PASS, None) for verdict in said)


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
        plain = dumps(reply.structured)
    except (TypeError, ValueError, RecursionError) as error:
        raise ContractViolation("malformed", f"the structured answer is not plain data: {error}") from None
    given = reply.structured if isinstance(reply.structured, list) else [reply.structured]
    objects = [value for value in given if isinstance(value, dict)]
    if not objects:
        raise ContractViolation("no_json", f"the structured answer is not a {form.what}")
    try:
        review = _agreed(objects, form)
        if review.verdict is Verdict.PASS:
            if _text_denies(reply.text, form) or _text_denies(reply.report or "", form):
                raise ContractViolation(
                    "conflict", f"the text beside the structured {form.what} contradicts it"
                )
            for text in (reply.text, reply.report or ""):
                _check_words(clean(text), form, empty=not review.findings)
    except TooBusy as error:
        raise ContractViolation("malformed", str(error)) from None
    except ContractViolation as violation:
        violation.denied = violation.denied or bool(denying_pair(plain) or form.denies.search(plain))
        raise
    return replace(review, text=writable(reply.text or plain))


def _text_denies(text: str, form: Form) -> bool:
    """Whether words beside a structured pass say something else. Quoted or not: doubt does not pass."""
    if denying_pair(text):
        return True
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
