"""Verdicts by tool: the real CLIs call `set_loop_review_result` through the bridge, sandboxed and not."""

from __future__ import annotations

import json
import re

from tests.model_server import Read, Say, Scene, Use

from e2e._stage import Stage
from e2e._story import FIXER, TASK, commits_once, ended, implements, not_passed, untouched, writes
from e2e.scenario import Scenario

TOOL = "set_loop_review_result"
REVIEW = f"Call the tool `{TOOL}`"
LOOP = {"loopId": r'\\?"loopId\\?": \\?"(r-[a-z0-9]+)'}
DONE = Say("REVIEW_COMPLETE")
ISSUE = {
    "file": "calc.py",
    "line": 9,
    "type": "spec-intent-mismatch",
    "description": "subtract is untested",
    "suggestion": "test it",
}


def uses(passed: bool, **more: object) -> Use:
    return Use("burnish", TOOL, {"passed": passed, "interpretedIntent": "subtract", **more}, LOOP)


def _passes(stage: Stage, sandbox: str) -> str:
    before = stage.repo.fingerprint()
    with stage.script(implements(), Scene([uses(True), DONE], when=REVIEW)) as server:
        said = stage.run(TASK, "--profile", "loops", "--sandbox", sandbox)
        end = ended(said, "passed", 0)
        assert "recorded: this is the result of your review" in server.asked[-1].said, (
            "the call was not answered"
        )
    commits_once(stage, end["branch"], 1)
    untouched(stage, before)
    return f"passed by its call, {said.events[-2]['kind'].replace('_', ' ')} before the end"


def in_our_sandbox(stage: Stage) -> str:
    return _passes(stage, "require")


def without_our_sandbox(stage: Stage) -> str:
    return _passes(stage, "off")


def asked_again(stage: Stage) -> str:
    """It says that it is done and never called: once more, with the exact ids."""
    silent, heard = (
        Scene([DONE], when=REVIEW),
        Scene([uses(True), DONE], when=f"no valid result came by {TOOL}"),
    )
    with stage.script(implements(), heard, silent) as server:
        end = ended(stage.run(TASK, "--profile", "loops"), "passed", 0)
        assert not server.script.left, f"scenes {server.script.left} were not asked for"
        again = next(seen for seen in server.asked if "no valid result came by" in seen.said)
        assert f"report it with loopId '{end['run']}', exactly" in again.said, "the id was not named"
    return "asked again with the exact loopId, then passed"


def of_another_loop(stage: Stage) -> str:
    """A call for another loop is refused in words that let it be put right; two verdicts that differ never pass."""
    other = Use("burnish", TOOL, {"loopId": "r-other", "passed": True})
    with stage.script(
        implements(),
        Scene([other, uses(False, issues=[ISSUE]), uses(True), DONE], when=REVIEW),
        writes("    return a - b", "    return a - b  # tested", FIXER),
        Scene([uses(False, issues=[ISSUE]), DONE], when=REVIEW, plays=0),
    ) as server:
        said = stage.run(TASK, "--profile", "loops", "--fixes", "1")
        not_passed(said)
        heard = "\n".join(seen.said for seen in server.asked)
        assert f"here only '{said.events[-1]['run']}' is valid" in heard, "the valid id was not named"
        assert "both are kept, and do not agree" in heard, "the second verdict was not kept beside the first"
        assert "subtract is untested" in heard, "the fixer was not told the issue"
    return "refused with the valid id; the two verdicts did not pass"


def beside_planted_files(stage: Stage) -> str:
    """With tools Claude is not in its safe mode: what a repository brings along must not reach it all the same."""
    hooked = stage.folder / "HOOKED"
    hook = json.dumps(
        {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": f"touch {hooked}"}]}]}}
    )
    about = "---\nname: planted\ndescription: PLANTED\n---\nPLANTED\n"
    servers = json.dumps({"mcpServers": {"planted": {"command": "touch", "args": [str(hooked)]}}})
    files = {
        **dict.fromkeys((".claude/settings.json", ".claude/settings.local.json"), hook),
        **dict.fromkeys(
            (".claude/skills/planted/SKILL.md", ".agents/skills/planted/SKILL.md", ".claude/agents/planted.md",
             ".claude/commands/planted.md", ".claude/output-styles/planted.md"), about,
        ),
        **dict.fromkeys(("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/x.md"), "PLANTED\n"),
        # Burnish itself quotes this one, once and as data; nobody else may add it.
        "AGENTS.md": "QUOTED\n",
        ".mcp.json": servers,
        ".codex/config.toml": f'[mcp_servers.planted]\ncommand = "touch"\nargs = ["{hooked}"]\n',
    }  # fmt: skip
    stage.repo.commit("what a repository can bring along", files)
    with stage.script(implements(), Scene([Read("calc.py"), uses(True), DONE], when=REVIEW)) as server:
        ended(stage.run(TASK, "--profile", "loops", "--sandbox", "off"), "passed", 0)
        reviews = [seen for seen in server.asked if re.search(REVIEW, seen.said)]
        assert reviews, "nobody was asked to review"
        assert not [seen for seen in reviews if "PLANTED" in json.dumps(seen.body)], (
            "a planted text reached the model"
        )
        quoted = {json.dumps(seen.body).count("QUOTED") for seen in reviews}
        assert quoted <= {0, 1}, f"AGENTS.md is there {max(quoted)} times"
    assert not hooked.exists(), "a planted hook or server was started"
    return f"{len(files)} planted files, none of them reached it"


SCENARIOS = (
    Scenario("verdict by tool, in our sandbox", in_our_sandbox, may_pass=True),
    Scenario("verdict by tool, without our sandbox", without_our_sandbox, may_pass=True),
    Scenario("verdict by tool, missing once", asked_again, may_pass=True),
    Scenario("verdict by tool, beside planted files", beside_planted_files, may_pass=True),
    Scenario("verdict by tool, for another loop and twice", of_another_loop),
)
