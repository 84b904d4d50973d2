"""What is proved of the result of a method of text: the list of methods with what each promises.

Any piece of a text has only characters of that text, and so has the text in upper or lower case: no letter
of any script becomes one of ASCII's other characters. What is not listed promises nothing: `encode`,
`translate`, `format` with a width, anything that normalises.
"""

from __future__ import annotations

from collections.abc import Callable

from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.marks import may_be_markup
from burnish.analysers.taint.memory.proofs import Proof, piece
from burnish.analysers.taint.memory.texts import is_text
from burnish.analysers.taint.memory.values import Value

_BLANKS = "".join(chr(code) for code in range(128) if chr(code).isspace())
_BETWEEN = frozenset(", ")
_LINE_ENDS = "\n\r\x0b\x0c\x1c\x1d\x1e"
Promise = Callable[[Proof | None, Arguments], "Proof | None"]


def of_method(at: Frame, receiver: Value, name: str, given: Arguments) -> Proof | None:
    promise, proof = METHODS.get(name), at.heap.proof(receiver)
    if promise is None or given.star or given.stars or not is_text(receiver) or may_be_markup(receiver):
        return None
    if proof is None and not receiver.taints:
        # Its type is unknown: a method of that name may do anything.
        return None
    return promise(proof, given)


def _any_piece(proof: Proof | None, given: Arguments) -> Proof | None:
    return piece(proof)


def _padded(proof: Proof | None, given: Arguments) -> Proof | None:
    fill = given.get(1)
    if given.keywords or (fill is not None and fill.text is None):
        return None
    return piece(proof, put_in=" " if fill is None else fill.text or "")


def _tabs(proof: Proof | None, given: Arguments) -> Proof | None:
    return piece(proof, put_in=" ")


def _replaced(proof: Proof | None, given: Arguments) -> Proof | None:
    """All of one character go, unless it is put in again or only some are replaced."""
    old, new = given.get(0), given.get(1)
    if old is None or new is None or old.text is None or new.text is None or given.keywords:
        return None
    every = len(given.positional) == 2 and len(old.text) == 1 and old.text not in new.text
    return piece(proof, put_in=new.text, taken_out=old.text if every else "")


def _split(proof: Proof | None, given: Arguments) -> Proof | None:
    if not given.positional and not given.keywords:
        return piece(proof, taken_out=_BLANKS)
    by = given.get(0)
    alone = len(given.positional) == 1 and not given.keywords and by is not None
    one = by is not None and by.text is not None and len(by.text) == 1
    return piece(proof, taken_out=by.text or "" if by is not None and alone and one else "")


def _lines(proof: Proof | None, given: Arguments) -> Proof | None:
    return piece(proof, taken_out="" if given.positional or given.keywords else _LINE_ENDS)


def joined(at: Frame, by: Value, element: Value) -> Proof | None:
    """`by.join(elements)`, however many there are.

    Commas and blanks change nothing about where the next one stands: two of them say what all would.
    """
    if by.text is None or not is_text(element) or may_be_markup(element):
        return None
    proof = at.heap.proof(element)
    if proof is not None and len(proof.parts) == 1 and by.text and set(by.text) <= _BETWEEN:
        return Proof((*proof.parts, by.text, *proof.parts))
    return piece(proof, put_in=by.text)


METHODS: dict[str, Promise] = {
    **dict.fromkeys(
        ("strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "partition", "rpartition"), _any_piece
    ),
    **dict.fromkeys(("lower", "upper", "title", "capitalize", "casefold", "swapcase", "zfill"), _any_piece),
    **dict.fromkeys(("center", "ljust", "rjust"), _padded),
    "expandtabs": _tabs,
    "replace": _replaced,
    "split": _split,
    "rsplit": _split,
    "splitlines": _lines,
}
