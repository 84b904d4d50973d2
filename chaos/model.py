"""Any order of run, kill, resume, cancel, edit and land, against a reference model: each rule is one injection."""

from __future__ import annotations

import sys

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import HypothesisException
from hypothesis.stateful import get_state_machine_test
from tests.model.machine import BurnishMachine

from chaos._many import alone
from chaos.section import Setting, Tally

# Batches, walks in each, rules in each walk: a batch ends where it falls, the others go on.
LONG = (6, 10, 16)
SHORT = (1, 2, 4)
TOLD = 2000


def section(setting: Setting, tally: Tally) -> None:
    batches, walks, steps = SHORT if setting.short else LONG
    with alone(setting.folder):
        for number in range(batches):
            walk(tally, setting.seed + number, walks, steps)
    tally.note(
        f"{batches * walks} walks of {steps} rules; runs, files, refs and journal compared after each rule"
    )


def walk(tally: Tally, number: int, walks: int, steps: int) -> None:
    fell: list[BaseException | None] = []

    class Counted(BurnishMachine):
        tried = 0

        def held(self) -> None:
            # A walk that fell is walked once more to tell of it: not counted again.
            if self.tried and not fell:
                tally.survive()
            self.tried += 1

        def teardown(self) -> None:
            if isinstance(error := sys.exception(), Exception):
                fell.append(error)
            super().teardown()

    limits = settings(
        max_examples=walks,
        stateful_step_count=steps,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    try:
        seed(number)(get_state_machine_test(Counted, settings=limits))()
    except (AssertionError, HypothesisException, ExceptionGroup) as error:
        notes = " ".join(getattr(error, "__notes__", ()))
        why = " ".join(f"{type(error).__name__}: {error} {notes}".split())
        tally.fall(f"walk with seed {number}", why[:TOLD])
