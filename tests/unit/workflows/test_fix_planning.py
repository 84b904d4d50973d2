"""Batches and plans: every finding once, nobody in another's file, and planners that fail."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnish.contracts._schema import problems
from burnish.errors import AgentFailed, AgentTimedOut, BurnishError, ContractViolation, UsageError
from burnish.model.agent import Reply, Request, Usage
from burnish.model.fixing import Batch, FixGroup, FixStage, PartialPlan, StageMode
from burnish.model.review import Finding
from burnish.workflows.batching import check_ids, make_batches
from burnish.workflows.embedded_plan import plan_from_code
from burnish.workflows.plan_answer import read_plan
from burnish.workflows.plan_joining import join_plans
from burnish.workflows.planning import plan_fixes
from burnish.workflows.side_by_side import side_by_side
from tests.loops import FunctionAgent
from tests.repairs import FunctionFixer, Shop, WatchedAgent, changes_line

FINDINGS = st.lists(
    st.builds(
        Finding,
        st.just("t"),
        file=st.sampled_from(["", "a.py", "b.py", "c/d.py"]),
        dimension=st.sampled_from(["", "security", "quality"]),
        line=st.one_of(st.none(), st.integers(1, 50)),
        fixable=st.booleans(),
    ),
    max_size=30,
).map(lambda found: tuple(replace(one, id=f"f-{at}") for at, one in enumerate(found)))


@pytest.mark.conformance("C-46")
def test_batches_are_by_file_and_dimension_in_first_seen_order_and_no_larger_than_asked() -> None:
    found = [("a", "x"), ("b", "x"), ("a", "x"), ("a", "y"), ("a", "x"), ("", "")]
    findings = [
        Finding("t", file=file, dimension=about, id=str(at)) for at, (file, about) in enumerate(found)
    ]
    batches = make_batches(findings, 2)
    assert [(b.number, b.file, b.dimension, [f.id for f in b.findings]) for b in batches] == [
        (1, "a", "x", ["0", "2"]),
        (2, "a", "x", ["4"]),
        (3, "b", "x", ["1"]),
        (4, "a", "y", ["3"]),
        (5, "unknown", "general", ["5"]),
    ]


@given(FINDINGS, st.integers(1, 7))
def test_every_finding_is_in_exactly_one_batch_of_its_own_kind(
    findings: tuple[Finding, ...], size: int
) -> None:
    batches = make_batches(findings, size)
    assert sorted(f.id for b in batches for f in b.findings) == sorted(f.id for f in findings)
    assert [b.number for b in batches] == list(range(1, len(batches) + 1))
    for batch in batches:
        assert 1 <= len(batch.findings) <= size
        assert {(f.file or "unknown", f.dimension or "general") for f in batch.findings} == {
            (batch.file, batch.dimension)
        }


def test_the_usual_batch_holds_five() -> None:
    batches = make_batches(Finding("t", file="a", id=str(at)) for at in range(11))
    assert [len(batch.findings) for batch in batches] == [5, 5, 1]


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        (["a", "a"], "found 'a' twice"),
        (["a", ""], "found ''"),
        (["../x"], "found '../x'"),
        (["a\nb"], "found"),
    ],
)
@pytest.mark.conformance("C-83")
def test_findings_that_cannot_be_told_apart_are_refused_before_anything_happens(
    tmp_path: Path, ids: list[str], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        check_ids([Finding("t", id=name) for name in ids])
    shop = Shop(tmp_path, {"a.py": "BAD\n"})
    shop.task = replace(shop.task, findings=tuple(Finding("t", id=name) for name in ids))
    with pytest.raises(UsageError):
        shop.run()
    assert shop.run_as.events == []


def test_a_batch_size_of_nothing_is_refused() -> None:
    with pytest.raises(UsageError, match="batch size of 1 or more, found 0"):
        make_batches([], 0)


def test_the_planner_without_a_model_repairs_from_the_end_of_the_file_up() -> None:
    findings = tuple(Finding("t", file="a", line=at, id=f"f{at}") for at in (3, 9, 1))
    [group] = plan_from_code(Batch(1, findings, "a", "x")).groups
    assert (group.findings, group.files) == (("f9", "f3", "f1"), ("a",))


@given(FINDINGS, st.integers(1, 12))
def test_one_plan_of_all_batches_has_every_finding_once_and_no_file_twice_in_a_stage(
    findings: tuple[Finding, ...], size: int
) -> None:
    plan = join_plans(plan_from_code(batch) for batch in make_batches(findings, size))
    _holds(plan_groups=plan.groups, stages=plan.stages, findings={f.id for f in findings})


@st.composite
def _partials(draw: st.DrawFn) -> list[PartialPlan]:
    """Plans as agents make them: any files in any group, several stages, parallel or serial."""
    made, number = [], 0
    for batch in range(1, draw(st.integers(1, 5)) + 1):
        groups = []
        for at in range(1, draw(st.integers(1, 4)) + 1):
            number += 1
            files = draw(st.lists(st.sampled_from("abcd"), unique=True, max_size=3))
            groups.append(FixGroup(f"G{at}", "", (f"f-{number}",), tuple(files)))
        cut = draw(st.integers(0, len(groups)))
        parts = [part for part in (groups[:cut], groups[cut:]) if part]
        mode = draw(st.sampled_from(StageMode))
        stages = [FixStage(n, tuple(g.id for g in part), mode) for n, part in enumerate(parts, 1)]
        failed = draw(st.sampled_from(["", "", "no"]))
        made.append(PartialPlan(batch, tuple(groups), tuple(stages), failed=failed))
    return made


@given(_partials())
@pytest.mark.conformance("C-50")
def test_plans_of_agents_are_joined_without_losing_a_group_or_the_order_they_asked_for(
    partials: list[PartialPlan],
) -> None:
    plan = join_plans(reversed(partials))
    wanted = [group for partial in partials if not partial.failed for group in partial.groups]
    assert [group.findings for group in plan.groups] == [group.findings for group in wanted]
    assert list(plan.failed_batches) == [partial.batch for partial in partials if partial.failed]
    _holds(plan.groups, plan.stages, {name for group in wanted for name in group.findings})
    level = {name: stage.number for stage in plan.stages for name in stage.groups}
    at = {group.findings: level[group.id] for group in plan.groups}
    for partial in partials:
        local = {group.id: group for group in partial.groups}
        stages = (
            []
            if partial.failed
            else [[at[local[name].findings] for name in s.groups] for s in partial.stages]
        )
        for earlier, later in pairwise(stages):
            assert max(earlier) < min(later)
        for stage, levels in zip(partial.stages, stages, strict=False):
            assert stage.mode is StageMode.PARALLEL or levels == sorted(set(levels))


def _holds(plan_groups: tuple[FixGroup, ...], stages: tuple[FixStage, ...], findings: set[str]) -> None:
    known = {group.id: group for group in plan_groups}
    assert list(known) == [f"G{at}" for at in range(1, len(plan_groups) + 1)]
    assert Counter(name for group in plan_groups for name in group.findings) == Counter(findings)
    assert Counter(name for stage in stages for name in stage.groups) == Counter(list(known))
    assert [stage.number for stage in stages] == list(range(1, len(stages) + 1))
    for stage in stages:
        files = [file for name in stage.groups for file in known[name].files]
        assert len(files) == len(set(files))
        assert all(earlier < stage.number for earlier in stage.depends_on)


def test_groups_of_different_files_share_a_stage() -> None:
    findings = [
        Finding("t", file=file, dimension=about, id=f"{file}-{about}") for file in "abc" for about in "xy"
    ]
    plan = join_plans(plan_from_code(batch) for batch in make_batches(findings))
    assert [stage.groups for stage in plan.stages] == [("G1", "G3", "G5"), ("G2", "G4", "G6")]


# ---- planners that are agents


def _plan(*groups: tuple[str, ...], **more: object) -> str:
    made = [{"group_id": f"G{at}", "group_name": "n", "findings": ids} for at, ids in enumerate(groups, 1)]
    stages = [{"stage": 1, "groups": [group["group_id"] for group in made]}]
    return "Here it is.\n" + json.dumps({"groups": made, "timeline": stages, **more})


BATCH = Batch(1, (Finding("t", file="a.py", id="f1"), Finding("t", file="b.py", id="f2")), "a.py", "x")


def test_a_plan_is_read_with_its_strategy_risk_and_timeline() -> None:
    answer = {
        "groups": [{
            "group_id": "G7", "group_name": "both", "findings": ["f2", "f1"],
            "fix_strategy": {"approach": "do it", "rationale": "why", "complexity": "high",
                "estimated_duration_minutes": 9, "test_pattern": "t*", "rollback_plan": "back"},
            "risk_assessment": {"level": "critical", "concerns": ["c"], "mitigation": "m"}, "extra": 1,
        }],
        "timeline": [{"stage_id": 1, "groups": ["G7"], "execution_mode": "serial", "depends_on": [], "rationale": "r"}],
    }  # fmt: skip
    plan = read_plan(Reply("x", structured=answer), BATCH)
    assert plan.groups == (
        FixGroup("G7", "both", ("f2", "f1"), ("b.py", "a.py"), "do it", "why", plan.groups[0].complexity, 9, "t*",
                 "back", plan.groups[0].risk, ("c",), "m"),
    )  # fmt: skip
    assert (plan.groups[0].complexity, plan.groups[0].risk) == ("high", "critical")
    assert plan.stages == (FixStage(1, ("G7",), StageMode.SERIAL, (), "r"),)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("I would fix it.", "no plan object"),
        ('{"groups": [', "no plan object"),
        ('{"groups": []}', "groups: List should have at least 1"),
        (_plan(("f1",)), "'f2' is in no group"),
        (_plan(("f1", "f2"), ("f2",)), "'f2' is planned twice"),
        (_plan(("f1", "f2", "f3")), "'f3' is none of these findings"),
        (_plan(("f1", "f2"), timeline=[{"stage": 1, "groups": ["G9"]}]), "exactly one stage"),
        (
            _plan(("f1",), ("f2",), timeline=[{"stage": 1, "groups": ["G1"], "depends_on": [2]},
                                              {"stage": 2, "groups": ["G2"]}]),
            "depend on earlier ones",
        ),
        (
            '{"groups": [{"group_id": "G1", "findings": ["f1"]}, {"group_id": "G1", "findings": ["f2"]}]}',
            "the same group_id",
        ),
        ('{"groups": [{"group_id": "G1", "findings": ["f1", 2]}]}', r"groups.0.findings.1"),
    ],
)  # fmt: skip
def test_a_plan_that_loses_invents_or_doubles_anything_is_refused_in_words(answer: str, words: str) -> None:
    with pytest.raises(ContractViolation, match=words):
        read_plan(Reply(answer), BATCH)


@given(
    st.text()
    | st.recursive(
        st.none() | st.text() | st.integers(),
        lambda s: st.dictionaries(
            st.sampled_from(["groups", "timeline", "findings", "group_id", "stage"]), s | st.lists(s)
        ),
    ).map(json.dumps)
)
@settings(max_examples=40)
def test_whatever_a_planner_says_is_a_plan_or_a_violation(text: str) -> None:
    with suppress(ContractViolation):
        read_plan(Reply(text), BATCH)


def _answers(request: Request) -> str:
    """A planner that does it right: one group with all findings of the prompt."""
    ids = [line.split("`")[1] for line in request.prompt.splitlines() if line.startswith("- id: ")]
    return _plan(tuple(ids))


FILES = {"a.py": "BAD\nBAD\n", "b.py": "UGLY\n"}


def _shop(folder: Path, *planners: FunctionAgent, degrade: bool = True) -> Shop:
    shop = Shop(folder, FILES, (FunctionFixer(changes_line("good")),))
    shop.crew = replace(shop.crew, planners=planners, degrade=degrade)
    return shop


@pytest.mark.conformance("C-50")
def test_each_batch_has_a_partial_plan_of_its_own_and_all_of_them_become_one(tmp_path: Path) -> None:
    agent = FunctionAgent(lambda request: Reply(_answers(request), usage=Usage(10, 5)), "planner")
    shop = _shop(tmp_path, agent)
    outcome = shop.run()
    partials = [shop.run_as.results[f"fix/plan/1/batch-{n}/1"] for n in (1, 2)]
    assert [(p.batch, p.agent, p.degraded, p.usage.tokens, p.groups[0].id) for p in partials] == [
        (1, "planner", False, 15, "G1"), (2, "planner", False, 15, "G1"),
    ]  # fmt: skip
    assert outcome.plan == shop.run_as.results["fix/plan/1/all/1"]
    assert [group.id for group in outcome.plan.groups] == ["G1", "G2"]
    assert outcome.complete


def test_a_planner_is_held_to_the_form_and_what_it_was_denied_is_told(tmp_path: Path) -> None:
    """What an agent with a native schema answers fits the schema, and is read from there."""

    def answer(request: Request) -> Reply:
        plan = json.loads(_answers(request).partition("\n")[2])
        for group in plan["groups"]:
            group |= {"group_name": "g", "fix_strategy": STRATEGY, "risk_assessment": RISKS}
        plan["timeline"] = [
            {
                "stage": 1,
                "groups": ["G1"],
                "execution_mode": "parallel",
                "depends_on": [],
                "rationale": "",
            }
        ]
        assert request.schema is not None
        assert problems(plan, request.schema) == ()
        return Reply("see above", structured=plan, denied=("Bash(rm -rf .)",))

    shop = _shop(tmp_path, FunctionAgent(answer, "planner"))
    assert shop.run().complete
    assert shop.run_as.results["fix/plan/1/batch-1/1"].groups[0].minutes == 7
    assert "fix was not allowed: Bash(rm -rf .)" in shop.notes


STRATEGY = {
    "approach": "a",
    "rationale": "",
    "complexity": "low",
    "estimated_duration_minutes": 7,
    "test_pattern": "",
    "rollback_plan": "",
}
RISKS = {"level": "low", "concerns": [], "mitigation": ""}


@pytest.mark.conformance("C-47", "C-49")
def test_at_most_ten_planners_work_at_once_and_each_is_closed(tmp_path: Path) -> None:
    agent = WatchedAgent(_answers)
    shop = Shop(tmp_path, {f"{n}.py": "BAD\n" for n in range(25)})
    shop.crew = replace(shop.crew, planners=(agent,))
    batches = make_batches(shop.findings)
    asyncio.run(plan_fixes(shop.run_as, shop.crew, shop.task, batches))
    assert agent.most == 10
    assert agent.lives == [["spawn", "wait 1800", "close"]] * 25


@pytest.mark.conformance("C-85")
def test_a_planner_that_runs_out_of_time_loses_its_batch_and_the_others_go_on(tmp_path: Path) -> None:
    def answer(request: Request) -> str:
        if "a.py" in request.prompt:
            raise AgentTimedOut("planner did not finish within 1800 s")
        return _answers(request)

    shop = _shop(tmp_path, FunctionAgent(answer), FunctionAgent(_answers, "second"))
    outcome = shop.run()
    assert outcome.plan.failed_batches == (1,)
    assert (outcome.fixed, outcome.failed, outcome.complete) == (1, 2, False)
    assert [fix.error for fix in outcome.unplanned] == ["its batch could not be planned"] * 2
    assert "batch 1 has no plan: planner did not finish within 1800 s" in shop.notes


@pytest.mark.conformance("C-86")
def test_when_no_batch_can_be_planned_the_session_ends_with_nothing_changed(tmp_path: Path) -> None:
    def late(request: Request) -> str:
        raise AgentTimedOut("too late")

    shop = _shop(tmp_path, FunctionAgent(late))
    with pytest.raises(BurnishError, match=r"none of the 2 batch.* could be planned: too late"):
        shop.run()
    assert shop.workspaces.messages == {}


@pytest.mark.conformance("C-90")
def test_planners_stand_in_for_each_other_and_at_last_the_plan_is_made_from_code(tmp_path: Path) -> None:
    def limited(request: Request) -> str:
        raise AgentFailed("HTTP 429")

    garbage = FunctionAgent(lambda request: "not JSON", "garbage")
    shop = _shop(tmp_path, FunctionAgent(limited, "limited"), garbage)
    outcome = shop.run()
    assert outcome.plan.degraded_batches == (1, 2)
    assert "batch 1 is planned from code: no plan object with 'groups' found" in shop.notes
    assert len(garbage.requests) == 4
    assert outcome.fixed == 3
    third = _shop(tmp_path / "third", FunctionAgent(limited), garbage, FunctionAgent(_answers, "third"))
    assert third.run().plan.degraded_batches == ()
    assert third.run_as.results["fix/plan/1/batch-1/1"].agent == "third"


def test_a_planner_whose_words_do_not_fit_is_told_so_and_asked_once_more(tmp_path: Path) -> None:
    agent = FunctionAgent(
        lambda request: _answers(request) if "could not be used" in request.prompt else _plan(("nobody",))
    )
    shop = _shop(tmp_path, agent)
    outcome = shop.run()
    assert outcome.plan.degraded_batches == ()
    assert "'nobody' is none of these findings" in agent.requests[-1].prompt


def test_without_degraded_mode_a_batch_nobody_can_plan_has_failed(tmp_path: Path) -> None:
    shop = _shop(tmp_path, FunctionAgent(lambda request: "no"), degrade=False)
    with pytest.raises(BurnishError, match="no plan object"):
        shop.run()


@pytest.mark.conformance("C-84")
def test_an_empty_batch_is_said_and_skipped(tmp_path: Path) -> None:
    shop = Shop(tmp_path, FILES)
    batches = (Batch(1, (), "a.py", "x"), *make_batches(shop.findings))
    plan = asyncio.run(plan_fixes(shop.run_as, shop.crew, shop.task, batches))
    assert len(plan.groups) == 2
    assert shop.notes == ["batch 1 is empty: skipped"]


def test_what_one_of_several_raises_is_raised_as_it_is_and_the_rest_is_ended() -> None:
    ended = []

    async def slow() -> int:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)
        return 1

    async def fails() -> int:
        await asyncio.sleep(0.01)
        raise BurnishError("no")

    with pytest.raises(BurnishError, match="no"):
        asyncio.run(side_by_side(3, [slow, fails, slow]))
    assert ended == [True, True]
