"""Two hundred loops at once in one process: what the orchestrator itself needs of memory."""

from __future__ import annotations

from bench._scene import make_scene
from bench.loops import drive
from bench.section import Page, Setting

LOOPS = 200
LIMIT_MB = 400


def section(setting: Setting, page: Page) -> None:
    from burnish.process import bubblewrap

    loops = 3 if setting.quick else LOOPS
    rows = []
    for mode in ("off", "require") if bubblewrap.usable() else ("off",):
        scene = make_scene(setting.folder / mode)
        alone = drive(scene, f"library:{mode}", "alone", 1, 1)
        said = drive(scene, f"library:{mode}", "crowd", loops, loops)
        rows.append([mode, f"{alone['peak_mb']:.0f}", f"{said['peak_mb']:.0f}", f"{said['wall_s']:.0f}"])
        what = f"memory of {loops} loops at once, sandbox {mode}"
        page.goal(
            what, f"at most {LIMIT_MB} MB", f"{said['peak_mb']:.0f} MB", met=said["peak_mb"] <= LIMIT_MB
        )
        if setting.quick:
            break
    page.say(
        f"{loops} runs of three cycles, all started at the same moment in one process and one repository: the peak of that "
        "process's own resident memory (agents and git are processes of their own), and until the last one ended."
    )
    page.table(["sandbox", "one loop, MB", f"{loops} loops, MB", f"{loops} loops, s"], rows)
