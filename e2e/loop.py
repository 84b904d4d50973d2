"""The work itself: a task in three cycles to approval, and reviews of a diff."""

from __future__ import annotations

from pathlib import Path

from tests.model_server import Answer, Read, Run, Scene
from tests.model_server.protocol import ToolCall

from e2e._stage import Stage
from e2e._story import (
    ADD,
    FIXER,
    IMPLEMENTER,
    REVIEWER,
    RIGHT,
    SUBTRACT,
    TASK,
    WRONG,
    approves,
    commits_once,
    ended,
    refuses,
    told,
    untouched,
    writes,
)
from e2e.scenario import Scenario

ROOT = Path(__file__).resolve().parent.parent
GUARD = f"{RIGHT}\n\n\n# calc.subtract(3, 2) is 1"
PROSE = (
    "I read every line of the change and what calls it, and compared it with what stood there before. " * 12
)


def three_cycles(stage: Stage) -> str:
    before = stage.repo.fingerprint()
    with stage.script(
        writes(ADD, WRONG),
        refuses("subtract takes its arguments the wrong way round", f"{REVIEWER}.*cycle 1"),
        writes(SUBTRACT, RIGHT, f"{FIXER}.*cycle 1"),
        refuses("an example is missing", f"{REVIEWER}.*cycle 2"),
        writes(RIGHT, GUARD, f"{FIXER}.*cycle 2"),
        approves(f"{REVIEWER}.*cycle 3"),
    ) as server:
        end = ended(stage.run(TASK), "passed", 0)
        assert not server.script.left, f"scenes {server.script.left} were not asked for"
        _saw_the_diff(stage)
        asked = len(server.asked)
        assert "subtract takes its arguments the wrong way round" in server.asked[_first(stage, 2)].said
    assert (end["cycles"], end["fixes"]) == (3, 2), f"{end['cycles']} cycles, {end['fixes']} fixes"
    commits_once(stage, end["branch"], 3)
    assert stage.repo.show(end["branch"], "calc.py").endswith(f"{GUARD}\n"), (
        "calc.py is not as the last fix left it"
    )
    untouched(stage, before)
    with stage.script():
        verified = stage.burnish("receipt", "verify", end["receipt"])
    assert verified.code == 0, f"the receipt does not verify: {verified.err}"
    assert end["tokens"] == 120 * asked, f"{end['tokens']} tokens recorded, {120 * asked} used"
    return f"passed in 3 cycles, 3 commits, {asked} model calls, tokens exact"


def _first(stage: Stage, scene: int) -> int:
    return next(number for number, seen in enumerate(stage.server.asked) if seen.scene == scene)


def _saw_the_diff(stage: Stage) -> None:
    """Every reviewer was shown what changed since the base."""
    for seen in stage.server.asked:
        if seen.scene in (1, 3, 5):
            assert "+def subtract(a, b):" in seen.said, "the reviewer was not shown the diff"


def findings_of_a_diff(stage: Stage) -> str:
    """`burnish review --agent` of uncommitted changes to real code."""
    source = (ROOT / "src" / "burnish" / "sanitise.py").read_text("utf8")
    stage.repo.commit("real code", {"sanitise.py": source})
    [old, *_] = [line for line in source.splitlines() if line.startswith("    return ")]
    changed = source.replace(old, "    return text", 1)
    stage.repo.write("sanitise.py", changed)
    line = changed.splitlines().index("    return text") + 1
    before = stage.repo.fingerprint()
    finding = {
        "id": "sec-001-1a2b3c4d", "title": "Text is printed as it came", "severity": "critical",
        "category": "injection", "description": "Nothing is cleaned any more.", "file": "sanitise.py",
        "line": line, "snippet": "return text", "recommendation": "Clean it as before.",
        "references": [], "impact": "A repository can write to the terminal of whoever reads it.",
        "metadata": {"confidence": 0.9, "cwe_id": "CWE-150", "owasp_category": None},
    }  # fmt: skip
    with stage.script(
        Scene([Answer(view_answer("security", finding))], when="You review one dimension, security"),
        Scene([Answer(view_answer("quality"))], when="You review one dimension, quality"),
    ) as server:
        options = [
            "--dimensions",
            "security,quality",
            "--max-iterations",
            "0",
            "--no-tests",
            "--format",
            "json",
        ]
        said = stage.burnish("review", "--agent", stage.cli.name, *options)
        assert not server.script.left, (
            f"dimensions {server.script.left} were not asked for: {said.err[-300:]}"
        )
        assert "+    return text" in server.asked[0].said, "the diff was not shown"
    assert said.code == 1, f"expected exit 1, found {said.code}: {said.err[-300:]}"
    told(said, "Text is printed as it came")
    untouched(stage, before)
    return "the finding blocks, exit 1"


def view_answer(dimension: str, *findings: dict[str, object]) -> dict[str, object]:
    counts = dict.fromkeys(("critical", "high", "medium", "low"), 0)
    for finding in findings:
        counts[str(finding["severity"])] += 1
    summary = {"total_findings": len(findings), **counts, "files_analyzed": 1, "lines_reviewed": 4}
    return {"dimension": dimension, "analysis": PROSE, "summary": summary, "findings": list(findings)}


def approval_of_a_diff(stage: Stage) -> str:
    """A reviewer that reads and runs things before it approves what the user has changed."""
    stage.repo.write(
        "calc.py", (stage.repo.path / "calc.py").read_text("utf8").replace(ADD, f"{ADD}  # the sum")
    )
    before = stage.repo.fingerprint()
    with stage.script(
        Scene([Read("calc.py"), Run("python3 -B -m unittest -q"), approves().turns[0]], when=REVIEWER)
    ) as server:
        said = stage.burnish(
            "run", "Say what add is", "--implementer", "none", "--reviewer", stage.cli.name, "--json"
        )
        end = ended(said, "passed", 0)
        assert IMPLEMENTER not in "".join(seen.said for seen in server.asked)
        calls = [seen.turn.name for seen in server.asked if isinstance(seen.turn, ToolCall)]
    untouched(stage, before)
    return f"passed; the reviewer called {', '.join(calls)}; {end['tokens']} tokens"


SCENARIOS = (
    Scenario("three cycles to approval", three_cycles, may_pass=True),
    Scenario("review of a real diff", findings_of_a_diff),
    Scenario("approval of the user's own change", approval_of_a_diff, may_pass=True),
)
