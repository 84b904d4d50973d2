"""Types of parameters that leave no room for any text: numbers, moments, choices."""

from __future__ import annotations

from burnish.analysers.taint.memory.proofs import SPECIAL, TEXT, lone
from burnish.analysers.taint.memory.values import HARMLESS, NUMBER, UNPROVED, Value

_HARMLESS_ROOTS = ("datetime", "uuid", "decimal", "fractions", "enum", "numbers", "ipaddress")
_NUMBERS = frozenset({"builtins.int", "builtins.float", "builtins.bool"})
_WRITTEN = {"uuid": lone(SPECIAL - {"-"}, {TEXT}), "datetime": lone(SPECIAL - set("-:. +"), {TEXT})}
_HARMLESS = frozenset({
    "builtins.int", "builtins.float", "builtins.bool", "builtins.complex", "builtins.NoneType",
    "typing.Literal", "typing_extensions.Literal",
})  # fmt: skip
_HARMLESS_WORDS = frozenset({
    "PositiveInt", "NegativeInt", "NonNegativeInt", "NonPositiveInt", "StrictInt", "conint", "confloat",
    "condecimal", "PositiveFloat", "NegativeFloat", "NonNegativeFloat", "NonPositiveFloat", "StrictFloat",
    "StrictBool", "UUID1", "UUID3", "UUID4", "UUID5", "PastDate", "FutureDate", "PastDatetime",
    "FutureDatetime", "AwareDatetime", "NaiveDatetime", "ByteSize", "condate", "FiniteFloat", "UUID",
})  # fmt: skip
_OF_NUMBERS = ("Int", "Float", "Bool", "int", "float")


def plain(name: str) -> Value | None:
    """What a parameter of this type is; None where it can be any text.

    Only what is a choice of ours, or known by how it is written, proves anything: `::1%'` is an address.
    """
    root, word = name.partition(".")[0], name.rpartition(".")[2].removesuffix("()")
    if name in _NUMBERS or root == "decimal" or (word in _HARMLESS_WORDS and word.endswith(_OF_NUMBERS)):
        return NUMBER
    if root in _WRITTEN:
        return Value(proof=_WRITTEN[root])
    if root == "enum" or word == "Literal":
        return HARMLESS
    known = name in _HARMLESS or root in _HARMLESS_ROOTS or word in _HARMLESS_WORDS
    return UNPROVED if known else None
