"""The edits worth trying, the most likely first, each once. Pure."""

from __future__ import annotations

import ast
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files as resources
from itertools import pairwise

from burnish.fixers._python import Edit
from burnish.fixers.search._code import Code
from burnish.fixers.search._jobs import Replacement
from burnish.fixers.search._locate import Suspect, blamed
from burnish.fixers.search._natural import natural
from burnish.fixers.search.edits import Proposal, proposals

# How fast suspicion falls off beside the kind of the edit, and how a kind's weight is shared at one place.
SUSPICION, SHARED = 1.5, 0.6
UNKNOWN_KIND = 0.1
# What is left of an edit's weight where nothing of it is like the rest of the file.
UNNATURAL = 0.5
MOST_STATEMENTS = 250
# How likely it is that a mistake was made twice in one statement.
TWIN = 0.5


@dataclass(frozen=True)
class Candidate:
    """One edit of one file; the higher its `score`, the sooner it is tried."""

    code: Code
    line: int
    kind: str
    edits: tuple[Edit, ...]
    score: float

    @property
    def file(self) -> str:
        return self.code.file

    @property
    def text(self) -> str:
        return applied(self.code.text, self.edits)

    @property
    def size(self) -> int:
        """How much it writes and takes away."""
        return sum(len(edit.text) + edit.end - edit.start for edit in self.edits)

    def replacements(self) -> tuple[Replacement, ...]:
        return as_bytes(self.code.text, self.edits)


@dataclass
class Seen:
    """What has been tried already, by the tree it makes."""

    known: set[tuple[str, int, str]] = field(default_factory=set)
    started: set[str] = field(default_factory=set)

    def start(self, code: Code) -> None:
        """What is there already is not new."""
        if code.file not in self.started:
            self.started.add(code.file)
            self.known.update((code.file, at, ast.dump(one)) for at, one in enumerate(code.tree.body))

    def fresh(self, code: Code, edits: tuple[Edit, ...]) -> bool:
        """Whether the edit compiles and nothing before made the same of that part of the file."""
        key = made(code, edits)
        if key is None or key in self.known:
            return False
        self.known.add(key)
        return True


def ranked(
    codes: Iterable[Code], suspects: tuple[Suspect, ...], times: Mapping[str, float] | None = None
) -> list[Candidate]:
    """From the most likely one down; also those that make the same, or do not compile (see `distinct`).

    `times` are kinds that are so many times likelier than they are elsewhere.
    """
    blame = [
        (score, code, one)
        for code in codes
        for one, score in blamed(code, suspects).items()
        # An assertion that does not hold any more is no repair.
        if not isinstance(one, ast.Assert)
    ]
    blame.sort(key=lambda entry: (-entry[0], entry[1].file, entry[2].lineno))
    found: list[Candidate] = []
    for score, code, statement in blame[:MOST_STATEMENTS]:
        found += [
            replace(one, score=one.score * times[one.kind]) if times and one.kind in times else one
            for one in _of_statement(code, statement, score)
        ]
    found.sort(key=lambda one: (-one.score, one.size, one.file, one.line))
    return found


def distinct(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Those that compile and make something new; found out when one is asked for."""
    seen = Seen()
    for one in candidates:
        seen.start(one.code)
        if seen.fresh(one.code, one.edits):
            yield one


def _of_statement(code: Code, statement: ast.stmt, suspicion: float) -> Iterator[Candidate]:
    some = list(proposals(code, statement))
    some += twins(code, some)
    count = Counter((site, one.kind) for site, one in some)
    for site, one in some:
        weight = weights().get(one.kind, UNKNOWN_KIND) / count[site, one.kind] ** SHARED
        line = code.text.count("\n", 0, min(edit.start for edit in one.edits)) + 1
        likely = one.odds * (UNNATURAL + (1 - UNNATURAL) * natural(code, one.edits))
        yield Candidate(code, line, one.kind, one.edits, suspicion**SUSPICION * weight * likely)


def twins(code: Code, some: list[tuple[int, Proposal]]) -> list[tuple[int, Proposal]]:
    """The same mistake wherever a statement makes it: `a[i:] = reversed(a[i:])`."""
    alike: dict[tuple[str, str, str], list[tuple[int, Proposal]]] = {}
    for site, one in some:
        if len(one.edits) == 1 and one.edits[0].text and one.edits[0].start < one.edits[0].end:
            edit = one.edits[0]
            key = (one.kind, code.text[edit.start : edit.end], edit.text)
            alike.setdefault(key, []).append((site, one))
    found = []
    for (kind, _, _), group in alike.items():
        edits = tuple({edit: None for _, one in group for edit in one.edits})
        if len(edits) > 1 and not overlap(edits):
            found.append((group[0][0], Proposal(kind, edits, TWIN * group[0][1].odds)))
    return found


@cache
def weights() -> dict[str, float]:
    told = tomllib.loads(resources("burnish.fixers.search").joinpath("weights.toml").read_text("utf8"))
    return {kind: float(weight) for kind, weight in told["kinds"].items()}


def applied(text: str, edits: Iterable[Edit]) -> str:
    for edit in sorted(edits, key=lambda one: (one.start, one.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def overlap(edits: tuple[Edit, ...]) -> bool:
    placed = sorted(edits, key=lambda one: (one.start, one.end))
    return any(one.end > other.start or one == other for one, other in pairwise(placed))


def as_bytes(text: str, edits: Iterable[Edit]) -> tuple[Replacement, ...]:
    return tuple(
        Replacement(
            len(text[: edit.start].encode("utf8")),
            len(text[: edit.end].encode("utf8")),
            edit.text.encode("utf8"),
        )
        for edit in edits
    )


def made(code: Code, edits: tuple[Edit, ...]) -> tuple[str, int, str] | None:
    """What an edit makes of the top-level statement that it is in; None where that does not compile."""
    if overlap(edits):
        return None
    first, last = min(edit.start for edit in edits), max(edit.end for edit in edits)
    body = code.tree.body
    index = max((at for at, one in enumerate(body) if code.line_start(_top(one)) <= first), default=0)
    start = code.line_start(_top(body[index]))
    end = code.line_start(_top(body[index + 1])) if index + 1 < len(body) else len(code.text)
    if last > end:
        start, end, index = 0, len(code.text), -1
    inside = tuple(Edit(edit.start - start, edit.end - start, edit.text) for edit in edits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(applied(code.text[start:end], inside))
            compile(tree, "<candidate>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return code.file, index, "".join(ast.dump(one) for one in tree.body)


def _top(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])
