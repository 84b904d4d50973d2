"""Random small programs: what is untrusted when they are run is found when they are followed."""

from __future__ import annotations

import contextlib
import random
import sys
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.analysers.taint.follow import follow, known

MARK = "<untrusted>"
KNOWN = known()
NAMES = ("a", "b", "c")
MAX_DEPTH = 3


class Writer:
    """Writes a function with branches, loops, containers, calls; every condition is a coin nobody knows."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.lines = chance, ["from lab import sink, source", "from coins import coin"]
        self.sinks = 0

    def program(self) -> str:
        for number in range(2):
            self.lines.append(f"def helper{number}(a, b, c, xs, d):")
            self.block(1, number)
            self.lines.append(f"    return {self.value(number)}")
        self.lines += [
            "def main():",
            "    a = b = c = 'k'",
            "    xs = ['k', 'l']",
            "    d = {'p': 'k', 'q': 'l'}",
        ]
        self.block(1, 2)
        for name in (*NAMES, "xs", "d"):
            self.lines.append(f"    sink({name})")
        return "\n".join(self.lines) + "\n"

    def block(self, depth: int, calls: int) -> None:
        for _ in range(self.chance.randint(1, 4)):
            self.statement(depth, calls)

    def statement(self, depth: int, calls: int) -> None:
        kinds = [self.assign] * 5 + [self.change] * 4 + [self.sink]
        if depth < MAX_DEPTH:
            kinds += [self.branch] * 3 + [self.loop, self.attempt, self.leave]
        self.chance.choice(kinds)(depth, calls)

    def say(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def value(self, calls: int) -> str:
        name, other = self.chance.choice(NAMES), self.chance.choice(NAMES)
        found = [
            "source()", "'k'", name, name, f"{name} + {other}", f"f'{{{name}}}-{{{other}}}'", "xs[0]", "xs[-1]",
            "d['p']", "d.get('r', 'n')", f"{name} if coin() else {other}", f"'%s' % {name}", f"({name} or {other})",
            f"'{{}}/{{}}'.format({name}, {other})", f"{name}.upper().replace('K', 'M')", "' '.join(xs)",
            f"(lambda v: v + 'x')({name})", f"[v for v in (xs + [{name}])][-1]", f"dict(r={name}).get('r')",
        ]  # fmt: skip
        if calls:
            given = (
                f"{name}, {other}, 'k', xs, d"
                if self.chance.random() < 0.6
                else f"'k', {name}, {other}, [], {{}}"
            )
            found += [f"(helper{self.chance.randrange(calls)}({given}) or '')"] * 4
        return self.chance.choice(found)

    def assign(self, depth: int, calls: int) -> None:
        self.say(depth, f"{self.chance.choice(NAMES)} = {self.value(calls)}")

    def change(self, depth: int, calls: int) -> None:
        value, other = self.value(calls), self.value(calls)
        name, second = self.chance.sample(NAMES, 2)
        self.say(depth, self.chance.choice([
            f"xs.append({value})", f"xs.insert(0, {value})", f"xs[0] = {value}", f"xs[-1] = {value}",
            f"d['p'] = {value}", f"d['r'] = {value}", "xs = list(xs)", "xs = xs[1:] + xs[:1]", "d = dict(d)",
            f"{name}, {second} = {value}, {other}", f"{name} += {value}", f"d.update(q={value})", "d.pop('r', None)",
            "xs.reverse()", "xs = [*xs, *d.values()]", "d = {**d, 'q': 'k'}", f"xs[:1] = [{value}]",
            f"{name}, *_ = [*xs, 'k']", "xs.append(xs.pop(0))", f"{name} = d.setdefault('r', {value})",
        ]))  # fmt: skip

    def sink(self, depth: int, calls: int) -> None:
        self.say(depth, f"sink({self.value(calls)})")

    def branch(self, depth: int, calls: int) -> None:
        self.say(depth, "if coin():")
        self.block(depth + 1, calls)
        if self.chance.random() < 0.6:
            self.say(depth, "else:")
            self.block(depth + 1, calls)

    def loop(self, depth: int, calls: int) -> None:
        heads = ["for v in list(xs):", "while coin():", "for k, v in list(d.items()):", "for v in range(3):"]
        self.say(depth, self.chance.choice(heads))
        self.block(depth + 1, calls)
        if self.chance.random() < 0.4:
            self.say(depth + 1, f"if coin(): {self.chance.choice(['break', 'continue'])}")
            self.block(depth + 1, calls)
        if self.chance.random() < 0.3:
            self.say(depth, "else:")
            self.block(depth + 1, calls)

    def attempt(self, depth: int, calls: int) -> None:
        self.say(depth, "try:")
        self.block(depth + 1, calls)
        self.say(depth + 1, f"if coin(): raise ValueError({self.chance.choice(NAMES)})")
        self.block(depth + 1, calls)
        self.say(depth, "except ValueError as error:")
        if self.chance.random() < 0.5:
            self.say(depth + 1, f"{self.chance.choice(NAMES)} = str(error)")
        self.block(depth + 1, calls)
        if self.chance.random() < 0.4:
            self.say(depth, "finally:")
            self.block(depth + 1, calls)

    def leave(self, depth: int, calls: int) -> None:
        self.say(depth, "if coin():")
        self.say(depth + 1, f"return {self.value(calls)}")


def run(text: str, chance: random.Random) -> set[int]:
    """The lines of sinks that something untrusted arrived at, with this luck."""
    found: set[int] = set()
    tosses = iter(chance.random() < 0.5 for _ in range(400))

    def sink(value: Any) -> None:
        if MARK in str(value).lower():
            found.add(sys._getframe(1).f_lineno)

    code = compile("\n".join(["", "", *text.splitlines()[2:]]), "app.py", "exec")
    names: dict[str, Any] = {"sink": sink, "source": lambda: MARK, "coin": lambda: next(tosses, False)}
    exec(code, names)
    with contextlib.suppress(LookupError, TypeError, ValueError, AttributeError, NameError):
        names["main"]()
    return found


def missed(seed: int) -> tuple[str, set[int]]:
    chance = random.Random(seed)
    text = Writer(chance).program()
    wanted = set().union(*(run(text, chance) for _ in range(12)))
    report = follow({"app.py": text}, KNOWN).report
    assert not report.undone, report.undone
    return text, wanted - {line for _, line, _ in report.findings}


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 2**32))
def test_whatever_is_untrusted_when_it_runs_is_found(seed: int) -> None:
    text, lines = missed(seed)
    assert not lines, "\n".join(f"{n:3} {line}" for n, line in enumerate(text.splitlines(), 1))
