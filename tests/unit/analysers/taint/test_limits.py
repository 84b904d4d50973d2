"""Programs that are too long, too deep or no programs: found or told as not reviewed, and never an error."""

from __future__ import annotations

import pytest

from burnish.analysers.taint.memory.budget import Budget
from tests.unit.analysers.taint.follow import follow, known

KNOWN = known()
HEAD = "from lab import source, sink\n"
BEGIN = HEAD + "def f(a):\n    x = source()\n"


def nested(line: str, times: int) -> str:
    return "".join("    " * (depth + 1) + line + "\n" for depth in range(times))


FOUND = {
    "a sum of 300 terms": BEGIN + "    sink(" + " + ".join(["x"] * 300) + ")\n",
    "a condition of 3000 parts": BEGIN + "    if " + " or ".join(["a"] * 3000) + ":\n        sink(x)\n",
    "1000 times elif": BEGIN
    + "    if a == 0: y = x\n"
    + "".join(f"    elif a == {number}: y = {number}\n" for number in range(1, 1000))
    + "    sink(y)\n",
    "80 conditions deep": BEGIN + nested("if a:", 80) + "    " * 81 + "sink(x)\n",
    "12 handlers deep": BEGIN
    + nested("try:", 12)
    + "    " * 13
    + "sink(x)\n"
    + "".join("    " * depth + "finally: a = x\n" for depth in range(12, 0, -1)),
    "150 calls in a row": BEGIN + "    sink(x" + ".strip()" * 150 + ")\n",
    "300 times not": BEGIN + "    y = " + "not " * 300 + "x\n    sink(x)\n",
    "a text of 2000 parts": BEGIN + "    sink(f'" + "{x}" * 2000 + "')\n",
    "functions that call each other": HEAD
    + "def f(n, x):\n    return g(n, x) if n else x\ndef g(n, x):\n    return f(n - 1, x)\n"
    + "def m():\n    sink(f(9, source()))\n",
    "numbers and texts that would fill the memory": HEAD
    + "A = 9 ** 9 ** 9\nB = 'a' * 10 ** 12\nC = 1 << 10 ** 12\nD = '%999999999999s' % 'a'\nE = [0] * 10 ** 12\n"
    + "def m():\n    sink(source())\n",
    "a class that is its own base": HEAD + "class A(A):\n    pass\nclass B(A, A):\n    pass\nsink(source())\n",
}  # fmt: skip


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in FOUND.items()])
def test_long_and_deep_programs_are_followed(text: str) -> None:
    assert follow({"app.py": text}, KNOWN).report.findings


NOT_REVIEWED = {
    "no program": "def f(:\n",
    "a null byte": "x = 1\0\n",
    "brackets too deep": "x = " + "(" * 300 + "1" + ")" * 300 + "\n",
    "an expression too deep": BEGIN
    + "    y = "
    + "".join(f"'k' if a == {n} else " for n in range(300))
    + "x\n",
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in NOT_REVIEWED.items()])
def test_what_cannot_be_followed_is_told(text: str) -> None:
    assert follow({"app.py": text}, KNOWN).report.undone


def test_a_function_that_takes_too_long_keeps_what_was_found_and_leaves_the_others_alone() -> None:
    long = "; ".join(["y = x + x + x + x"] * 400)
    text = f"{BEGIN}    sink(x)\n    {long}\ndef g():\n    sink(source())\n"
    report = follow({"app.py": text}, KNOWN, Budget(steps=1000)).report
    assert {line for _, line, _ in report.findings} == {4, 7}
    assert [why for why in report.undone.values() if "steps" in why]


def test_calls_too_deep_are_told_once_and_recursion_is_not() -> None:
    body = "    for y in x:\n        return"
    chain = "".join(f"def f{n}(x):\n{body} f{n + 1}(y)\n" for n in range(9)) + "def f9(x):\n    sink(x)\n"
    again = "def r(x):\n    return r(x)\n"
    text = HEAD + chain + again + "def m():\n    f0(source())\n    f0(source())\n    r(source())\n"
    told = [why for why in follow({"app.py": text}, KNOWN).report.undone.values() if "deep" in why]
    assert len(told) == 1
    assert told[0].startswith("f6()")


def test_a_chain_of_functions_that_hand_on_ends_as_well() -> None:
    chain = "".join(f"def f{n}(x):\n    return f{n + 1}(x)\n" for n in range(40))
    text = HEAD + chain + "def f40(x):\n    sink(x)\ndef m():\n    f0(source())\n"
    (told,) = follow({"app.py": text}, KNOWN).report.undone.values()
    assert told == "f18(): untrusted data arrives more than 18 calls deep"


def test_a_helper_is_followed_once_for_the_same_arguments() -> None:
    body = "".join(f"    v{number} = deep(x)\n" for number in range(300))
    text = HEAD + "def deep(v):\n    for i in range(9):\n        v = v + str(i)\n    return v\n"
    text += "def m():\n    x = source()\n" + body + "    sink(v299)\n"
    budget = Budget(steps=30_000)
    report = follow({"app.py": text}, KNOWN, budget).report
    assert report.findings
    assert not report.undone
