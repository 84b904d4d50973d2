"""Each tool for host agents as a thin call into `app`, its answer as plain data."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

from burnish.codec import plain
from burnish.errors import UsageError
from burnish.mcp.reviews import Reviews
from burnish.model.flow import flow_lines, flow_title
from burnish.model.ledger import DISMISSED, LedgerEntry, LedgerState
from burnish.model.review import FlowStep
from burnish.model.run_view import RunState
from burnish.sanitise import clean, clean_line

if TYPE_CHECKING:
    from burnish.app.answer import Given as Answered

MOST_TEXT = 2000
SHOWN = 50
Given = dict[str, Any]


async def review_start(given: Given, reviews: Reviews, client: str) -> Given:
    from burnish.app.request import ReviewRequest
    from burnish.model.dimension import Dimension

    wanted = given.get("dimensions")
    request = ReviewRequest(
        words=tuple(given.get("targets", ())),
        flags={},
        places={name: given.get(name) for name in ("base", "commit", "staged", "range")},
        dimensions=tuple(one for one in Dimension if wanted is None or one in wanted),
        fix=given.get("fix", False),
        agents=_agents(given),
        tests=given.get("tests", True),
    )
    run = await reviews.start(request)
    return {"run": run, "state": "running", "next": f"review_status of {run} tells how it stands"}


def _agents(given: Given) -> tuple[str, ...]:
    """By name only: a command line from outside would be a program to run."""
    from burnish.agents._adapters import adapters

    if "agent" not in given:
        return ()
    known = tuple(adapters())
    if given["agent"].partition(":")[0] not in known:
        raise UsageError(f"expected an agent out of {', '.join(known)}, found {given['agent'][:80]!r}.")
    return (given["agent"],)


async def review_status(given: Given, reviews: Reviews, client: str) -> Given:
    from burnish.app.archive import open_archive
    from burnish.render.formats.json import review_page

    with await open_archive() as archive:
        view = archive.run(given["run"])
    names = (
        "state", "title", "outcome", "reason", "message", "verdict", "cycles", "fixes", "tokens", "cost",
        "branch", "receipt",
    )  # fmt: skip
    told: Given = {"run": view.id, **{name: plain(getattr(view, name)) for name in names}}
    told["trouble"] = reviews.trouble(view.id)
    ended = await reviews.ended(view.id) if view.state is RunState.FINISHED else None
    if ended is not None and ended.report is not None:
        page = plain(review_page(ended.report))
        findings = page["findings"]
        told |= {"exit_code": ended.exit_code, "summary": page["summary"], "finding_count": len(findings)}
        told["findings"] = [_brief(finding) for finding in findings[:SHOWN]]
    return told


async def findings_list(given: Given, reviews: Reviews, client: str) -> Given:
    from burnish.app.findings import Wanted, list_findings

    everyone = await list_findings(Wanted(tuple(LedgerState), given.get("file", "")))
    closed = () if given.get("all") else (*DISMISSED, LedgerState.FIXED)
    found = [entry for entry in everyone if entry.state not in closed]
    shown = [_entry(entry) for entry in found[: given.get("limit", SHOWN)]]
    return {"total": len(found), "not_listed": len(everyone) - len(shown), "findings": shown}


async def finding_dispute(given: Given, reviews: Reviews, client: str) -> Given:
    from burnish.app.findings import decide

    through = f"{client or 'a host agent'} over MCP"
    entry = await decide(given["finding"], LedgerState.REFUTED, given["why"], through=through)
    return _entry(entry)


async def task_add(given: Given, reviews: Reviews, client: str) -> Given:
    from burnish.app.adding import NewTask, add_tasks
    from burnish.app.queue_place import open_queue
    from burnish.model.queue import TaskType

    new = NewTask(
        given["prompt"],
        TaskType(given.get("type", TaskType.IMPLEMENT)),
        auto_review=given.get("autoReview"),
        max_cycles=given.get("maxReviewCycles"),
        depends_on=tuple(given.get("dependsOn", ())),
        group=given.get("group", ""),
    )
    with await open_queue() as here:
        [task] = await add_tasks(here, new)
    return {"task": task.number, "id": task.id, "next": "`burnish work` does what is in the queue"}


async def task_status(given: Given, reviews: Reviews, client: str) -> Given:
    from burnish.app.queue_place import open_queue
    from burnish.render.task_record import task_record

    with await open_queue() as here:
        if "task" in given:
            return task_record(here.task(given["task"]))
        views = here.queue.all()
    shown = [task_record(view) for view in views[-given.get("limit", SHOWN) :]]
    return {"total": len(views), "tasks": shown}


async def answer(given: Given, reviews: Reviews, client: str) -> Given:
    from burnish.app.answer import give_answer
    from burnish.app.queue_place import open_queue, whoami

    by = f"{client or 'a host agent'} over MCP for {whoami()}"
    with await open_queue() as here:
        found = await give_answer(here, given["run"], given["text"], by)
    told = {"said": found.said, "run": found.run, "task": found.task}
    return {**told, "next": f"`burnish {_going_on(found)}` goes on with it"}


def _going_on(found: Answered) -> str:
    if found.build:
        return f"build {quote(found.build)} --resume"
    if found.slots:
        return "slots --resume"
    return f"work {found.task}" if found.task else f"resume {found.run}"


async def receipt_get(given: Given, reviews: Reviews, client: str) -> Given:
    from burnish.app.receipts import check, find_receipt_of
    from burnish.receipts.proof import Proof
    from burnish.render.receipt import facts

    found = await find_receipt_of(given["run"])
    told = await check(found)
    return {
        "run": found.receipt.run,
        "verified": told.proof is Proof.PROVEN,
        **facts(told),
        "path": str(found.path),
        "receipt": plain(found.receipt),
    }


def cleaned(value: Any) -> Any:
    """Text of repositories and agents, without what could steer a terminal, and not endless."""
    if isinstance(value, str):
        return clean(value) if len(value) <= MOST_TEXT else f"{clean(value[:MOST_TEXT])}…"
    if isinstance(value, list):
        return [cleaned(one) for one in value]
    if isinstance(value, dict):
        return {name: cleaned(one) for name, one in value.items()}
    return value


def _entry(entry: LedgerEntry) -> Given:
    story = [f"{change.state} by {change.by}: {change.why}" for change in entry.history[-3:]]
    return {
        "finding": f"F{entry.number}",
        "state": str(entry.state),
        **_brief(plain(entry.finding)),
        "history": story,
    }


def _brief(finding: Given) -> Given:
    names = (
        "id", "number", "severity", "file", "line", "title", "detail", "suggestion", "dimension", "category",
        "rule", "confidence", "blocks",
    )  # fmt: skip
    told = {name: finding[name] for name in names if finding.get(name) not in (None, "")}
    flow = tuple(FlowStep(**step) for step in finding.get("flow", ()))
    return {**told, "path": [flow_title(flow), *flow_lines(flow, clean_line)]} if flow else told
