"""What each tool for host agents takes: strict and capped. Nothing here can name a program to run."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from burnish.tools.inputs import Input

MOST_LISTED = 200
Path = Annotated[str, Field(min_length=1, max_length=4096)]
Ref = Annotated[str, Field(min_length=1, max_length=1000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
AgentName = Annotated[str, Field(pattern=r"^[a-z]{1,40}(:[A-Za-z0-9._/@-]{1,100})?$")]
Words = Annotated[str, Field(min_length=1, max_length=200_000)]
RunId = Annotated[str, Field(pattern=r"^(r-)?[a-z0-9]{1,40}$", description="Such as r-a1b2.")]
Dimensions = Literal[
    "security", "architecture", "quality", "action-items", "performance", "maintainability", "best-practices"
]


class Asked(Input):
    repository: Annotated[
        Path | None, Field(description="A folder in the repository; the server's own where it is left out.")
    ] = None


class ReviewStart(Asked):
    targets: Annotated[
        list[Path] | None,
        Field(max_length=100, description="Paths and globs; what changed where it is left out."),
    ] = None
    base: Annotated[Ref | None, Field(description="Review all since this branch or commit.")] = None
    commit: Annotated[Ref | None, Field(description="Review one commit.")] = None
    staged: bool | None = None
    range: Annotated[Ref | None, Field(description="A..B: what B has that A has not.")] = None
    dimensions: Annotated[list[Dimensions] | None, Field(min_length=1, max_length=7)] = None
    agent: Annotated[
        AgentName | None, Field(description="claude, codex, ...: who is asked besides the analysers.")
    ] = None
    fix: Annotated[bool | None, Field(description="Fix what can be fixed, on a branch of its own.")] = None
    tests: Annotated[bool | None, Field(description="Whether the tests are run; they are.")] = None


class ReviewStatus(Asked):
    run: RunId


class FindingsList(Asked):
    all: Annotated[bool | None, Field(description="Also fixed and dismissed ones.")] = None
    file: Annotated[Path | None, Field(description="Only below this path.")] = None
    limit: Annotated[Annotated[int, Field(ge=1, le=MOST_LISTED)] | None, Field(description="50.")] = None


class FindingDispute(Asked):
    finding: Annotated[Name, Field(description="F12, or the id that a review showed.")]
    why: Annotated[
        str, Field(min_length=10, max_length=4000, description="The evidence that it is no defect.")
    ]


class TaskAdd(Asked):
    prompt: Annotated[Words, Field(description="What is to be done.")]
    type: Literal["task", "explore", "plan", "implement", "review", "improve"] | None = None
    autoReview: bool | None = None  # noqa: N815
    maxReviewCycles: Annotated[int, Field(ge=1, le=100)] | None = None  # noqa: N815
    dependsOn: Annotated[  # noqa: N815
        list[Annotated[int, Field(ge=1, le=999_999_999)]] | None, Field(max_length=100)
    ] = None
    group: Name | None = None


class TaskStatus(Asked):
    task: Annotated[Name | None, Field(description="Its number; all of them where it is left out.")] = None
    limit: Annotated[Annotated[int, Field(ge=1, le=MOST_LISTED)] | None, Field(description="50.")] = None


class Answer(Asked):
    run: Annotated[
        Name, Field(description="The run, task or loop that asks, as task_status or status shows it.")
    ]
    text: Annotated[
        str, Field(min_length=1, max_length=20_000, description="What the person whom you ask has decided.")
    ]


class ReceiptGet(Asked):
    run: RunId
