"""Calls whose result is written in few characters, whatever they are given."""

from __future__ import annotations

from burnish.analysers.taint.memory.proofs import NUMBER_PART, SPECIAL, TEXT, Part, Proof
from burnish.analysers.taint.memory.values import HARMLESS, HOLE, TAINTED, UNPROVED, Value

_UUID = Part(SPECIAL - {"-"}, frozenset({TEXT}))
_MOMENT = Part(SPECIAL - set("-:. +"), frozenset({TEXT}))
_NUMBERS = (
    "int", "float", "len", "abs", "round", "hash", "id", "ord", "isinstance", "issubclass", "callable",
    "hasattr", "decimal.Decimal", "zlib.crc32", "zlib.adler32", "binascii.crc32", "os.path.getsize",
    "os.path.getmtime",
)  # fmt: skip
_MOMENTS = (
    "datetime.date.fromisoformat", "datetime.datetime.fromisoformat", "datetime.datetime.strptime",
    "datetime.time.fromisoformat", "datetime.datetime.fromtimestamp", "datetime.date",
)  # fmt: skip
_WRITTEN: dict[str, Part] = {
    **dict.fromkeys(_NUMBERS, NUMBER_PART),
    **dict.fromkeys(("uuid.UUID", "uuid.uuid3", "uuid.uuid4", "uuid.uuid5"), _UUID),
    **dict.fromkeys(_MOMENTS, _MOMENT),
}


def harmless(names: tuple[str, ...], inputs: list[Value]) -> Value:
    """Nothing of a client is left; a number that can be guessed still can. Only what is listed is proved."""
    sure = all(value.sure or value.taints for value in inputs)
    weak = tuple(taint for value in inputs for taint in value.taints if taint.origin.kind == "weak")
    if weak:
        return Value(weak, shape=TAINTED, sure=sure)
    part = next((_WRITTEN[name] for name in names if name in _WRITTEN), None)
    if part is not None:
        ours = all(value.sure and not value.taints for value in inputs)
        return Value(shape=HOLE, sure=ours, proof=Proof((part,)))
    return HARMLESS if all(value.sure and not value.taints for value in inputs) else UNPROVED
