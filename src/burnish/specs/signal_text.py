"""A signal as text and back: lines of `key: value`, and for reading also the JSON that other tools write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from burnish.codec import loads
from burnish.errors import UsageError
from burnish.model.review import Verdict
from burnish.sanitise import clean_line, escaped
from burnish.specs.signals import VERSION, Signal, SignalName, Status, parse_name

# Values are short; an error can be a tool's whole output, of which the beginning tells.
MAX_ERROR_CHARS = 4_000
_TEXTS = ("path", "created_at", "error", "trace_id", "previous", "commit", "run", "receipt")
_NUMBERS = ("size", "version", "phase", "cycle", "duration_seconds")
_KEYS = frozenset((*_TEXTS, *_NUMBERS, "status", "grade", "kind"))
_LINE = re.compile(r"[ \t]*([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?", re.ASCII)
_WHOLE = re.compile(r"[0-9]{1,15}")
_SECONDS = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?")
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPE = re.compile(r"\\(?:([\\nrt])|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")
_LONG = {"\\": "\\", "n": "\n", "r": "\r", "t": "\t"}
_STATUSES = {
    "success": Status.SUCCESS, "completed": Status.SUCCESS, "fail": Status.FAIL, "failed": Status.FAIL,
    "skipped": Status.SKIPPED,
}  # fmt: skip
_VERSIONS = {"1", "1.0", "v1", "signal-v1"}
_GRADES = (Verdict.PASS, Verdict.WARN, Verdict.FAIL)
# What the JSON form calls differently.
_JSON_NAMES = {"timestamp": "created_at", "phase_num": "phase", "phase": "kind", "schema": "version"}


def write_signal(signal: Signal) -> str:
    """Lines of `key: value`, each on one line whatever is in it."""
    seconds = f"{signal.duration_seconds:.3f}".rstrip("0").rstrip(".")
    pairs = {
        "path": signal.path, "size": str(signal.size), "status": str(signal.status),
        "created_at": signal.created_at, "error": signal.error[:MAX_ERROR_CHARS], "trace_id": signal.trace_id,
        "version": str(signal.version), "previous": signal.previous,
        "grade": signal.grade.upper() if signal.grade else "", "commit": signal.commit,
        "phase": str(signal.phase) if signal.kind else "", "cycle": str(signal.cycle) if signal.cycle else "",
        "duration_seconds": seconds if seconds != "0" else "", "kind": str(signal.kind or ""),
        "run": signal.run, "receipt": signal.receipt,
    }  # fmt: skip
    always = ("path", "size", "status", "created_at")
    return "".join(
        f"{key}: {_escaped(value)}".rstrip(" ") + "\n"
        for key, value in pairs.items()
        if value or key in always
    )


def read_signal(name: str, text: str) -> Signal:
    """The signal in a file of that name; what cannot be relied on is refused in one sentence."""
    told = parse_name(name)
    if told is None:
        raise _damaged(name, "its name ends in neither .done nor .fail")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.strip():
        raise _damaged(name, "it is empty")
    pairs = _of_json(name, text) if text.lstrip().startswith("{") else _of_lines(name, text)
    version = pairs.pop("version", "1").strip().lower()
    if version not in _VERSIONS:
        raise UsageError(
            f"signal {clean_line(name)} is of version {clean_line(version)[:40]}; "
            f"this Burnish reads version {VERSION}.",
            hint="use the Burnish that wrote it, or move that file away",
        )
    _compare(name, told, pairs)
    return _signal(name, told, pairs)


def _signal(name: str, told: SignalName, pairs: Mapping[str, str]) -> Signal:
    grade = pairs.get("grade", "")
    if grade and grade.lower() not in _GRADES:
        raise _damaged(name, f"its grade must be PASS, WARN or FAIL, found {clean_line(grade)[:40]!r}")
    return Signal(
        phase=told.phase,
        kind=told.kind,
        cycle=told.cycle,
        status=_STATUSES[pairs["status"]],
        size=int(_number(name, pairs, "size", _WHOLE)),
        grade=Verdict(grade.lower()) if grade else None,
        duration_seconds=float(_number(name, pairs, "duration_seconds", _SECONDS)),
        label=told.label,
        path=pairs.get("path", ""),
        created_at=pairs.get("created_at", ""),
        error=pairs.get("error", ""),
        trace_id=pairs.get("trace_id", ""),
        previous=pairs.get("previous", ""),
        commit=pairs.get("commit", ""),
        run=pairs.get("run", ""),
        receipt=pairs.get("receipt", ""),
    )


def _compare(name: str, told: SignalName, pairs: Mapping[str, str]) -> None:
    """The name and the content must tell the same."""
    status = pairs.get("status", "")
    if status not in _STATUSES:
        found = f"found {clean_line(status)[:40]!r}" if status else "found none"
        raise _damaged(name, f"its status must be success or fail, {found}")
    if (_STATUSES[status] is Status.FAIL) is not told.failed:
        raise _damaged(name, f"its status is {status} and its name says otherwise")
    if told.kind is None:
        return
    said = {"phase": told.phase, "cycle": told.cycle}
    for key, number in said.items():
        if key in pairs and int(_number(name, pairs, key, _WHOLE)) != number:
            raise _damaged(name, f"it says {key} {clean_line(pairs[key])[:40]} and its name says {number}")
    if pairs.get("kind", str(told.kind)) != told.kind:
        raise _damaged(name, f"it says {clean_line(pairs['kind'])[:40]} and its name says {told.kind}")


def _number(name: str, pairs: Mapping[str, str], key: str, kind: re.Pattern[str]) -> str:
    value = pairs.get(key) or "0"
    if not kind.fullmatch(value):
        raise _damaged(name, f"its {key} must be a number, found {clean_line(value)[:40]!r}")
    return value


def _of_lines(name: str, text: str) -> dict[str, str]:
    """Known keys only; others are another version's, or another tool's, and harmless."""
    pairs: dict[str, str] = {}
    for line in text.split("\n"):
        found = _LINE.fullmatch(line)
        if not found and line.strip():
            raise _damaged(name, f"expected lines of 'key: value', found {clean_line(line)[:60]!r}")
        if not found or found[1] not in _KEYS:
            continue
        if found[1] in pairs:
            raise _damaged(name, f"it says {found[1]} twice")
        pairs[found[1]] = _unescaped((found[2] or "").strip(" \t"))
    return pairs


def _of_json(name: str, text: str) -> dict[str, str]:
    try:
        content = loads(text)
    except ValueError as error:
        raise _damaged(name, f"it is not valid JSON ({clean_line(str(error))[:100]})") from None
    pairs: dict[str, str] = {}
    for key, value in content.items():
        known = _JSON_NAMES.get(key, key)
        # In this form `phase` is the stage; a number there is meant as in the other form.
        known = "phase" if key == "phase" and isinstance(value, int) else known
        if known in _KEYS and isinstance(value, str | int | float) and not isinstance(value, bool):
            pairs.setdefault(known, f"{value:.3f}" if isinstance(value, float) else str(value))
    pairs["status"] = pairs.get("status", "").lower()
    if "path" not in pairs:
        pairs["path"] = _first_text(content.get("artifacts"))
    return pairs


def _first_text(artifacts: Any) -> str:
    return artifacts[0] if isinstance(artifacts, list) and artifacts and isinstance(artifacts[0], str) else ""


def _damaged(name: str, why: str) -> UsageError:
    return UsageError(
        f"signal {clean_line(name)} is damaged: {why}.",
        hint="move that file away; the step it stands for is then done again",
    )


def _escaped(value: str) -> str:
    odd = {one: _escape(one) for one in set(value) if one == "\\" or unicodedata.category(one) in _HIDDEN}
    value = escaped(value, odd) if odd else value
    inner = value.strip(" ")
    # Spaces at either end would be lost on the way back.
    before, after = len(value) - len(value.lstrip(" ")), len(value) - len(value.rstrip(" "))
    return "\\x20" * before + inner + "\\x20" * after if inner else "\\x20" * len(value)


def _escape(one: str) -> str:
    code = ord(one)
    long = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return _SHORT.get(one, long)


def _unescaped(value: str) -> str:
    return _ESCAPE.sub(_character, value) if "\\" in value else value


def _character(found: re.Match[str]) -> str:
    if found[1]:
        return _LONG[found[1]]
    code = int(found[2] or found[3] or found[4], 16)
    return chr(code) if code < 0x110000 else found[0]
