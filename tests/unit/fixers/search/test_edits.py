"""Edits: what is written, that it compiles, and that nothing is tried twice."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from burnish.fixers.search._candidates import applied, as_bytes, distinct, ranked, weights
from burnish.fixers.search._code import Code
from burnish.fixers.search._locate import Suspect
from burnish.fixers.search.edits import proposals

FIXERS = Path(__file__).parents[4] / "src" / "burnish" / "fixers"


def made(source: str) -> list[str]:
    code = Code("a.py", source)
    lines = range(1, source.count("\n") + 2)
    suspects = tuple(Suspect("a.py", line, 0.5) for line in lines)
    return [candidate.text for candidate in distinct(ranked((code,), suspects))]


def function(line: str, arguments: str = "a, b") -> str:
    return f"def f({arguments}):\n    {line}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return a < b", "return a <= b"),
        ("return a == b", "return a != b"),
        ("return a is None", "return a is not None"),
        ("return a in b", "return a not in b"),
        ("return a + b", "return a - b"),
        ("return a ^ b", "return a & ~b"),
        ("return a and b", "return a or b"),
        ("return not a", "return a"),
        ("return a - b", "return b - a"),
        ("return 1 + a", "return a"),
        ("a += b", "a -= b"),
        ("a = b", "a += b"),
        ("a ^= b - 1", "a &= b - 1"),
        ("return a[b]", "return a[b - 1]"),
        ("return a[0]", "return a[-1]"),
        ("return a[b // 2 + 1]", "return a[b // 2]"),
        ("return a[b - 1]", "return a[b - 2]"),
        ("return a[b:]", "return a[b + 1:]"),
        ("return a[1:]", "return a[:]"),
        ("return range(a, b)", "return range(a, b + 1)"),
        ("return a * 2", "return a * 3"),
        ("return sorted(a)", "return sorted(a, reverse=True)"),
        ("return any(a)", "return all(a)"),
        ("return min(a, b)", "return max(a, b)"),
        ("a.append(b)", "a.extend(b)"),
        ("return a.lstrip()", "return a.strip()"),
        ("return f(a, b)", "return f(b, a)"),
        ("return f(a % b, b)", "return f(b, a % b)"),
        ("return f(a, a)", "return f(a, b)"),
        ("return a(b)", "return b"),
        ("return a[b]", "return a.get(b)"),
        ("a = b + 1", "a = max(a, b + 1)"),
        ("yield f(a)", "yield a"),
        ("yield a", "yield from a"),
        ("raise ValueError(a)", "raise KeyError(a)"),
        ("f(a, b)", "return f(a, b)"),
        ("return a", "return a.copy()"),
        ("return []", "return [[]]"),
        ("return True", "return a == 0"),
        ("return a[0], len(b) - 1", "return a[0], len(b)"),
        ("return len(a), b", "return len(a) - 1, b"),
        ("return 9 - len(b)", "return 9 - len(b) - len(a)"),
        ("return f(a) + f(b)", "return f(a) + f(b) + 1"),
        ("a.popitem()", "a.popitem(last=False)"),
        ("f(a[b], 1)", "a[b] = f(a[b], 1)"),
        ("a = b // 60", "a = b // 60 % 60"),
        ("a[b:] = reversed(a[b:])", "a[b + 1:] = reversed(a[b + 1:])"),
        ("return tuple(a.split('.'))", "return tuple(map(int, a.split('.')))"),
        ("return '-'.join(a)", "return '-'.join(a).strip('-')"),
        ("return f'{a + b}'", "return f'{a - b}'"),
        ("return 'é' + a.upper()  # ü", "return 'é' + a.lower()  # ü"),
    ],
)
def test_a_common_mistake_is_undone_and_the_rest_of_the_line_stays(before: str, after: str) -> None:
    assert function(after) in made(function(before))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "def f(a):\n    for x in a:\n        if x:\n            return True\n        return False\n",
            "def f(a):\n    for x in a:\n        if x:\n            return True\n    return False\n",
        ),
        ("def f(a):\n    while True:\n        a.pop()\n", "def f(a):\n    while a:\n        a.pop()\n"),
        (
            "def f(a=[]):\n    a.append(1)\n    return a\n",
            "def f(a=None):\n    if a is None:\n        a = []\n    a.append(1)\n    return a\n",
        ),
        ("def f(a):\n    b = a + 1\n", "def f(a):\n    b = a + 1\n    return b\n"),
        (
            "def f(x, seen):\n    if x in seen:\n        return 1\n    return 2\n",
            "def f(x, seen):\n    if x in seen:\n        return 1\n    seen.add(x)\n    return 2\n",
        ),
        (
            "def f(a):\n    if a.next is None:\n        return 1\n",
            "def f(a):\n    if a is None or a.next is None:\n        return 1\n",
        ),
        (
            "def f(a):\n    try:\n        return a[0]\n    except KeyError:\n        return None\n",
            "def f(a):\n    try:\n        return a[0]\n    except IndexError:\n        return None\n",
        ),
        (
            "class A:\n    def __init__(self, size):\n        self.size = 1\n        self.x = size\n",
            "class A:\n    def __init__(self, size):\n        self.size = size\n        self.x = size\n",
        ),
        (
            "class A:\n    def __init__(self):\n        self.n = 0\n        self.all = []\n\n"
            "    def add(self, x):\n        self.all.append(x)\n",
            "class A:\n    def __init__(self):\n        self.n = 0\n        self.all = []\n\n"
            "    def add(self, x):\n        self.all.append(x)\n        self.n += 1\n",
        ),
        (
            "class A:\n    def __init__(self):\n        self.n = 0\n        self.all = []\n\n"
            "    def drop(self, x):\n        self.n = 1\n",
            "class A:\n    def __init__(self):\n        self.n = 0\n        self.all = []\n\n"
            "    def drop(self, x):\n        self.n = 1\n        self.all.clear()\n",
        ),
        (
            "def clean(x):\n    return x.strip()\n\n\ndef f(a, b):\n    a[clean(b)] = 1\n    return a.get(b)\n",
            "def clean(x):\n    return x.strip()\n\n\ndef f(a, b):\n    a[clean(b)] = 1\n    return a.get(clean(b))\n",
        ),
        (
            "def f(size):\n    w = size[1]\n    n = 2\n    h = size[0]\n    return w, h, n\n",
            "def f(size):\n    w = size[0]\n    n = 2\n    h = size[1]\n    return w, h, n\n",
        ),
        (
            "from bisect import bisect_right\n\n\ndef f(a, b):\n    return bisect_right(a, b)\n",
            "from bisect import bisect_left\n\n\ndef f(a, b):\n    return bisect_left(a, b)\n",
        ),
        (
            "LIMIT = 3\n\n\ndef f(a):\n    return a < LIMIT\n",
            "LIMIT = 4\n\n\ndef f(a):\n    return a < LIMIT\n",
        ),
    ],
)
def test_statements_move_appear_and_change(before: str, after: str) -> None:
    assert after in made(before)


def test_every_candidate_compiles_and_none_makes_what_another_or_the_file_is() -> None:
    source = (
        "def f(a, b):\n    if a < b and not a:\n        a = [b, 1]\n    return a[b - 1:]\n\n\nx = f(1, 2)\n"
    )
    trees = [ast.dump(ast.parse(text)) for text in made(source)]
    assert len(trees) > 100
    assert len(set(trees)) == len(trees)
    assert ast.dump(ast.parse(source)) not in trees


@pytest.mark.parametrize("path", sorted(FIXERS.glob("_[er]*.py")), ids=lambda path: path.name)
def test_every_kind_of_edit_has_a_weight_and_every_edit_stays_within_the_file(path: Path) -> None:
    code = Code(path.name, path.read_text("utf8"))
    for statement in [node for node in ast.walk(code.tree) if isinstance(node, ast.stmt)][::5]:
        for _, proposal in proposals(code, statement):
            assert proposal.kind in weights()
            assert proposal.odds > 0
            assert all(0 <= edit.start <= edit.end <= len(code.text) for edit in proposal.edits)


def test_places_in_bytes_are_those_in_characters() -> None:
    source = "s = 'grün'\n\n\ndef f(a):\n    return a  # größer\n"
    code = Code("a.py", source)
    for candidate in distinct(ranked((code,), (Suspect("a.py", 5, 1.0),))):
        data = source.encode("utf8")
        for one in sorted(as_bytes(source, candidate.edits), key=lambda one: one.start, reverse=True):
            data = data[: one.start] + one.text + data[one.end :]
        assert data.decode("utf8") == applied(source, candidate.edits)


def test_a_loop_that_writes_over_its_sum_is_told_to_add_up_at_first() -> None:
    source = "def f(a):\n    total = 0\n    for x in a:\n        total = a[x]\n    return total\n"
    assert any("total += a[x]" in text for text in made(source)[:3])


def test_the_likeliest_edit_comes_first() -> None:
    first = made("def f(items, wanted, found, number):\n    if number < wanted:\n        return found\n")[:3]
    assert any("number <= wanted" in text for text in first)


def test_one_more_and_one_less_are_summed_up() -> None:
    texts = made(function("return a[b // 2 + 1], len(a) - 1"))
    assert not [text for text in texts if "+ 1 - 1" in text or "- 1 + 1" in text or "+ 1 + 1" in text]


def test_catching_everything_comes_after_catching_what_was_raised() -> None:
    texts = made("def f(a):\n    try:\n        return 1 / a\n    except ValueError:\n        return 0\n")
    place = {name: next(at for at, text in enumerate(texts) if f"except {name}:" in text)
             for name in ("ZeroDivisionError", "Exception")}  # fmt: skip
    assert place["ZeroDivisionError"] < place["Exception"]


def test_no_assertion_is_edited() -> None:
    assert not [text for text in made("def f(a, b):\n    assert a > b\n") if "assert a > b\n" not in text]
