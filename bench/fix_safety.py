"""Fixes made with half of a project's tests as the gate: what the other half, never shown to anybody, says afterwards."""

from __future__ import annotations

import json
import random
import re
import subprocess
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from bench._scene import Scene, burnish
from bench._subjects import UNREACHABLE, repository_of, sdists
from bench._suites import PASSED, PROJECTS, Project, environment_for, fixable, halves, results, suite
from bench.section import Page, Setting

SEED = 20261115
MOST, QUICK_MOST = 15, 2
NEW = "the fix brought"


@dataclass
class Outcome:
    """What came of one project."""

    taken: int = 0
    tried: int = 0
    fixed: int = 0
    rolled_back: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)
    took_s: float = 0.0
    why: Counter[str] = field(default_factory=Counter)

    @property
    def broke(self) -> list[str]:
        good = [test for test, ended in self.before.items() if ended == PASSED]
        return [test for test in good if self.after.get(test) != PASSED]


def section(setting: Setting, page: Page) -> None:
    projects = PROJECTS[:1] if setting.quick else PROJECTS
    found = sdists(project.wanted for project in projects)
    python = environment_for(projects) if found else None
    if python is None:
        page.say(UNREACHABLE.format("some project or what its tests need"))
        return
    most = QUICK_MOST if setting.quick else MOST
    outcomes = {}
    for project in projects:
        if project.wanted in found:
            scene = repository_of(setting.folder / project.name, found[project.wanted])
            outcomes[project.wanted] = fix_project(scene, project, python, most)
    tell(page, outcomes, most)


def fix_project(scene: Scene, project: Project, python: Path, most: int) -> Outcome:
    """Review, fix at most so many findings of as many rules as there are, and run the half that was kept back."""
    began = time.monotonic()
    shown, kept = halves(scene, project, SEED)
    found = Outcome(before=results(scene, project, python, "main", kept))
    call(
        scene,
        "review",
        project.package,
        "--no-tests",
        "--max-iterations",
        "0",
        "--format",
        "json",
        "-o",
        "/dev/null",
    )
    taken = json.loads(fixable(scene))
    chosen = by_rule(taken, most)
    found.taken, found.tried = len(taken), len(chosen)
    if chosen:
        ids = [word for one in chosen for word in ("--finding", one["id"])]
        said = call(scene, "fix", *ids, "--gate", suite(python, project, shown, "-x"), "--land", "branch")
        _count(found, said)
    branch = scene.git("for-each-ref", "--format=%(refname)", "refs/heads/burnish").split()
    if branch:
        made = scene.git("log", "--format=%s", f"main..{branch[-1]}").splitlines()
        rule_of = {one["id"]: one["rule"] for one in chosen}
        found.rules = Counter(rule_of.get(id_of(subject), "?") for subject in made)
        found.after = results(scene, project, python, branch[-1], kept)
    else:
        found.after = found.before
    found.took_s = time.monotonic() - began
    return found


def by_rule(taken: list[dict[str, str]], most: int) -> list[dict[str, str]]:
    """Seeded: one of each rule in turn, until there are enough."""
    chance, rules = random.Random(SEED), defaultdict(list)
    for one in taken:
        rules[one["rule"]].append(one)
    for some in rules.values():
        chance.shuffle(some)
    chosen: list[dict[str, str]] = []
    while len(chosen) < most and any(rules.values()):
        chosen += [some.pop() for some in rules.values() if some]
    return chosen[:most]


def id_of(subject: str) -> str:
    found = re.search(r"\[([^\]]+)\]$", subject)
    return found[1] if found else ""


def call(scene: Scene, *words: str) -> str:
    """`burnish`, without a sandbox: the suites' environment is elsewhere."""
    command = burnish(*words, "--sandbox", "off", "--run-unsandboxed")
    done = subprocess.run(
        command, cwd=scene.repo, env=scene.environment(), capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"burnish {words[:2]} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout + done.stderr


def _count(found: Outcome, said: str) -> None:
    """`Fixes: 3 fixed, 1 not fixable, 2 failed`, and why those that failed were undone."""
    line = re.search(r"^Fixes: (.*)$", said, re.M)
    counts = {word: int(number) for number, word in re.findall(r"(\d+) ([a-z ]+)", line[1] if line else "")}
    found.fixed, found.rolled_back = counts.get("fixed", 0), counts.get("failed", 0)
    reasons = re.findall(r"^  failed .*\n +because: (.*)$", said, re.M)
    found.why = Counter(
        "brought a new finding" if reason.startswith(NEW) else "turned the tests red" for reason in reasons
    )


def tell(page: Page, outcomes: dict[str, Outcome], most: int) -> None:
    page.say(
        f"`burnish review PACKAGE --no-tests`, then `burnish fix --finding ... --gate ...` with at most {most} findings a "
        "project of those a fixer of ours takes on (seeded; every rule once before any rule twice), so that a project takes "
        "about a minute. The gate is pytest over a seeded half of the test files; *kept back* is the other half, run "
        "before and after on fresh copies."
    )
    rows = []
    for name, one in outcomes.items():
        passed = sum(1 for ended in one.before.values() if ended == PASSED)
        undone = ", ".join(f"{number} {why}" for why, number in one.why.items())
        broke = ", ".join(one.broke[:3]) if one.broke else "0"
        cells = [
            one.taken,
            one.tried,
            one.fixed,
            f"{one.rolled_back}{f' ({undone})' if undone else ''}",
            passed,
            broke,
        ]
        rows.append([name, *map(str, cells), f"{one.took_s:.0f} s"])
    columns = [
        "project",
        "could be fixed",
        "tried",
        "fixed",
        "rolled back",
        "tests kept back, green",
        "broke",
        "took",
    ]
    page.table(columns, rows)
    rules = sum((one.rules for one in outcomes.values()), Counter[str]())
    told = ", ".join(f"{rule} {number}" for rule, number in rules.most_common())
    page.say(
        f"What was fixed, by rule: {told or 'nothing'}. What was not fixed and not rolled back: no edit was found."
    )
    broke = sum(len(one.broke) for one in outcomes.values())
    met = not broke and all(one.before for one in outcomes.values())
    page.goal(
        f"tests of the half kept back that {sum(one.fixed for one in outcomes.values())} fixes in {len(outcomes)} projects broke",
        "0",
        str(broke),
        met=met,
    )
