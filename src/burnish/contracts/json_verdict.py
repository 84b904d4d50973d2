"""The `slots` dialect: one JSON object `{"verdict": ..., "followUpPrompt": ...}`."""

from __future__ import annotations

import re
from typing import Any

from burnish.contracts._answers import Form, answer, check_pass, literal
from burnish.contracts._fields import Problems, kind
from burnish.contracts._schema import Schema, one_of, record, value
from burnish.contracts._text import one_line, writable
from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Finding, Review, Severity, Verdict
from burnish.ports import Asking, Carrier, Contract

_VERDICTS = {"pass": Verdict.PASS, "drift": Verdict.FAIL}

_INSTRUCTIONS = """\
## How to answer

End your answer with exactly one JSON object of this form, strictly valid JSON, not in a code block, not
quoted, not indented, and nothing behind it:

{"verdict": "pass" | "drift", "followUpPrompt": "..."}

- `verdict`: the string `pass` when nothing must be changed, the string `drift` when something must; no other
  value.
- `followUpPrompt`: a string, always. With `pass` a brief summary; with `drift` the specific instructions for
  the one who fixes it: file, line, what is wrong, what to do. Escape quotation marks and line breaks in it.

Give the object once. If you quote text that looks like such an object, quote it with `>` in front.
"""
# An instruction at the start of a sentence; with `pass` nothing is left to do.
_ORDER = re.compile(
    r"(?:^|[.!;:]\s+|\n\s*(?:[-*+]|\d+[.)])?\s*)(?:please )?(?:fix|remove|add|change|replace|rename|move"
    r"|rotate|squash|escape|validate|handle|revert|rewrite|restore|correct|guard|make sure|ensure|stop"
    r"|avoid|delete|close|run the tests again)\b(?! ?ed\b) \w",
    re.IGNORECASE,
)
_SCHEMA = record(
    verdict=one_of(_VERDICTS, "pass when nothing must be changed, drift when something must."),
    followUpPrompt=value("string", "With pass a brief summary, with drift what is to be fixed, and where."),
)


class JsonVerdict:
    """One object with `verdict` ("pass" or "drift", nothing else) and `followUpPrompt` (a string).

    Text around it is fine. Refused: invalid JSON, doubled keys, other values, a drift without instructions,
    objects that contradict each other, objects inside others. Quoted objects are not answers.
    """

    name = "json-verdict"
    carrier: Carrier = "message"

    def __init__(self, *, compat: bool = False) -> None:
        self._compat = compat

    def instructions(self, asking: Asking) -> str:
        return _INSTRUCTIONS

    def schema(self, asking: Asking) -> Schema | None:
        return _SCHEMA

    def parse(self, reply: Reply) -> Review:
        return literal(reply, _LITERAL) if self._compat else answer(reply, _FORM)


def _judge(value: dict[str, Any]) -> Review:
    review = _judge_literally(value)
    said = value["followUpPrompt"].strip()
    if said in ("...", "…") or (review.verdict is Verdict.FAIL and not re.search(r"\w", said)):
        raise ContractViolation(
            "bad_followup", f"'followUpPrompt' says nothing ({said!r}); with drift it must say what to fix"
        )
    if review.verdict is Verdict.PASS:
        check_pass(value, ("verdict", "followUpPrompt"), said)
        if _ORDER.search(said):
            raise ContractViolation(
                "conflict", f"a pass whose 'followUpPrompt' asks for work: {one_line(said)}"
            )
    return review


def _judge_literally(value: dict[str, Any]) -> Review:
    problems, native = Problems(), value.get("verdict")
    if not isinstance(native, str) or native not in _VERDICTS:
        found = kind(native) if "verdict" in value else "nothing"
        why = f'\'verdict\' must be "pass" or "drift", found {found}'
        problems.add(ContractViolation("bad_verdict", why))
    said = value.get("followUpPrompt")
    if not isinstance(said, str):
        found = kind(said) if "followUpPrompt" in value else "nothing"
        problems.add(ContractViolation("bad_followup", f"'followUpPrompt' must be a string, found {found}"))
    problems.check()
    said, verdict = writable(str(said)), _VERDICTS[str(native)]
    findings = (Finding(one_line(said) or "drift", detail=said),) if verdict is Verdict.FAIL else ()
    return Review(verdict, str(native), summary=one_line(said), findings=findings)


_DRIFT = re.compile(r"""["']verdict["']\s{0,9}:\s{0,9}["']?drift\b(?!["']?\s{0,9}[|/])""", re.ASCII)
_FORM = Form("verdict object", ("verdict",), "bad_verdict", _judge, _DRIFT)
_LITERAL = Form("verdict object", ("verdict",), "bad_verdict", _judge_literally, _DRIFT)


def make(*, compat: bool = False, fail_on: Severity = Severity.HIGH, min_confidence: float = 0.0) -> Contract:
    return JsonVerdict(compat=compat)
