"""How a session of slots ends, and what is said about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from burnish.app.landed_on import landed_on, told
from burnish.app.slots_bench import SlotBench
from burnish.model.decision import Stop
from burnish.model.exit_codes import ExitCode, exit_code
from burnish.model.landing import Landing
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.step import Role, Step
from burnish.render.plain import count
from burnish.slots.report import Fate, Next, SlotReport, SlotsReport

GO_ON = "burnish slots --resume --iterations MORE"


async def conclude(
    bench: SlotBench, slots: Sequence[SlotReport], iteration: int, step: Next, left: int | None = None
) -> SlotsReport:
    """End the session; one that only ran out of iterations can go on."""
    run = bench.run
    if step is Next.GO_ON:
        open_tasks = f"{count(left or 0, 'task')} left"
        message = f"{iteration} of {bench.plan.iterations} iterations done, {open_tasks}; {_sums(slots)}"
        await run.interrupt(message)
        return _report(bench, slots, iteration, left, (None, message, ExitCode.OK))
    stop = _stop(slots, step, left)
    code = exit_code("slots", stop.outcome)
    message = stop.message
    if any(slot.landed for slot in slots):
        landing = await run.do(Step(Role.LAND), _landed, bench, slots)
        message, code = told(message, code, landing)
    await run.end(replace(stop, message=message), code)
    return _report(bench, slots, iteration, left, (stop, message, code))


async def ask_people(bench: SlotBench, slots: Sequence[SlotReport], iteration: int) -> SlotsReport:
    """Left to be resumed: what its slots ask is answered first."""
    asking = [slot for slot in slots if slot.fate is Fate.ASKS]
    message = f"slot {asking[0].slot} asks: {asking[0].why}"
    await bench.run.interrupt(message)
    report = _report(bench, slots, iteration, None, (None, message, ExitCode.NEEDS_PERSON))
    answers = tuple(f"burnish answer {slot.run} TEXT" for slot in asking)
    return replace(report, hints=(*answers, "burnish slots --resume"))


async def _landed(bench: SlotBench, slots: Sequence[SlotReport]) -> Landing:
    landed = [slot.landed for slot in slots if slot.landed]
    return await landed_on(bench.place, bench.plan.onto or bench.branch, landed)


def _stop(slots: Sequence[SlotReport], step: Next, left: int | None) -> Stop:
    match step:
        case Next.FAILED:
            failed = [
                slot for slot in slots if slot.fate is Fate.FAILED and slot.iteration == slots[-1].iteration
            ]
            first = failed[0]
            what = f"slot {first.slot} failed{f' on {first.item}' if first.item else ''}: {first.why}"
            more = f" (and {count(len(failed) - 1, 'more slot')})" if len(failed) > 1 else ""
            return Stop(
                Outcome.FAILED, Reason.SLOT_FAILED, f"iteration {first.iteration} failed: {what}{more}"
            )
        case Next.STOPPED:
            said = next(slot for slot in reversed(slots) if slot.stop)
            text = f"slot {said.slot} says {said.stop}, although {count(left or 0, 'task')} can be picked"
            return Stop(Outcome.STOPPED, Reason.STOP_MARKER, text)
        case _:
            done = [slot for slot in slots if slot.landed]
            passed = done and all(slot.fate is Fate.PASSED for slot in done)
            outcome = Outcome.PASSED if passed else Outcome.UNREVIEWED
            text = (
                f"nothing is left to pick; {_sums(slots)}"
                if slots
                else "nothing to do: nothing can be picked"
            )
            return Stop(outcome, Reason.NOTHING_LEFT, text)


def _sums(slots: Sequence[SlotReport]) -> str:
    passed = sum(1 for slot in slots if slot.fate is Fate.PASSED)
    unreviewed = sum(1 for slot in slots if slot.fate is Fate.UNREVIEWED)
    failed = sum(1 for slot in slots if slot.fate is Fate.FAILED)
    parts = [(passed, "passed"), (unreviewed, "not reviewed"), (failed, "failed")]
    told = ", ".join(f"{number} {word}" for number, word in parts if number)
    return f"{count(len(slots), 'slot')}: {told or 'none did anything'}"


def _report(
    bench: SlotBench,
    slots: Sequence[SlotReport],
    iteration: int,
    left: int | None,
    end: tuple[Stop | None, str, ExitCode],
) -> SlotsReport:
    stop, message, code = end
    branch = next((slot.branch for slot in reversed(slots) if slot.landed), "")
    hints = () if stop else (GO_ON,)
    return SlotsReport(
        bench.run.id, branch, tuple(slots), iteration, bench.plan.iterations, left, message, code,
        str(stop.outcome) if stop else "", hints,
    )  # fmt: skip
