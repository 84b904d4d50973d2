"""Every setting there is: its type, its default and what it means."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from burnish.config.model_price import ModelPrice
from burnish.config.sandbox_settings import Sandboxing
from burnish.config.search_settings import Searching
from burnish.config.section import Section as Section
from burnish.config.slot_settings import Slots
from burnish.config.taint_settings import Taint, plain_entries
from burnish.model.agent_session import FixerSession
from burnish.model.landing import Land
from burnish.model.review import Severity


class Agents(Section):
    implementer: str | None = Field(default=None, min_length=1)
    """Command of the agent that implements a task; `none` to review what is there."""
    reviewer: str | None = Field(default=None, min_length=1)
    """Command of the agent that reviews."""
    fixer: str | None = Field(default=None, min_length=1)
    """Command of the agent that fixes; unset: the implementer."""
    agent: str | None = Field(default=None, min_length=1)
    """Agent for each role that none is named for; unset: the best that is installed and logged in."""
    fallback: tuple[str, ...] = Field(default=(), strict=False, examples=["codex"])
    """Agents asked in this order when one gives no answer; `embedded`, as the last, stands in."""
    model: str | None = Field(default=None, min_length=1)
    """Model of every role that has none of its own, or the tier `strong` or `fast`."""
    fixer_session: FixerSession = Field(default=FixerSession.FRESH, strict=False)
    """`resume`: a fixer goes on with the session of the step before it; a reviewer is always fresh."""


class Limits(Section):
    cycles: int | None = Field(default=None, ge=1)
    """How many reviews a run may take; unset: the profile's own limit."""
    fixes: int | None = Field(default=None, ge=0)
    """How many fixes a run may take; instead of `cycles`."""
    patience: int | None = Field(default=None, ge=1)
    """Stop when this many fixes leave the same findings; unset: never for that reason."""
    stop_on_no_progress: bool = False
    """Stop when a fix leaves a tree that was reviewed before: the same as `no_progress = 1`."""
    no_progress: int | None = Field(default=None, ge=1)
    """Stop when this many fixes in a row leave trees reviewed before; unset: never for that reason."""
    stop_on_returning: bool = False
    """Stop when a finding comes back that had gone in between."""
    ratchet: str | None = Field(
        default=None, pattern="^(critical|high|medium|low)@[1-9][0-9]{0,5}$", examples=["high@3"]
    )
    """`high@3`: from review 3 on, stop when all that is left is below high; unset: never for that reason."""
    stop_on_untouched_code: bool = False
    """From review 2 on, stop when all findings are about lines that the change did not touch."""


class Budget(Section):
    """Once one of these is known to be used up, nothing new is started."""

    run_cost_usd: float | None = Field(default=None, gt=0)
    """US dollars one run may cost; unset: no limit. Also known as `limits.budget_usd`."""
    run_tokens: int | None = Field(default=None, ge=1)
    """Tokens one run may use, in and out together; unset: no limit."""
    run_minutes: float | None = Field(default=None, gt=0)
    """Minutes that agents may work in one run; unset: no limit."""
    task_cost_usd: float | None = Field(default=None, gt=0)
    """US dollars all runs of one task may cost together; unset: no limit."""
    task_tokens: int | None = Field(default=None, ge=1)
    """Tokens all runs of one task may use together; unset: no limit."""
    task_minutes: float | None = Field(default=None, gt=0)
    """Minutes that agents may work in all runs of one task together; unset: no limit."""
    day_cost_usd: float | None = Field(default=None, gt=0)
    """US dollars everything in this repository may cost in 24 hours; unset: no limit."""
    day_tokens: int | None = Field(default=None, ge=1)
    """Tokens everything in this repository may use in 24 hours; unset: no limit."""
    day_minutes: float | None = Field(default=None, gt=0)
    """Minutes that agents may work in 24 hours in this repository, all runs added up; unset: no limit."""


class Timeouts(Section):
    implement_s: float = Field(default=3600.0, gt=0)
    """Seconds an implementer may take."""
    review_s: float = Field(default=600.0, gt=0)
    """Seconds a reviewer may take, each time."""
    fix_s: float = Field(default=1800.0, gt=0)
    """Seconds a fixer may take, each time."""
    gate_s: float = Field(default=900.0, gt=0)
    """Seconds the gate may take, each time."""
    stall_s: float | None = Field(default=None, gt=0)
    """Seconds an agent may be silent; unset: as long as it may take."""


class Gate(Section):
    command: str | None = Field(default=None, min_length=1)
    """Command that must not turn red, such as `pytest -q`; unset: nothing is checked, and that is said."""
    protect: tuple[str, ...] = Field(default=(), strict=False)
    """Further globs of files that judge: the gate takes them from the base, and an edit of one blocks."""
    allow_test_edits: bool = False
    """Let a change edit tests, settings and scripts that judge it; the gate then runs with both versions."""


class Landing(Section):
    how: Land = Field(default=Land.BRANCH, strict=False)
    """`branch`: bring the result as a branch; `apply`: into the checkout; `none`: keep it in our store."""
    branch_prefix: str = Field(default="burnish/", min_length=1)
    """What the name of a landed branch begins with."""
    branch_pattern: str = Field(default="burnish/{task_id}", min_length=1)
    """Branch of a task of the queue, made of {project}, {task_id}, {date}, {slug}, {type} and {number}."""


class Reviewing(Section):
    enabled: bool | None = None
    """Whether work is reviewed at all; unset: it is, where a reviewer is set."""
    fail_on: Severity = Field(default=Severity.HIGH, strict=False)
    """Lowest severity that blocks, where the verdict is drawn from findings."""
    min_confidence: float | None = Field(default=None, ge=0, le=1)
    """Findings below this confidence never block; unset: 0.5 in `burnish review`, 0 in other runs."""
    agents: tuple[str, ...] = Field(default=(), strict=False)
    """Commands of agents that `burnish review` asks in this order; unset: the embedded reviewer alone."""
    diff_cap_chars: int = Field(default=50_000, ge=1000)
    """How much of the diff goes into a prompt; the rest is named and can be read in the reviewer's copy."""


class Prompts(Section):
    implement: str | None = Field(default=None, min_length=1)
    """Template for the implementer, as a path in the repository; in `burnish slots` a text on top."""
    review: str | None = Field(default=None, min_length=1)
    """Template for the reviewer; `none`: slots are not reviewed. The contract's instructions are added."""
    fix: str | None = Field(default=None, min_length=1)
    """Template for the fixer."""
    spec_implement: str | None = Field(default=None, min_length=1)
    """Template for the implementer of a phase of a spec (profile `spec`)."""
    spec_review: str | None = Field(default=None, min_length=1)
    """Template for the reviewer of a phase of a spec."""
    spec_fix: str | None = Field(default=None, min_length=1)
    """Template for the fixer of a phase of a spec."""
    slot_implement: str | None = Field(default=None, min_length=1)
    """Template for the developer of a slot (profile `slots`)."""
    slot_review: str | None = Field(default=None, min_length=1)
    """Template for the reviewer of a slot."""
    slot_fix: str | None = Field(default=None, min_length=1)
    """Template for the fixer of a slot."""
    plan: str | None = Field(default=None, min_length=1)
    """Template for a task that makes a plan."""
    explore: str | None = Field(default=None, min_length=1)
    """Template for a task that answers a question."""
    build: str | None = Field(default=None, min_length=1)
    """Folder of templates for `burnish build` (`loop_build.md`, ...); each replaces the one of its name."""
    view: str | None = Field(default=None, min_length=1)
    """Template for the reviewer of one dimension (`burnish review`)."""
    dive: str | None = Field(default=None, min_length=1)
    """Template for a closer look at one finding."""
    plan_fixes: str | None = Field(default=None, min_length=1)
    """Template for a planner of fixes."""
    fix_finding: str | None = Field(default=None, min_length=1)
    """Template for the fixer of one finding."""
    dimensions: str | None = Field(default=None, min_length=1)
    """Folder of the repository with roles for reviewers, such as `security.md`; what it lacks is built in."""


class State(Section):
    keep_days: int = Field(default=30, ge=0)
    """Days the records of an ended run are kept."""
    disk_limit_mb: int = Field(default=5000, ge=1)
    """Most megabytes the state folder may hold before the oldest ended runs are cleaned."""


class Defaults(Section):
    auto_review: bool = False
    """Whether a task of the queue is reviewed and improved by itself until approved."""
    max_review_cycles: int = Field(default=3, ge=1)
    """How many reviews a task may take. Set, it is stronger than `limits.cycles`."""


class OfTaskType(Section):
    """What one type of task has of its own, in the words of seed 001; stronger than all that is general."""

    auto_review: bool | None = None
    """Whether tasks of this type are reviewed by themselves; unset: as in `defaults`."""
    max_review_cycles: int | None = Field(default=None, ge=1)
    """How many reviews a task of this type may take; unset: as in `defaults`."""
    model: str | None = Field(default=None, min_length=1)
    """Model that does the work: a name the agent knows, or the tier `strong` or `fast`; unset: `strong`."""
    review_model: str | None = Field(default=None, min_length=1)
    """Model that reviews; unset: `strong`."""
    improve_model: str | None = Field(default=None, min_length=1)
    """Model that fixes what a review found; unset: `fast`."""
    timeout_minutes: float | None = Field(default=None, gt=0)
    """Minutes the work may take; unset: as in `timeouts.implement_s`."""
    review_timeout_minutes: float | None = Field(default=None, gt=0)
    """Minutes each review may take; unset: as in `timeouts.review_s`."""
    improve_timeout_minutes: float | None = Field(default=None, gt=0)
    """Minutes each fix may take; unset: as in `timeouts.fix_s`."""


class TaskTypes(Section):
    task: OfTaskType = OfTaskType()
    explore: OfTaskType = OfTaskType()
    plan: OfTaskType = OfTaskType()
    implement: OfTaskType = OfTaskType()
    review: OfTaskType = OfTaskType()
    improve: OfTaskType = OfTaskType()


class Work(Section):
    jobs: int = Field(default=1, ge=1)
    """How many tasks `burnish work` runs at once."""
    agents_at_once: tuple[Annotated[str, Field(pattern=r"^[^=\s]+=[1-9][0-9]{0,5}$")], ...] = Field(
        default=(), strict=False, examples=["claude=2"]
    )
    """How many steps of one agent may run at once, by the name of its program."""
    stop_after_failures: int = Field(default=3, ge=1)
    """Stop taking tasks after this many in a row failed for want of something outside of them."""
    base: str = ""
    """Where tasks start from, as a branch or commit; empty: the default branch."""


class NotifyOn(StrEnum):
    NEEDS_PERSON = "needs_person"
    FINISHED = "finished"
    FAILED = "failed"


class Notify(Section):
    command: str | None = Field(default=None, min_length=1)
    """Command that is told what happened: one JSON object on its standard input."""
    webhook: Annotated[str, Field(pattern=r"^https?://[^\s]+$")] | None = Field(
        default=None, examples=["https://example.com/hook"]
    )
    """Address the same JSON object is posted to."""
    on: tuple[Annotated[NotifyOn, Field(strict=False)], ...] = Field(default=tuple(NotifyOn), strict=False)
    """What is worth telling: a task needs a person, is finished, or failed."""


class Settings(Section):
    """All of it, with every value decided."""

    profile: str | None = Field(default=None, min_length=1)
    """Which way of running the loop: spec, task, slots, loops or review; unset: the command decides."""
    contract: str | None = Field(default=None, min_length=1)
    """The form of a reviewer's answer; unset: the profile's."""
    compat: bool = False
    """Read verdicts by the literal rules of the documents they come from, which can be fooled."""
    agents: Agents = Agents()
    limits: Limits = Limits()
    budget: Budget = Budget()
    timeouts: Timeouts = Timeouts()
    gate: Gate = Gate()
    land: Landing = Landing()
    review: Reviewing = Reviewing()
    prompts: Prompts = Prompts()
    sandbox: Sandboxing = Sandboxing()
    state: State = State()
    defaults: Defaults = Defaults()
    task_types: TaskTypes = TaskTypes()
    work: Work = Work()
    slots: Slots = Slots()
    taint: Taint = Taint()
    search: Searching = Searching()
    notify: Notify = Notify()
    prices: dict[Annotated[str, Field(min_length=1, max_length=100)], ModelPrice] = Field(default={})
    """What models cost: `[prices."NAME"]` with `input`, `output` and, if it is cheaper, `cached` input."""


def _fields(section: type[Section], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, field in section.model_fields.items():
        if isinstance(field.default, Section):
            yield from _fields(type(field.default), f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", field


FIELDS: dict[str, Any] = dict(_fields(Settings))
"""Key as users write it (`limits.cycles`) -> pydantic's description of the field, in file order."""
SECTIONS = tuple(name for name, field in Settings.model_fields.items() if isinstance(field.default, Section))


def value_of(settings: Settings, key: str) -> Any:
    """The value of one key; enums and tuples as the plain data a file would hold."""
    value: Any = settings
    for part in key.split("."):
        value = getattr(value, part)
    if isinstance(value, dict):
        return {name: part.model_dump(exclude_none=True) for name, part in value.items()}
    if isinstance(value, tuple):
        return plain_entries(value) if value and isinstance(value[0], Section) else [str(p) for p in value]
    return value.value if isinstance(value, StrEnum) else value
