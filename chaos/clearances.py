"""What the data-flow pass calls clean, run: chains of operations on texts that are made to slip through."""

from __future__ import annotations

import random

from chaos._chain_runs import cleared, hurt, knowledge
from chaos._chains import Writer
from chaos.section import Setting, Tally

FULL, SHORT, TOGETHER, ROUNDS = 10_000, 400, 50, 200


def section(setting: Setting, tally: Tally) -> None:
    known, claims, reports = knowledge(), 0, 0
    for number in range((SHORT if setting.short else FULL) // TOGETHER):
        chance = random.Random(f"{setting.seed} {number}")
        program = Writer(chance).program(TOGETHER)
        clean, reported = cleared(program, known, setting.folder)
        wrong = hurt(program, chance, clean, ROUNDS)
        claims, reports = claims + len(clean), reports + len(reported)
        for line in program.rules:
            if line in wrong:
                tally.fall(
                    f"program {number}, line {line}", f"called clean, there arrives {wrong[line][:200]}"
                )
            else:
                tally.survive()
    tally.note(
        f"{claims} of the chains were called clean, {reports} reported; each called clean was run {ROUNDS} times"
    )
