"""The false-alarm rate is what the hundred judged findings say, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from bench._judged import SAMPLE, false_alarms, read, sampled
from bench._releases import PAIRS
from bench.release_diffs import tell_judged
from bench.section import Page


def test_a_hundred_findings_were_judged_each_once_and_each_with_a_reason() -> None:
    judged = read()
    assert len(judged) == SAMPLE == 100
    assert len({(one.library, one.id) for one in judged}) == SAMPLE
    assert all(one.why and one.title and ":" in one.place for one in judged)
    assert {one.library for one in judged} <= {library for library, _, _ in PAIRS}


def test_twenty_steps_between_releases_are_reviewed() -> None:
    assert len(PAIRS) == 20
    assert len({library for library, _, _ in PAIRS}) == 20


def test_the_rate_on_the_page_comes_from_the_file() -> None:
    judged = read()
    wrong = sum(1 for one in judged if not one.right)
    assert false_alarms(judged)["all"] == (SAMPLE, wrong)
    page, other = Page(), Page()
    tell_judged(page, judged)
    assert f"| all | {SAMPLE} | {wrong} | {wrong}% |" in page.lines
    tell_judged(other, [replace(one, right=True) for one in judged])
    assert f"| all | {SAMPLE} | 0 | 0% |" in other.lines


def test_a_sample_is_the_same_each_time_and_leaves_out_nothing_that_is_bad() -> None:
    kinds = {"critical": 3, "high": 20, "medium": 90, "low": 90}
    found = [
        ("lib", {"fingerprint": f"{kind}{n}", "severity": kind})
        for kind, count in kinds.items()
        for n in range(count)
    ]
    chosen = sampled(found)
    assert chosen == sampled(list(reversed(found)))
    marks = [finding["severity"] for _, finding in chosen]
    assert [marks.count(kind) for kind in kinds] == [3, 20, 30, 30]
