"""Text turned back into data: what a check of it before found out says little of what comes out."""

from __future__ import annotations

import ast
import base64
import binascii
import html
import re
import urllib.parse
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from burnish.analysers.taint.library.encoding import decoded, pure
from burnish.analysers.taint.memory.facts import DECODED, after_decoding
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import HOLE, TAINTED, UNKNOWN, Value, constant, of
from burnish.codec import loads

MAX_TEXT = 2000
# The character without which nothing is decoded; every text is a number in hex or base64.
PERCENT, ENTITY, BACKSLASH, QUOTED, ALWAYS = "%", "&", "\\", "=", ""
_ENCODINGS = re.compile(r"utf[-_]?(?:8|16|32)\w*|(?:us[-_]?)?ascii|latin[-_]?1|iso[-_]?8859\S*|cp\d+|mbcs")
# Functions that nobody knows, by their names.
_BY_NAME = re.compile(r"(?:de|un)(?:code|compress|crypt|quote|escape|hex|seal|zip|pack)|from_?(?:hex|b64)")


def undone(at: Frame, value: Value, node: ast.AST, special: str) -> Value:
    """Decoding brings back what a check before it did not see."""
    if not value.taints:
        return value
    known = at.step(value, node, key=(DECODED, special))
    taints = tuple(replace(taint, clean=after_decoding(taint.clean, special)) for taint in known.taints)
    return replace(known, taints=taints)


def decodes(name: str) -> bool:
    """Whether a function from outside sounds as if it did."""
    return bool(_BY_NAME.search(name.rpartition(".")[2].lower()))


def special_of(codec: Value | None) -> str | None:
    """For `text.decode(codec)`: None where every character stays what it is."""
    name = (codec.text or "utf-8").lower() if codec is not None else "utf-8"
    if _ENCODINGS.fullmatch(name):
        return None
    return BACKSLASH if name.endswith("escape") else ALWAYS


def _model(function: Callable[[Any], Any], special: str) -> Callable[..., Value]:
    passed = pure(function)

    def model(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
        value = given.get(0) or given.get("string") or given.get("s") or UNKNOWN
        result = passed(at, receiver, given, node)
        return result if decoded(value) is not None else undone(at, result, node, special)

    return model


def _codec(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`codecs.decode(text, "rot13")`."""
    whole = parts(given.get(0) or UNKNOWN)
    special = special_of(given.get(1) or given.get("encoding"))
    result = Value(at.passed(whole, node=node), None, (), TAINTED if whole.taints else HOLE, whole.sure)
    return result if special is None else undone(at, result, node, special)


def _loads(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    text = given.get(0) or UNKNOWN
    found = decoded(text)
    if found is not None:
        return at.step(found, node)
    if text.is_const and isinstance(text.const, str) and len(text.const) <= MAX_TEXT:
        try:
            return _built(loads(text.const))
        except (ValueError, RecursionError):
            return UNKNOWN
    whole = parts(text)
    taints = at.passed(whole, node=node)
    return undone(at, Value(taints, shape=TAINTED if taints else HOLE, sure=text.sure), node, BACKSLASH)


def _built(found: Any, depth: int = 6) -> Value:
    if isinstance(found, dict) and depth:
        made = Obj("dict")
        made.table |= {("k", key): _built(value, depth - 1) for key, value in found.items()}
        return of(made)
    if isinstance(found, list) and depth:
        made = Obj("list")
        made.table["items"] = tuple(_built(value, depth - 1) for value in found)
        return of(made)
    return constant(found) if isinstance(found, str | int | float | bool | None) else UNKNOWN


def _opaque(text: Any) -> Any:
    """What is packed in a constant matters to nobody."""
    raise ValueError(text)


# Every text of these can hold anything.
_PACKED: dict[str, Callable[[Any], Any]] = {
    "base64.b64decode": base64.b64decode, "base64.standard_b64decode": base64.standard_b64decode,
    "base64.urlsafe_b64decode": base64.urlsafe_b64decode, "base64.decodebytes": base64.decodebytes,
    "base64.b32decode": base64.b32decode, "base64.b16decode": base64.b16decode,
    "base64.b85decode": base64.b85decode, "base64.a85decode": base64.a85decode,
    "binascii.unhexlify": binascii.unhexlify, "binascii.a2b_hex": binascii.a2b_hex,
    "binascii.a2b_base64": binascii.a2b_base64, "builtins.bytes.fromhex": bytes.fromhex,
    "builtins.bytearray.fromhex": bytes.fromhex, "zlib.decompress": _opaque, "gzip.decompress": _opaque,
    "bz2.decompress": _opaque, "lzma.decompress": _opaque,
}  # fmt: skip
FUNCTIONS = {
    **{name: _model(function, ALWAYS) for name, function in _PACKED.items()},
    "json.loads": _loads, "json.load": _loads, "codecs.decode": _codec,
    "urllib.parse.unquote": _model(urllib.parse.unquote, PERCENT),
    "urllib.parse.unquote_plus": _model(urllib.parse.unquote_plus, PERCENT),
    "urllib.parse.unquote_to_bytes": _model(urllib.parse.unquote_to_bytes, PERCENT),
    "html.unescape": _model(html.unescape, ENTITY), "xml.sax.saxutils.unescape": _model(_opaque, ENTITY),
    "quopri.decodestring": _model(_opaque, QUOTED), "binascii.a2b_qp": _model(_opaque, QUOTED),
}  # fmt: skip
