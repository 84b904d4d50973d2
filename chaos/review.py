"""`review --fix` killed, interrupted, doubled and disturbed: the same findings, each commit once, nothing lost."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tests.cli import burnish, start
from tests.repos import TestRepo

from chaos._many import alone, inject
from chaos._reviews import FLAWED, GATE, SMALL, Result, Story, differing, in_progress
from chaos.kill_moments import kill_tree
from chaos.section import Setting, Tally

# The state on disk is another one only after these: the rest of a step's points see what one of them saw.
TELLING = ("work:done", "step_finished:committed")
MOMENTS = 24
LIVES = 60
PHASES = (
    "Phase 2: Parallel Reviews (7 dimensions) -> in_progress",
    "Phase 2: Parallel Reviews (7 dimensions) -> completed",
    "Phase 4: Deep-dive (conditional) -> in_progress",
    "Phase 5: Review Completion -> in_progress",
    "Phase 6: Fix Discovery & Batching -> completed",
    "Phase 7: Parallel Planning -> in_progress",
    "Phase 8: Execution -> in_progress",
    "Phase 9: Fix Completion -> in_progress",
)
COMMAND = (
    "review",
    "--fix",
    "--no-tests",
    "--sandbox",
    "off",
    "--run-unsandboxed",
    "--max-iterations",
    "1",
    "--gate",
    GATE,
)
INTERRUPTED = 130
WAIT_S = 240


def section(setting: Setting, tally: Tally) -> None:
    with alone(setting.folder):
        template = in_progress(setting.folder / "template", SMALL if setting.short else FLAWED)
        whole = Story(setting.folder / "whole", template)
        code, points = whole.live()
        expected = whole.result()
        assert isinstance(points, list), f"the review that nobody disturbed ended with {code}: {points}"
        whole.check(expected)
        _points(setting, tally, template, expected, points)
        _signals(setting, tally, template, expected)
        if not setting.short:
            _landing(setting, tally, template, expected, points)
            _moments(setting, tally, template, expected)
            _company(setting, tally, template, expected)


def _points(setting: Setting, tally: Tally, template: TestRepo, expected: Result, points: list[str]) -> None:
    first = {name: number for number, name in reversed(list(enumerate(points, 1)))}
    apart = {number for number, name in enumerate(points, 1) if name in TELLING or "workspaces." in name}
    chosen = sorted({*first.values(), *apart})
    if os.environ.get("BURNISH_ALL_POINTS"):
        chosen = list(range(1, len(points) + 1))
    if setting.short:
        chosen = random.Random(setting.seed).sample(chosen, 1)

    def work(number: int) -> None:
        killed_at(Story(setting.folder / f"point-{number}", template), number, expected)

    inject(tally, work, [(f"point {number}, {points[number - 1]}", number) for number in chosen])
    if not setting.short:
        tally.note(
            f"{len(chosen)} of the {len(points)} side effects of a review with its fixes: each kind, each call of "
            "git, and of every step the two moments between which its record is written"
        )


def killed_at(story: Story, number: int, expected: Result) -> None:
    code, said = story.live(deadly=number)
    # Dimensions and groups work side by side: a point near the end may not come in this life.
    assert code in (-signal.SIGKILL, expected.exit_code), f"ended with {code}: {said}"
    before = story.steps()
    if not story.is_over:
        code, said = story.live()
        assert code == expected.exit_code, f"resumed, it ended with {code}: {said}"
    assert story.steps()[: len(before)] == before, "a finished step is not what it was"
    story.check(expected)
    shutil.rmtree(story.folder)


def _landing(setting: Setting, tally: Tally, template: TestRepo, expected: Result, points: list[str]) -> None:
    """The last side effects once more, where the fixes go into the checkout itself."""
    began = next(at for at, name in enumerate(points, 1) if name.startswith("lander."))
    applied = replace(
        expected, subjects=expected.subjects[-1:], tree=template.tree(), outcome=expected.outcome
    )

    def work(number: int) -> None:
        killed_at(Story(setting.folder / f"apply-{number}", template, "apply"), number, applied)

    numbers = range(began - 3, len(points) + 1)
    inject(tally, work, [(f"applied, point {number}, {points[number - 1]}", number) for number in numbers])


def _moments(setting: Setting, tally: Tally, template: TestRepo, expected: Result) -> None:
    """The whole process tree at once, at any moment, again and again until the review is done."""
    chance = random.Random(setting.seed)
    kills = 0
    for number in range(1, MOMENTS):
        story = Story(setting.folder / f"moments-{number}", template)
        own = random.Random(chance.random())
        mine = 0

        def work(story: Story, own: random.Random = own) -> None:
            nonlocal mine
            for _ in range(LIVES):
                if story.is_over:
                    break
                child, reader = story.begin()
                with closing(reader):
                    child.join(own.uniform(0.2, 8 + 2 * mine))
                    if child.exitcode is None:
                        kill_tree(child)
                        mine += 1
            story.check(expected)
            shutil.rmtree(story.folder)

        result = Tally()
        inject(result, work, [(f"moments, review {number}", story)])
        for _ in range(max(mine - len(result.fallen), 0)):
            tally.survive()
        for text in result.fallen:
            tally.fall(*text.split(": ", 1))
        kills += mine
        if kills >= MOMENTS:
            break
    tally.note(f"{kills} kills of the whole process tree at random moments, in {number} reviews")


def _signals(setting: Setting, tally: Tally, template: TestRepo, expected: Result) -> None:
    """Ctrl-C in every phase, then --resume, as a person types it."""
    phases = [phase for phase in PHASES if not (setting.short and "Deep-dive" in phase)]
    if setting.short:
        phases = random.Random(setting.seed).sample(phases, 1)

    def work(phase: str) -> None:
        story = Story(setting.folder / f"signal-{PHASES.index(phase)}", template)
        env = {"BURNISH_STATE": str(story.state)}
        child = start(story.user.path, *COMMAND, env=env)
        assert reached(child, phase), "that phase never came"
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=WAIT_S)
        assert child.returncode == INTERRUPTED, f"Ctrl-C ended it with {child.returncode}: {said[-300:]!r}"
        assert b"Traceback" not in said
        again = burnish(story.user.path, "review", "--fix", "--resume", env=env)
        assert again.code == expected.exit_code, f"--resume ended with {again.code}: {again.err[-300:]}"
        story.check(expected)

    inject(tally, work, [(f"Ctrl-C at {phase!r}", phase) for phase in phases])


def reached(child: subprocess.Popen[bytes], line: str) -> bool:
    """Read what it says until that line; False when it ends without it."""
    assert child.stderr is not None
    return any(said.decode("utf8", "replace").startswith(line) for said in child.stderr)


def _company(setting: Setting, tally: Tally, template: TestRepo, expected: Result) -> None:
    """Others at work in the same repository meanwhile."""
    stories: dict[str, Callable[[Story, Result], None]] = {
        "two reviews at once": two_at_once,
        "the user edits while it runs": edited,
        "the user edits, and the fixes were to be applied": edited_and_applied,
        "the user commits meanwhile": committed,
        "the user deletes the folder of files meanwhile": swept,
    }

    def work(name: str) -> None:
        story = Story(setting.folder / name.replace(" ", "-"), template)
        stories[name](story, expected)

    inject(tally, work, [(name, name) for name in stories])


def two_at_once(story: Story, expected: Result) -> None:
    env = {"BURNISH_STATE": str(story.state)}
    both = [start(story.user.path, *COMMAND, env=env) for _ in range(2)]
    for child in both:
        _, said = child.communicate(timeout=WAIT_S)
        assert child.returncode == expected.exit_code, f"ended with {child.returncode}: {said[-300:]!r}"
    branches = [name for name in story.user.branches if name.startswith("burnish/")]
    assert len(branches) == 2, f"branches: {branches}"
    for branch in branches:
        assert story.user.git("log", "--format=%s", branch).splitlines() == expected.subjects
        assert story.user.tree(branch) == expected.tree
    story.check_user()


def _disturbed(story: Story, expected: Result, deed: Callable[[TestRepo], object], *extra: str) -> str:
    """One review during which the user does something; what it said on stderr."""
    child = start(story.user.path, *COMMAND, *extra, env={"BURNISH_STATE": str(story.state)})
    assert reached(child, PHASES[0]), "the review never began"
    deed(story.user)
    _, said = child.communicate(timeout=WAIT_S)
    assert child.returncode == expected.exit_code, f"ended with {child.returncode}: {said[-300:]!r}"
    assert b"Traceback" not in said
    return said.decode("utf8", "replace")


def _types(user: TestRepo) -> None:
    user.write("calc.py", "# all new\n")
    user.write("mine.txt", "mine, and more\n")
    user.write("fresh.py", "x = eval(input())\n")
    (user.path / "doc.md").unlink()


TYPED = {"calc.py", "mine.txt", "fresh.py", "doc.md"}


def edited(story: Story, expected: Result) -> None:
    _disturbed(story, expected, _types)
    assert differing(story.before, story.user.fingerprint()) == TYPED
    assert (story.user.path / "calc.py").read_text() == "# all new\n"
    assert story.result() == expected, "the review is not of the moment it began"


def edited_and_applied(story: Story, expected: Result) -> None:
    said = _disturbed(story, expected, _types, "--land", "apply")
    assert "not applied" in said, f"nothing was said: {said[-300:]}"
    assert differing(story.before, story.user.fingerprint()) == TYPED
    assert story.result() == expected, "what could not be applied is not on a branch"


def committed(story: Story, expected: Result) -> None:
    def deed(user: TestRepo) -> None:
        (user.path / ".git/hooks/pre-commit").unlink()
        user.commit("meanwhile", {"other.py": "y = 1\n"})

    _disturbed(story, expected, deed)
    assert story.user.git("log", "-1", "--format=%s") == "meanwhile"
    assert story.user.git("status", "--porcelain") == ""
    assert story.result() == expected


def swept(story: Story, expected: Result) -> None:
    """Rendered files only: the review goes on without them, and nothing else is missing."""
    _disturbed(story, expected, lambda user: shutil.rmtree(Path(user.path, ".burnish"), ignore_errors=True))
    assert story.result() == expected
    assert differing(story.before, story.user.fingerprint()) == set()
