"""The price of the gate's second look: a change that brings tests is judged without them too."""

from __future__ import annotations

from bench._scene import GATE, make_scene
from bench.loops import drive
from bench.section import Page, Setting, spread

RUNS = 3
SLOW = f"sleep 0.3 && {GATE}"


def section(setting: Setting, page: Page) -> None:
    rounds, runs = (1, 1) if setting.quick else (setting.rounds, RUNS)
    scene = make_scene(setting.folder / "scene")
    page.say(
        f"{rounds} rounds of {runs} runs of three cycles, without a sandbox. *Brings tests*: the change also adds a file under "
        "`tests/`, so every green gate is run a second time without what the change brought of its own (three more "
        "checkouts and three more gates in a run)."
    )
    rows = []
    for gate in (GATE,) if setting.quick else (GATE, SLOW):
        took: dict[str, list[float]] = {"plain": [], "tests": []}
        for number in range(rounds):
            for kind, writer in (("plain", scene.writer), ("tests", scene.test_writer)):
                extra = ["--gate", gate, "--writer", str(writer)]
                said = drive(scene, "library:off", f"{kind}{number}", runs, 1, extra)
                took[kind].append(said["wall_s"] * 1000 / runs)
        ratios = [tests / plain for plain, tests in zip(took["plain"], took["tests"], strict=True)]
        more = [tests - plain for plain, tests in zip(took["plain"], took["tests"], strict=True)]
        cells = [spread(took[kind], digits=0) for kind in ("plain", "tests")]
        rows.append([f"`{gate}`", *cells, spread(ratios), spread([value / 3 for value in more], digits=0)])
    columns = ["gate", "no tests brought, ms a run", "brings tests, ms a run", "x", "more for each gate, ms"]
    page.table(columns, rows)
