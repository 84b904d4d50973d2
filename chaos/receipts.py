"""Receipts: whatever is altered in one is noticed, also by somebody who makes its hashes anew."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.receipts import forged, sealed, verdict_of

from burnish.model.events import Recorded
from burnish.process import bubblewrap
from burnish.store.database import open_database
from burnish.store.queries import run_events
from chaos import _forgeries
from chaos._desk import GOOD, Desk, Desks, at_home
from chaos._forgeries import BAD, GATE
from chaos.section import Setting, Tally

IN_SHORT = 60
ON_THE_COMMAND_LINE = 12
# What no event and no commit tells: the journal has the seal, and from the file alone nothing holds it.
ONLY_TOLD = {"burnish"}
ENDS = {"outcome", "reason"}

Path_ = tuple[Any, ...]


@dataclass(frozen=True)
class Case:
    """A real run's receipt, and where it can be checked."""

    name: str
    desk: Desk
    receipt: dict[str, Any]
    journal: Sequence[Recorded]
    store: Path

    @property
    def passed(self) -> bool:
        return bool(self.receipt["outcome"] == "passed")


@dataclass(frozen=True)
class Altered:
    what: str
    field: str
    receipt: Any


def section(setting: Setting, tally: Tally) -> None:
    with at_home(setting.folder):
        desks, chance = Desks(setting.folder), random.Random(setting.seed)
        cases = [made(desks, "landed as a branch", *GATE), made(desks, "not passed", *GATE, implement=BAD)]
        if not setting.short:
            cases.append(made(desks, "applied", *GATE, "--land", "apply"))
        for case in cases:
            assert verdict_of(case.receipt, case.store, case.journal) == "holds", (
                "unaltered, it does not hold"
            )
            found = [*alterations(case)]
            if setting.short:
                found = chance.sample(found, IN_SHORT)
            for altered in found:
                try_each_way(tally, case, altered)
            if not setting.short:
                for altered in chance.sample(found, ON_THE_COMMAND_LINE):
                    count(tally, f"{case.name}, as a file: {altered.what}", said_of(case, altered))
        used = boxes()[: 1 if setting.short else None]
        for box in used:
            forgeries(desks, tally, box, every=8 if setting.short else 1)
    tally.note(
        "each edit as it is; with the seal made anew, from the file alone; and with chain and seal made anew, beside the"
        f" journal. From the file alone the seal holds {', '.join(sorted(ONLY_TOLD))}, and how a run that did not pass ended."
        f" Consistent forgeries, planted names and foreign signatures: never proven; runs made {' and '.join(used)}"
    )


def boxes() -> list[str]:
    """Confinements of the agents that make the runs."""
    return ["unsandboxed", *(["sandboxed"] if bubblewrap.usable() is not None else [])]


def forgeries(desks: Desks, tally: Tally, box: str, every: int) -> None:
    how = ("--sandbox", "require" if box == "sandboxed" else "off")
    passed, failed = _forgeries.made(desks, *how), _forgeries.made(desks, *how, implement=BAD)
    planted = _forgeries.made(desks, *how, implement=GOOD + _forgeries.PLANT)
    for found in (
        _forgeries.contents(passed, failed, every),
        _forgeries.names(planted),
        _forgeries.signatures(passed),
    ):
        for what, why in found:
            count(tally, f"{box}, {what}", why)


def made(desks: Desks, name: str, *extra: str, **agents: str) -> Case:
    desk = desks.new()
    end = desk.run("--cycles", "1", *extra, **agents).end
    [database] = desk.state.glob("repos/*/burnish.db")
    with closing(open_database(database)) as opened:
        journal = run_events(opened, end["run"])
    [store] = desk.state.glob(f"repos/*/runs/{end['run']}/run.git")
    return Case(name, desk, json.loads(Path(end["receipt"]).read_text()), journal, store)


def try_each_way(tally: Tally, case: Case, altered: Altered) -> None:
    told = {"": set(), "sealed": ONLY_TOLD | (set() if case.passed else ENDS), "forged": set()}
    ways: dict[str, Callable[[Any], Any]] = {"": dict, "sealed": sealed, "forged": forged}
    for way, again in ways.items():
        receipt = (
            again(altered.receipt) if isinstance(altered.receipt.get("events"), list) else altered.receipt
        )
        # Made anew, an altered seal is the old one again.
        if text_of(receipt) == text_of(case.receipt) or altered.field in told[way]:
            continue
        verdict = verdict_of(receipt, case.store, case.journal if way == "forged" else None)
        wrong = verdict == "holds" or "\n" in verdict
        count(tally, f"{case.name}, {way or 'edited'}: {altered.what}", verdict if wrong else "")


def count(tally: Tally, what: str, why: str) -> None:
    tally.fall(what, why) if why else tally.survive(what)


def said_of(case: Case, altered: Altered) -> str:
    """What `receipt verify FILE` says of it: one thing, and an exit code that is no success."""
    path = case.desk.folder / "altered.json"
    path.write_text(json.dumps(altered.receipt), "utf8")
    said = case.desk.burnish("receipt", "verify", str(path))
    named = said.out.count("✗ ") if said.code == 1 else len(said.err.splitlines()) > 0
    return "" if said.code in (1, 2) and named == 1 else f"exit {said.code}: {(said.out + said.err)[-200:]}"


def alterations(case: Case) -> Iterator[Altered]:
    """Every value in a few ways, every key removed, one added to every object, items of lists moved."""
    text = text_of(case.receipt)
    for path, value in places(case.receipt):
        for how, alter in ways_to_alter(value):
            copy = json.loads(text)
            inner = copy
            for key in path[:-1]:
                inner = inner[key]
            alter(inner, path[-1])
            if text_of(copy) != text:
                yield Altered(f"{'.'.join(map(str, path))} {how}", str(path[0]), copy)
    yield Altered("a key more", "more", case.receipt | {"more": 1})
    twin = case.desk.repo.git(
        f"--git-dir={case.store}", "commit-tree", "-m", "twin", case.receipt["result_tree"]
    )
    yield Altered(
        "another commit of the same tree", "result_commit", case.receipt | {"result_commit": twin.strip()}
    )


def places(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    if path:
        yield path, value
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def ways_to_alter(value: Any) -> Iterator[tuple[str, Callable[[Any, Any], None]]]:
    yield "removed", lambda inner, key: inner.pop(key)
    match value:
        case dict():
            yield "with a key more", lambda inner, key: inner[key].update(more=1)
        case list():
            yield "doubled", lambda inner, key: inner[key].extend(inner[key])
            yield "turned round", lambda inner, key: inner[key].reverse()
            yield "with an item more", lambda inner, key: inner[key].append(None)
        case _:
            for other in others(value):
                yield f"as {other!r}"[:60], lambda inner, key, other=other: inner.__setitem__(key, other)


def others(value: Any) -> list[Any]:
    """Another value, one of another kind that reads the same, and none at all."""
    match value:
        case bool():
            return [not value, int(value), str(value).lower(), None]
        case int():
            return [value + 1, -1, 0, float(value), str(value), None]
        case float():
            return [value + 1, -value, int(value), str(value), None]
        case None:
            return [0, "", "None"]
        case _:
            swapped = ("1" if value[:1] == "0" else "0") + value[1:]
            return [swapped, value + " ", value.swapcase(), "", None, [value]]


def text_of(receipt: Any) -> str:
    return json.dumps(receipt, sort_keys=True)
