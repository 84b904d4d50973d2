"""What would stop a run in one repository: its state, settings, agents, tests, and what dead runs left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing

from burnish.agents._choose import choose
from burnish.agents._setup import AgentSetup
from burnish.app.agent_choice import NONE, ROLES, WITHOUT, decide, taken_by
from burnish.app.choices import agents_of, profile_of
from burnish.app.init import make_starter
from burnish.app.place import Place
from burnish.app.priced import check_prices
from burnish.app.repairs import leftovers
from burnish.config.load import Loaded
from burnish.errors import AgentMissing, BurnishError, UsageError
from burnish.model.check import Check
from burnish.model.queue import TaskState
from burnish.model.run_view import RunState
from burnish.model.sandbox_mode import SandboxMode
from burnish.ports import Sandbox
from burnish.process.isolation import usable_sandbox
from burnish.sanitise import clean_line
from burnish.store.database import open_database
from burnish.store.leases import this_process
from burnish.store.queries import list_runs
from burnish.store.queue import Queue

NO_TESTS = "no test command was found: what agents write is judged by reviews alone"
NOT_SET = "burnish review uses it; for run and work set gate.command (burnish init writes it)"
MOST_NAMED = 3


async def _repository(place: Place) -> Check:
    repository = place.repository
    await repository.resolve("HEAD")
    where = f"on {repository.branch}" if repository.branch else "with a detached HEAD"
    kind = ", a shallow clone" if repository.shallow else ", a partial clone" if repository.partial else ""
    identity = await repository.identity()
    return Check("repository", f"{repository.root} {where}{kind}; commits are by {identity.name}")


async def _configuration(place: Place) -> Check:
    loaded = await place.settings(place.repository.head)
    usable_sandbox(SandboxMode(loaded.settings.sandbox.mode), Sandbox())
    own = sum(origin != "default" for origin in loaded.origins.values())
    return Check("configuration", f"{own} settings of yours, the rest by default", " ".join(loaded.notices))


async def _database(place: Place) -> Check:
    open_database(place.database).close()
    return Check("database", str(place.database))


async def _base(place: Place) -> Check:
    """Where tasks of the queue start from."""
    chosen = (await place.settings(place.repository.head)).settings.work.base
    if chosen:
        try:
            await place.repository.resolve(chosen)
        except BurnishError as error:
            return Check("base", error.message, "correct work.base in burnish.toml", stops=True)
        return Check("base", f"tasks start from {chosen} (work.base)")
    default = await place.repository.default_branch()
    if default:
        return Check("base", f"tasks start from {default}")
    return Check(
        "base", "no default branch was found: tasks start from HEAD", "set work.base in burnish.toml"
    )


async def _agents(place: Place) -> Check:
    """Named ones must be there and able to keep a limit in dollars; else only a review works."""
    loaded = await place.settings(place.repository.head)
    try:
        decided = decide(loaded, place.environ)
        if trouble := _missing(decided, place.environ):
            return trouble
        settings = decided.settings
        check_prices(settings, agents_of(settings, profile_of(settings)), place.environ)
    except UsageError as error:
        return Check("agents", error.message, error.hint, stops=True, review_works=True)
    told = decided.notices[-1] if taken_by(decided) else "those that are named are there"
    return Check("agents", told)


def _missing(decided: Loaded, environ: Mapping[str, str]) -> Check | None:
    agents = decided.settings.agents
    for spec in dict.fromkeys(getattr(agents, role) for role in ROLES):
        if spec in (None, NONE):
            continue
        try:
            choose(spec, AgentSetup(environ)).check()
        except (AgentMissing, UsageError) as error:
            hint = f"{error.hint}; {WITHOUT}" if error.hint else WITHOUT
            told = f"{clean_line(spec)}: {error.message}"
            return Check("agents", told, hint, stops=True, review_works=True)
    return None


async def _tests(place: Place) -> Check:
    given = (await place.settings(place.repository.head)).settings.gate.command
    if given:
        return Check("tests", f"{clean_line(given)} (gate.command)")
    seen = (await make_starter(place.repository.root, place.environ)).seen
    if seen.tests is None:
        return Check("tests", NO_TESTS, "set gate.command in burnish.toml, or give --gate 'pytest -q'")
    return Check("tests", f"{clean_line(seen.tests.command)} ({seen.tests.why})", NOT_SET)


async def _cut_short(place: Place) -> Check:
    """Runs and tasks that no process works on any more: nothing of them is lost."""
    with closing(open_database(place.database)) as database:
        runs = [view.id for view in list_runs(database, this_process()) if view.state is RunState.INTERRUPTED]
        tasks = [f"#{view.number}" for view in Queue(database).all() if view.state is TaskState.INTERRUPTED]
    if tasks:
        return Check("cut short", f"tasks {_some(tasks)} wait to go on", "burnish work goes on with them")
    if runs:
        return Check(
            "cut short",
            f"runs {_some(runs)} can go on",
            f"burnish resume {runs[0]}, or burnish cancel {runs[0]}",
        )
    return Check("cut short", "no run waits to go on")


async def _index(place: Place) -> Check:
    """Somebody's lock on the index: landing into the checkout would wait for it in vain."""
    lock = place.repository.git_dir / "index.lock"
    if not lock.exists():
        return Check("index", "nobody holds the index of the checkout")
    return Check(
        "index",
        f"{lock} is there: a git works in the checkout, or one died",
        f"if no git runs there, remove it: rm {lock}",
    )


async def _leftovers(place: Place) -> Check:
    found = leftovers(place)
    if not found:
        return Check("leftovers", "dead processes left nothing behind")
    told = f"{len(found)} left by processes that are gone, such as {found[0].what}"
    return Check("leftovers", told, "burnish doctor --fix removes them")


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:MOST_NAMED])
    return f"{shown} and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else shown


PARTS: dict[str, Callable[[Place], Awaitable[Check]]] = {
    "repository": _repository,
    "configuration": _configuration,
    "database": _database,
    "base": _base,
    "agents": _agents,
    "tests": _tests,
    "cut short": _cut_short,
    "index": _index,
    "leftovers": _leftovers,
}
# Checks that can say nothing where another one stopped.
NEEDS = {
    "base": "configuration",
    "agents": "configuration",
    "tests": "configuration",
    "cut short": "database",
    "leftovers": "database",
}
