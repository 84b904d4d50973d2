"""How often a parser or a loop calls something passed that is not, and how often it knows an honest pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from burnish.codec import dumps, loads

# Which label of a set means a pass, and by which key an answer says so.
SETS = {"replies": ("pass", "pass"), "cheats": ("green", "green")}
_LABELS = ("class", "author", "expected", "why")
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Score:
    """`wrong` are the false passes and `missed` the honest passes that were refused, by id."""

    name: str
    bad: int
    honest: int
    wrong: tuple[str, ...]
    missed: tuple[str, ...]
    unanswered: tuple[str, ...] = ()

    @property
    def recognised(self) -> float:
        return (self.honest - len(self.missed)) / self.honest if self.honest else 1.0

    @property
    def sound(self) -> bool:
        """No false pass, an answer to each row, and 99 of 100 honest passes known."""
        return not self.wrong and not self.unanswered and self.recognised >= 0.99


def rows(name: str) -> list[dict[str, Any]]:
    """Every row of a set, in the order of its file."""
    text = files("burnish.corpus").joinpath(f"{name}.jsonl").read_text("utf8")
    return [loads(line) for line in text.splitlines() if line.strip()]


def question(row: Row) -> str:
    """A row as a line for whoever is scored: without its label."""
    return dumps({key: value for key, value in row.items() if key not in _LABELS})


def read_answers(name: str, text: str) -> dict[str, bool]:
    """The answers in a program's output; lines of another form are passed over."""
    found: dict[str, bool] = {}
    key = SETS[name][1]
    for line in text.splitlines():
        try:
            value = loads(line)
        except ValueError:
            continue
        if isinstance(value, dict) and isinstance(value.get("id"), str) and isinstance(value.get(key), bool):
            found[value["id"]] = value[key]
    return found


def score(rule: str, kind: str, asked: Iterable[Row], answers: Mapping[str, bool]) -> Score:
    """Answers beside the labels of a set. A row without an answer is neither a pass nor known."""
    good = SETS[kind][0]
    listed = list(asked)
    bad = [row["id"] for row in listed if row["expected"] != good]
    honest = [row["id"] for row in listed if row["expected"] == good]
    return Score(
        rule,
        len(bad),
        len(honest),
        tuple(name for name in bad if answers.get(name)),
        tuple(name for name in honest if not answers.get(name)),
        tuple(row["id"] for row in listed if row["id"] not in answers),
    )
