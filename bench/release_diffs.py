"""What a review says of twenty steps from one release of a library to the next, and how much of that is a false alarm."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bench._judged import JUDGED, Judged, false_alarms, read
from bench._releases import PAIRS, Step, review_step
from bench._scene import ROOT
from bench._subjects import UNREACHABLE, wheels
from bench.section import Page, Setting
from burnish.model.review import Severity

CORRECTED = (
    "ty's `call-non-callable` and `too-many-positional-arguments` are low where hasattr, a class decorator or a type given as "
    "an argument decides; ruff's newer forms (UP006, UP007, UP017, UP035, UP036, UP045, ...) are told only where a project "
    "names its oldest Python; a complexity above 5 is less sure."
)
WORST = (Severity.CRITICAL, Severity.HIGH)


def section(setting: Setting, page: Page) -> None:
    tell_judged(page, read())
    pairs = PAIRS[:1] if setting.quick else PAIRS
    steps, missing = [], []
    for library, old, new in pairs:
        names = (f"{library}=={old}", f"{library}=={new}")
        found = wheels(names)
        if len(found) < len(names):
            missing.append(library)
            continue
        lines, findings = review_step(setting.folder / library, *(found[name] for name in names))
        steps.append(Step(library, old, new, lines, findings))
    if missing:
        page.say(UNREACHABLE.format(", ".join(missing)))
    if steps:
        tell_steps(page, steps)
        tell_since(page, steps, read())


def tell_judged(page: Page, judged: Sequence[Judged]) -> None:
    """The rate comes from the file alone: it was read once, by reading code."""
    rates = false_alarms(judged)
    rows = [[name, str(count), str(wrong), f"{wrong / count:.0%}"] for name, (count, wrong) in rates.items()]
    place = JUDGED.relative_to(ROOT)
    page.say(
        f"{len(judged)} findings of these reviews, read in their code and judged right or wrong one by one in `{place}` "
        "(by a model that read the code): everything critical or high, the rest sampled with a seed, half medium and half "
        "low, so *all* is no rate of all findings. *Right* is true at that place and what a reviewer might well say. "
        f"Sampled and judged **before** the rules were corrected by what it showed: {CORRECTED}"
    )
    page.table(["severity", "judged", "wrong", "false alarms"], rows)


def tell_steps(page: Page, steps: Sequence[Step]) -> None:
    lines = sum(step.changed_lines for step in steps)
    page.say(
        f"{len(steps)} steps, {lines:,} changed lines (`burnish review --commit HEAD --no-tests`, the wheels of both "
        "releases as two commits), findings new in each, now:"
    )
    rows = [
        _row(f"{step.library} {step.old} to {step.new}", step.changed_lines, step.findings) for step in steps
    ]
    rows.append(_row("all", lines, [finding for step in steps for finding in step.findings]))
    severities = [severity.value for severity in Severity]
    page.table(["step", "changed lines", *severities, "per 1,000 lines", "high or worse per 1,000"], rows)


def _row(name: str, lines: int, findings: Sequence[dict[str, object]]) -> list[str]:
    count = Counter(finding["severity"] for finding in findings)
    thousand = max(lines, 1) / 1000
    worst = sum(count[severity] for severity in WORST)
    told = [str(count[severity]) for severity in Severity]
    return [name, f"{lines:,}", *told, f"{len(findings) / thousand:.1f}", f"{worst / thousand:.1f}"]


def tell_since(page: Page, steps: Sequence[Step], judged: Sequence[Judged]) -> None:
    """What became of the wrong ones with the rules as they are today."""
    now = {
        (step.library, mark): finding
        for step in steps
        for finding in step.findings
        for mark in _marks(finding)
    }
    wrong = [one for one in judged if not one.right]
    left = [now[one.library, one.id] for one in wrong if (one.library, one.id) in now]
    worst = sum(1 for finding in left if finding["severity"] in WORST)
    before = sum(1 for one in wrong if one.severity in WORST)
    right = [one for one in judged if one.right and one.severity in WORST]
    kept = sum(1 for one in right if now.get((one.library, one.id), {}).get("severity") in WORST)
    page.say(
        f"With the rules as they are now, {len(left)} of the {len(wrong)} wrong ones are still told, {worst} of them as high "
        f"or worse (it was {before}); of the {len(right)} right ones that were high or worse, {kept} still are. That is no new "
        "rate: the rules were corrected on these very findings."
    )


def _marks(finding: dict[str, object]) -> tuple[str, ...]:
    also = finding["also"]
    return (str(finding["fingerprint"]), *(also if isinstance(also, list) else ()))
