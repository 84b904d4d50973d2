"""Untrusted input that reaches a dangerous place, and its harmless look-alikes: ours beside ruff's S rules and bandit."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench._scores import Ratios, Score, counted, macro, micro
from bench._taint_cases import DEV, FLOWLESS, HELD, Variant, below, lay, variants
from bench._taint_tools import BANDIT, OURS, RUFF, Hit, Told, bandit, has_bandit, ours, ruff
from bench.section import Page, Setting

BAR_CHARS = 20
QUICK_CLASSES = ("command", "weak_hash")
ALONE, SEED = 24, 20261115
SIGHT = {
    DEV: "Engine and rules were made with this half in sight: that they fit it says little of how they do elsewhere.",
    HELD: "Nobody looked at this half, or at what ours says of it, before this table.",
}
TOOLS: Mapping[str, Callable[[Path], Told]] = {RUFF: ruff, BANDIT: bandit}
Scores = Mapping[str, Score]


@dataclass(frozen=True)
class Judged:
    """How good a true report is: its line is the labelled one, it has a path, that begins in the handler."""

    at_sink: bool
    has_path: bool
    from_handler: bool


def section(setting: Setting, page: Page) -> None:
    splits = (DEV, HELD) if setting.split == HELD else (DEV,)
    halves = {split: variants(split, final=setting.final) for split in splits}
    explain(page)
    for split, every in halves.items():
        chosen = [one for one in every if not setting.quick or one.case.kind in QUICK_CLASSES]
        folder = setting.folder / split
        laid = lay(chosen, folder)
        told = {OURS: ours(folder)}
        told |= {name: tool(folder) for name, tool in TOOLS.items() if name != BANDIT or has_bandit()}
        tell(page, split, chosen, told)
        page.say(_alone(folder, list(laid), told[OURS]))


def judged(one: Variant, hit: Hit) -> Judged:
    sink = (f"{one.name}/{below(one.sink[0])}", one.sink[1]) if one.sink else None
    begins = hit.flow[0] if hit.flow else None
    inside = begins is not None and any(
        f"{one.name}/{below(path)}" == begins[0] and first <= begins[1] <= last
        for path, first, last in one.handler
    )
    return Judged((hit.file, hit.line) == sink, bool(hit.flow), inside)


def scored(told: Told, some: Sequence[Variant]) -> dict[str, Score]:
    """By class: only reports of the class of a pair count, and any one of them in a side is enough."""
    kinds = sorted({one.case.kind for one in some})
    return {
        kind: counted(
            (one.sink is not None, bool(told.of(one.name, kind))) for one in some if one.case.kind == kind
        )
        for kind in kinds
    }


def explain(page: Page) -> None:
    page.say(
        "Pairs of small files or packages, one with a weakness and one look-alike without (`bench/labelled/taint/README.md` "
        "tells how they were made, before the rules and by somebody who did not know them). A side counts as reported when a "
        "finding of the pair's class is anywhere in it. P is precision, R recall (TPR), FPR the share of look-alikes that were "
        "reported, J is Youden's index, R - FPR: a coin has 0. Every side lies in a folder of its own, and imports nothing of the others. Ours is the analyser as a review "
        "runs it; ruff is `ruff check --isolated --select S`, bandit as it is installed. Which of their rules stand for which "
        "class is in `bench/data/pattern_rules.toml`, and they have none for six of the classes. The pairs were written for this "
        "benchmark, and real code is harder: in an outside trial on 58 pairs of real vulnerable and fixed releases the pass found "
        "about four in ten (ruff and bandit one in seven), and was silent on half of those fixes."
    )


def tell(page: Page, split: str, chosen: Sequence[Variant], told: Mapping[str, Told]) -> None:
    scores = {name: scored(said, chosen) for name, said in told.items()}
    page.say(f"**The `{split}` half**: {len(chosen) // 2} pairs. {SIGHT[split]}")
    columns = [f"{name} {column}" for name in scores for column in ("P", "R", "FPR", "J")]
    rows = [
        [kind, str(score.found + score.missed), *_cells(by[kind] for by in scores.values())]
        for kind, score in scores[OURS].items()
    ]
    rows.append(["**macro**", "", *_cells(macro(by) for by in scores.values())])
    rows.append(["**micro**", str(len(chosen) // 2), *_cells(micro(by) for by in scores.values())])
    page.table(["class", "pairs", *columns], rows)
    page.say(f"```text\n{plot(scores)}\n```")
    page.say(_places(chosen, told[OURS]))
    page.say(_frameworks(chosen, told))
    page.say(_anything(chosen, told))
    page.goal(
        f"Youden's index, macro, {split} half: beside the better of ruff S and bandit",
        "higher",
        f"{share(macro(scores[OURS]).youden)} beside {share(_best(scores))}",
        met=(macro(scores[OURS]).youden or 0) > (_best(scores) or 0),
    )


def _best(scores: Mapping[str, Scores]) -> float | None:
    others = [macro(by).youden for name, by in scores.items() if name != OURS]
    return max((value for value in others if value is not None), default=None)


def _cells(some: Iterable[Score | Ratios]) -> list[str]:
    return [share(value) for one in some for value in (one.precision, one.recall, one.alarm_rate, one.youden)]


def share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def plot(scores: Mapping[str, Scores]) -> str:
    """Youden's index as bars from 0 to 1; what is below 0 has none and shows its figure."""
    wide = max(map(len, scores))
    lines = []
    for kind in next(iter(scores.values())):
        for place, (name, by) in enumerate(scores.items()):
            value = by[kind].youden or 0.0
            bar = "#" * round(max(value, 0.0) * BAR_CHARS)
            lines.append(f"{kind if not place else '':16} {name:{wide}} |{bar:{BAR_CHARS}}| {value:+.2f}")
    return "\n".join(lines)


def _places(chosen: Sequence[Variant], told: Told) -> str:
    """Of what ours found: how often at the labelled line, and what its paths are worth."""
    weak = [(one, told.of(one.name, one.case.kind)) for one in chosen if one.sink]
    found = [(one, [judged(one, hit) for hit in hits]) for one, hits in weak if hits]
    flows = [each for one, each in found if one.case.kind not in FLOWLESS]
    at_sink = sum(any(one.at_sink for one in each) for _, each in found)
    paths = sum(any(one.has_path for one in each) for each in flows)
    begins = sum(any(one.from_handler for one in each) for each in flows)
    return (
        f"Of the {len(found)} that ours found, {at_sink} are reported at the labelled line. Of the {len(flows)} of classes that are "
        f"about a flow, {paths} show a path, {begins} of them from inside the labelled handler. Not reviewed: {len(told.not_reviewed)}."
    )


def _alone(folder: Path, names: Sequence[str], together: Told) -> str:
    """All sides were read in one call; some of them, each as a root of its own, must say the same."""
    some = random.Random(SEED).sample(sorted(names), min(ALONE, len(names)))
    apart = ours(folder, some)
    other = [name for name in some if _places_of(apart, name) != _places_of(together, name)]
    return f"All sides were read in one call; of {len(some)} that were read again, each alone, {len(other)} gave another answer."


def _places_of(told: Told, name: str) -> set[tuple[str, str, int]]:
    return {(hit.rule, hit.file, hit.line) for hit in told.hits if hit.tree == name}


def _frameworks(chosen: Sequence[Variant], told: Mapping[str, Told]) -> str:
    parts = []
    for framework in sorted({one.case.framework for one in chosen}):
        some = [one for one in chosen if one.case.framework == framework]
        each = ", ".join(f"{name} {share(micro(scored(said, some)).youden)}" for name, said in told.items())
        parts.append(f"{framework} ({len(some) // 2} pairs): {each}")
    return f"J by framework, all classes in one pot: {'; '.join(parts)}."


def _anything(chosen: Sequence[Variant], told: Mapping[str, Told]) -> str:
    """In case our table of their rules does them wrong."""
    parts = []
    for name, said in told.items():
        if name != OURS:
            score = counted((one.sink is not None, one.name in said.anything) for one in chosen)
            parts.append(
                f"{name} {share(score.youden)} (R {share(score.recall)}, FPR {share(score.alarm_rate)})"
            )
    return f"If any report of theirs counted, of whatever rule, J in one pot would be: {', '.join(parts)}."
