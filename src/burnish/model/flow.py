"""The way of untrusted input, step by step, as it is shown: long ways folded in the middle, and said so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from burnish.model.review import FlowStep

MOST_SHOWN = 12
# Where it begins and where it hurts say most: these many are shown before and after what is left out.
AT_THE_START = 5


@dataclass(frozen=True)
class ShownStep:
    """One line of a path: a step with its number, from 1; or, without a step, how many are left out here."""

    number: int
    step: FlowStep | None = None
    left_out: int = 0


def shown_steps(flow: tuple[FlowStep, ...], most: int = MOST_SHOWN) -> tuple[ShownStep, ...]:
    """All steps where there are at most `most`; else the first and the last, and one line for the rest."""
    steps = tuple(ShownStep(number, step) for number, step in enumerate(flow, 1))
    if len(steps) <= most:
        return steps
    start = min(AT_THE_START, most // 2)
    end = len(steps) - (most - start)
    return (*steps[:start], ShownStep(start + 1, left_out=end - start), *steps[end:])


def flow_title(flow: tuple[FlowStep, ...], most: int = MOST_SHOWN) -> str:
    """`path, 4 steps`; where some are left out, how many are shown."""
    count = f"path, {len(flow)} step{'s' if len(flow) != 1 else ''}"
    return count if len(flow) <= most else f"{count}, {most} shown"


def flow_lines(
    flow: tuple[FlowStep, ...], cleaned: Callable[[str], str], most: int = MOST_SHOWN
) -> Iterator[str]:
    """The steps as plain lines, `1. file:line  code  (what happens)`; `cleaned` makes others' text safe."""
    for shown in shown_steps(flow, most):
        if shown.step is None:
            yield f"... {shown.left_out} steps are not shown ..."
            continue
        step = shown.step
        place = cleaned(f"{step.file}:{step.line}")
        code, text = cleaned(step.snippet.strip()), cleaned(step.text.strip())
        words = f"{code}  ({text})" if code and text and text != code else code or text
        yield f"{shown.number}. {place}  {words}".rstrip()
