"""All tools that agents can be given, each with its input and what of it names something that exists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from burnish.contracts.loop_result import LoopResult
from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.tools import inputs

LOOP, TASK = "loop", "task"


@dataclass(frozen=True)
class Tool:
    """`names` are arguments that name a loop or a task, by kind; `key` is what tells two calls apart.

    A call with the key of an earlier one replaces it. A `final` one is never replaced: another one is kept
    beside it. Tools with one word in `decides` decide the same thing between them.
    """

    name: str
    about: str
    input: type[inputs.Input]
    answer: str
    names: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    final: bool = False
    decides: str = ""
    judge: Callable[[dict[str, Any]], tuple[str, ...]] | None = None

    def schema(self) -> dict[str, Any]:
        return inputs.schema(self.input)


def _contradicts(arguments: dict[str, Any]) -> tuple[str, ...]:
    """What the contract that reads the result later would refuse: better told while the agent still works."""
    try:
        LoopResult().parse(Reply("", structured={"loopId": "-", **arguments}))
    except ContractViolation as violation:
        return violation.problems
    return ()


_ALL = (
    Tool(
        "set_loop_review_result", "Report review results for a specific loop", inputs.LoopReviewResult,
        "recorded: this is the result of your review, it cannot be changed",
        {"loopId": LOOP, "taskId": TASK}, final=True, decides="review", judge=_contradicts,
    ),
    Tool(
        "set_review_result", "Report review results for all tasks, or for the plan", inputs.ReviewResult,
        "recorded: this is the result of your review, it cannot be changed",
        {"issues.taskId": TASK}, final=True, decides="review", judge=_contradicts,
    ),
    Tool(
        "write_task", "Write down one task of the build", inputs.NewTask, "recorded", key="id",
    ),
    Tool(
        "add_plan_group", "Put tasks into a group that is worked on at the same time", inputs.NewGroup,
        "recorded", {"taskIds": TASK}, key="groupIndex",
    ),
    Tool(
        "complete_task", "Say that your task is complete", inputs.TaskDone,
        "recorded: the task is complete, it will be reviewed", {"taskId": TASK}, final=True, decides="task",
    ),
    Tool(
        "fail_task", "Say that your task cannot be done, and why", inputs.TaskFailed,
        "recorded: the task failed", {"taskId": TASK}, final=True, decides="task",
    ),
    Tool("update_loop_status", "Say how your loop stands", inputs.LoopNews, "recorded", {"loopId": LOOP}),
    Tool("record_cost", "Record a cost in US dollars", inputs.Cost, "recorded", {"loopId": LOOP}),
    Tool("add_context", "Leave a note for whoever works on this next", inputs.Context, "recorded"),
    Tool(
        "ask_person", "Ask a person something that only a person can decide", inputs.Question,
        "recorded: a person will be asked; end your turn now, you will go on with the answer", key="question",
    ),
)  # fmt: skip
TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in _ALL}
