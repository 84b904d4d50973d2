"""What each tool of a step takes: strict, capped, and spelled as seed 003 spells it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from burnish.contracts._fields import kind
from burnish.contracts.loop_result import ISSUE_TYPES

MOST_TEXT = 20_000
MOST_ISSUES = 200
MOST_IDS = 200
MOST_PROBLEMS = 20
# What a loop can be told to be; `needs_revision` is what a failed review makes of it.
LoopStatus = Literal["pending", "running", "needs_revision", "stuck", "completed", "failed", "interrupted"]
IssueType = Literal[
    "over-engineering", "missing-error-handling", "pattern-violation", "dead-code", "spec-intent-mismatch"
]
# A literal cannot be made of a tuple; the two lists must stay one.
assert get_args(IssueType) == ISSUE_TYPES

Id = Annotated[str, Field(min_length=1, max_length=200)]
NewId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Text = Annotated[str, Field(max_length=MOST_TEXT)]
Said = Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Line = Annotated[float, Field(ge=0, le=1_000_000_000)]


class Input(BaseModel):
    """Nothing is converted and nothing unknown is taken; null counts as left out."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class Issue(Input):
    description: Annotated[Said, Field(description="What is wrong.")]
    file: Text | None = None
    line: Line | None = None
    type: IssueType | None = None
    suggestion: Text | None = None


class TaskIssue(Input):
    file: Text
    type: IssueType
    description: Annotated[Said, Field(description="What is wrong.")]
    suggestion: Text
    line: Line | None = None
    taskId: Annotated[Id | None, Field(description="The task it is about.")] = None  # noqa: N815


class LoopReviewResult(Input):
    loopId: Annotated[Id, Field(description="The loop under review.")]  # noqa: N815
    passed: Annotated[bool, Field(description="True only when nothing must be changed.")]
    taskId: Annotated[  # noqa: N815
        Id | None, Field(description="The task under review; leave it out in a checkpoint review.")
    ] = None
    interpretedIntent: Annotated[  # noqa: N815
        Text | None, Field(description="What the task was really trying to accomplish.")
    ] = None
    intentSatisfied: bool | None = None  # noqa: N815
    issues: Annotated[list[Issue] | None, Field(max_length=MOST_ISSUES)] = None


class ReviewResult(Input):
    passed: Annotated[bool, Field(description="True only when nothing must be changed.")]
    interpretedIntent: Annotated[Text, Field(description="What the user really wants.")]  # noqa: N815
    intentSatisfied: bool  # noqa: N815
    issues: Annotated[list[TaskIssue] | None, Field(max_length=MOST_ISSUES)] = None


class NewTask(Input):
    id: Annotated[NewId, Field(description="Short, such as task-1; the same id again replaces the task.")]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    description: Text | None = None
    dependencies: Annotated[
        list[Id] | None, Field(max_length=MOST_IDS, description="Ids of other tasks.")
    ] = None
    estimatedIterations: Annotated[  # noqa: N815
        Annotated[int, Field(ge=1, le=1000)] | None, Field(description="10 where it is left out.")
    ] = None


class NewGroup(Input):
    groupIndex: Annotated[Count, Field(description="0 goes first; the same index again replaces.")]  # noqa: N815
    taskIds: Annotated[list[Id], Field(min_length=1, max_length=MOST_IDS)]  # noqa: N815


class TaskDone(Input):
    taskId: Id  # noqa: N815


class TaskFailed(Input):
    taskId: Id  # noqa: N815
    reason: Annotated[Said, Field(description="Why it cannot be done.")]


class LoopNews(Input):
    loopId: Id  # noqa: N815
    status: LoopStatus
    lastError: Text | None = None  # noqa: N815


class Cost(Input):
    costUsd: Annotated[float, Field(ge=0, le=1_000_000)]  # noqa: N815
    loopId: Id | None = None  # noqa: N815


class Context(Input):
    content: Annotated[Said, Field(description="What whoever works next must know.")]


class Question(Input):
    question: Annotated[Said, Field(description="One question that only a person can answer.")]
    options: Annotated[list[Said] | None, Field(max_length=20)] = None


def read(model: type[Input], arguments: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The arguments without what is null, and everything that is wrong with them."""
    try:
        found = model.model_validate(arguments)
    except ValidationError as error:
        known = ", ".join(model.model_fields)
        return {}, tuple(_told(one, known) for one in error.errors(include_url=False)[:MOST_PROBLEMS])
    return found.model_dump(exclude_none=True), ()


def schema(model: type[Input]) -> dict[str, Any]:
    """As JSON Schema in one piece: not every client follows references."""
    made = model.model_json_schema()
    kinds = made.pop("$defs", {})
    plain: dict[str, Any] = _flat(made, kinds)
    return plain


def _flat(part: Any, kinds: dict[str, Any]) -> Any:
    """References put in place, titles and defaults left out, `or null` not said: it is the same as absent."""
    if isinstance(part, list):
        return [_flat(one, kinds) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _flat(kinds[part["$ref"].rpartition("/")[2]], kinds)
    if "anyOf" in part:
        [kept] = [one for one in part["anyOf"] if one.get("type") != "null"]
        part = {**kept, **{name: value for name, value in part.items() if name != "anyOf"}}
    return {
        name: {key: _flat(value, kinds) for key, value in inner.items()}
        if name == "properties"
        else _flat(inner, kinds)
        for name, inner in part.items()
        if name not in ("title", "default")
    }


def _told(error: Any, known: str) -> str:
    where = ".".join(str(part) for part in error["loc"]) or "the arguments"
    if error["type"] == "missing":
        return f"{where!r} is missing"
    if error["type"] == "extra_forbidden":
        return f"{where!r} is not known (known are {known})"
    if error["type"] == "model_type":
        return f"{where!r} must be an object, found {kind(error['input'])}"
    return f"{where!r}: {error['msg'][:1].lower()}{error['msg'][1:]}, found {kind(error['input'])}"
