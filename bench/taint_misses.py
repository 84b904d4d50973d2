"""`python -m bench.taint_misses [CLASS|CASE...] [--tool ours|ruff|bandit]`: misses and false alarms of the development half."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench._scores import Score
from bench._taint_cases import LABELLED, Variant, below, lay, variants
from bench._taint_tools import Hit, Told, bandit, ours, ruff
from bench.taint import judged, scored, share

TOOLS = {"ours": ours, "ruff": ruff, "bandit": bandit}


def real(path: str, line: int, laid: dict[str, Variant]) -> str:
    """The place in the set, not in the copy that was read; short enough to be clicked."""
    tree, _, rest = path.partition("/")
    known = {str(below(one)): one for one in laid[tree].files} if tree in laid else {}
    shown = (LABELLED / known[rest]).relative_to(LABELLED.parents[2]) if rest in known else path
    return f"{shown}:{line}"


def lines(told: Told, laid: dict[str, Variant]) -> Iterator[str]:
    for one in laid.values():
        hits = told.of(one.name, one.case.kind)
        about = f"{one.case.id} ({one.case.framework}, {one.case.function})"
        if one.sink and not hits:
            yield f"MISS   {about} {LABELLED.relative_to(LABELLED.parents[2])}/{one.sink[0]}:{one.sink[1]}"
            others = [hit for hit in told.hits if hit.tree == one.name]
            yield from (f"         but {hit.rule} at {real(hit.file, hit.line, laid)}" for hit in others)
        elif one.sink and not any(judged(one, hit).at_sink for hit in hits):
            yield f"BESIDE {about} expected {one.sink[0]}:{one.sink[1]}"
            yield from _shown(hits, laid)
        elif hits and not one.sink:
            yield f"ALARM  {about}"
            yield from _shown(hits, laid)


def _shown(hits: tuple[Hit, ...], laid: dict[str, Variant]) -> Iterator[str]:
    for hit in hits:
        sure = "" if hit.confidence is None else f" ({hit.confidence:.2f})"
        yield f"         {hit.rule} at {real(hit.file, hit.line, laid)}{sure}: {hit.text}"
        yield from (f"           {real(path, line, laid)} {words}" for path, line, words in hit.flow)


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench.taint_misses", description=__doc__)
    parser.add_argument("wanted", nargs="*", metavar="CLASS|CASE")
    parser.add_argument("--tool", choices=TOOLS, default="ours")
    given = parser.parse_args()
    every = variants()
    known = {one.case.kind for one in every}
    unknown = [name for name in given.wanted if name not in known | {one.case.id for one in every}]
    if unknown:
        parser.error(
            f"{unknown[0]!r} is no class and no case of the development half; classes: {', '.join(sorted(known))}"
        )
    chosen = [one for one in every if not given.wanted or {one.case.kind, one.case.id} & set(given.wanted)]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bench-misses-") as folder:
        laid = lay(chosen, Path(folder))
        told = TOOLS[given.tool](Path(folder))
    for line in lines(told, laid):
        print(line)
    scores = scored(told, chosen)
    for kind, score in [*scores.items(), ("all", sum(scores.values(), Score()))]:
        weak, safe = score.found + score.missed, score.alarms + score.quiet
        print(
            f"{kind:16} found {score.found:3} of {weak:3}  false alarms {score.alarms:3} of {safe:3}  Youden {share(score.youden)}"
        )
    for text in told.not_reviewed:
        print(f"not reviewed: {text}")
    print(f"development half, {len(chosen)} trees in one root, {time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
