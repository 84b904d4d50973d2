"""One tiny real round trip: an agent reviews and fixes a planted bug, in a scratch repository of our own."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.agents._choose import choose
from burnish.agents._cli_runner import CliAgent
from burnish.agents._setup import AgentSetup
from burnish.app import embedded_trial
from burnish.app.agents import settings_here
from burnish.app.chains import EMBEDDED
from burnish.app.embedded_trial import EmbeddedBench
from burnish.app.place import find_place, state_folder
from burnish.app.stand_in import Tools
from burnish.app.start import workspaces_of
from burnish.config.prices import PriceList, own_prices
from burnish.errors import AgentError, ContractViolation
from burnish.git.call import Git
from burnish.git.call import Place as GitPlace
from burnish.git.workspaces import Workspaces
from burnish.model.agent import Model, Reply, Request
from burnish.model.agent_view import TrialStep
from burnish.model.review import Verdict
from burnish.model.sandbox_mode import SandboxMode
from burnish.model.step import Role, Step
from burnish.ports import Agent, Asking, Contract, Desk, Sandbox
from burnish.process.child import Command
from burnish.process.environment import child_environment
from burnish.process.isolation import usable_sandbox
from burnish.process.supervisor import run
from burnish.process.tool_setup import ToolSetup
from burnish.registry import load
from burnish.store.desks import FolderDesks
from burnish.workflows.ask import ask

FOLDER = "trials"
RUN = "r-trial"
CHECK_S = 30.0
APP = 'def add(a: int, b: int) -> int:\n    """The sum of both."""\n    return a - b\n'
CHECK = "import runpy; add = runpy.run_path('app.py')['add']; assert (add(2, 3), add(-1, 1)) == (5, 0)"
REVIEW = """\
You are a reviewer. The folder you are in has one file, `app.py`, which was just added. Read it.
It must do what its docstring says. Do not edit anything.

{contract}
"""
FIX = """\
You are a fixer. In `app.py` of the folder you are in, `add` subtracts instead of adding: `return a - b`.
Edit the file so that it does what its docstring says, change nothing else, and end with one short sentence.
"""
WEAK = "choose a stronger model (--model)"
ASK_LOGIN = "check its login and its settings by running it by hand"

Show = Callable[[TrialStep], None]


@dataclass(frozen=True)
class Trial:
    """`agent` is written as for --implementer; `model` may be a tier."""

    agent: str
    environ: Mapping[str, str]
    model: str = ""
    timeout_s: float = 300.0
    sandbox: str = SandboxMode.AUTO


async def try_out(trial: Trial, show: Show) -> tuple[TrialStep, ...]:
    """Each step as it is done; after one that brought no answer nothing more is asked."""
    done: list[TrialStep] = []
    async with _scratch(trial) as bench:
        for work in (bench.found, bench.review, bench.fix):
            try:
                step = await work()
            except AgentError as error:
                name = work.__name__
                remedy = error.hint or ASK_LOGIN
                step = TrialStep(name, False, error.message, remedy, error.trouble, error.usage)
            show(step)
            done.append(step)
            if step.trouble is not None or (step.name == "found" and not step.ok):
                break
    return tuple(done)


@asynccontextmanager
async def _scratch(trial: Trial) -> AsyncIterator[_Bench | EmbeddedBench]:
    """A repository, a state folder and workspaces of the trial's own; gone afterwards."""
    found = (await settings_here(trial.environ)).settings
    settings = found.sandbox
    above = state_folder(trial.environ) / FOLDER
    above.mkdir(parents=True, exist_ok=True)
    # Not in the folder for temporary files: some agents refuse to work from there, and the sandbox hides it.
    folder = Path(tempfile.mkdtemp(prefix=f"t-{os.getpid()}-", dir=above))
    try:
        environ = {**trial.environ, "BURNISH_STATE": str(folder / "state")}
        planted = embedded_trial.APP if trial.agent == EMBEDDED else APP
        place = await find_place(await _planted(folder, planted), environ)
        await place.repository.resolve("HEAD")
        async with await workspaces_of(place, RUN, place.repository.head) as workspaces:
            setup = AgentSetup(
                environ=trial.environ,
                mode=SandboxMode(trial.sandbox),
                readable=(workspaces.borrowed,),
                home_paths=tuple(Path(path) for path in settings.home_paths),
                hidden=(place.repository.git_dir, state_folder(trial.environ)),
                network=settings.network,
                pass_names=settings.pass_env,
                prices=PriceList(own_prices(found.prices)),
            )
            tree = await place.repository.tree(place.repository.head)
            if trial.agent == EMBEDDED:
                base = await place.repository.tree(await place.repository.resolve("HEAD~1"))
                tools = _tools(trial, workspaces, base, folder)
                desks = FolderDesks(folder / "desks")
                yield EmbeddedBench(tools, workspaces, tree, desks, trial.timeout_s)
                return
            yield _Bench(trial, choose(trial.agent, setup), workspaces, tree, FolderDesks(folder / "desks"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _tools(trial: Trial, workspaces: Workspaces, base: str, folder: Path) -> Tools:
    setup = ToolSetup(
        env=child_environment(trial.environ),
        search=trial.environ.get("PATH", ""),
        sandbox=usable_sandbox(SandboxMode(trial.sandbox), Sandbox(readable=(folder,), network=False)),
        scratch=folder / "scratch",
    )
    return Tools(workspaces.store, base, folder / "sources", folder / "repo", setup)


async def _planted(folder: Path, text: str) -> Path:
    """A first commit without a file, then the one that is looked at."""
    repository = folder / "repo"
    repository.mkdir()
    (repository / "app.py").write_text(text)
    (folder / "state").mkdir()
    git = await Git.start(folder / "state")
    await git("init", "-q", at=GitPlace(None, work_tree=repository))
    at = GitPlace(repository / ".git", work_tree=repository)
    who = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", "Burnish"), ("EMAIL", "burnish@localhost"))
    }
    await git("commit", "-q", "--allow-empty", "-m", "Begin", at=at, env=who)
    await git("add", "app.py", at=at)
    await git("commit", "-q", "-m", "Add a function", at=at, env=who)
    return repository


@dataclass(frozen=True)
class _Bench:
    trial: Trial
    agent: Agent
    workspaces: Workspaces
    tree: str
    desks: FolderDesks

    async def found(self) -> TrialStep:
        """Before anything is asked that could cost something."""
        self.agent.check()
        if not isinstance(self.agent, CliAgent):
            return TrialStep("found", True, f"{self.agent.name} can be started")
        version = await self.agent.version()
        if not version:
            told = f"{self.agent.locate()} does not tell its version"
            return TrialStep("found", False, told, f"run it by hand: {self.agent.adapter.program} --version")
        login = self.agent.adapter.logged_in(self.agent.setup.environ)
        words = "a login or a key is there" if login else "whether it is logged in cannot be told yet"
        return TrialStep("found", True, f"{self.agent.locate()}, version {version}, {words}")

    async def review(self) -> TrialStep:
        """Read-only: it must find the bug, in the form that is asked for, and leave the files alone."""
        contract: Contract = load("contracts", "verdict-line")()
        step = Step(Role.REVIEW, 1)
        desk, asking = self.desks.lay(step, {}), Asking()
        prompt = REVIEW.format(contract=contract.instructions(asking))
        async with self.workspaces.open(self.tree, step.key) as workspace:
            request = self._request(step, prompt, workspace.path, desk)
            reply = await ask(self.agent, replace(request, schema=contract.schema(asking)))
            touched = await self.workspaces.touched(self.tree, (await workspace.snapshot()).tree)
        try:
            verdict = contract.parse(reply)
        except ContractViolation as violation:
            told = f"it answered, but not in the form that was asked for: {violation.why}"
            return _step("review", reply, told, WEAK)
        told, remedy = f"verdict {verdict.native}, the planted bug was found", ""
        if verdict.unclear:
            told, remedy = f"it answered without a verdict: {verdict.unclear}", WEAK
        elif verdict.verdict is not Verdict.FAIL:
            told, remedy = f"verdict {verdict.native}: the planted bug was not found", WEAK
        if touched.edited:
            told, remedy = (
                f"{told}; it edited {', '.join(touched.edited)}",
                "it must not edit while it reviews",
            )
        elif not remedy:
            told += "; no file was touched"
        return _step("review", reply, told, remedy)

    async def fix(self) -> TrialStep:
        """Judged by the tree it leaves, not by its words."""
        step = Step(Role.FIX, 1)
        desk = self.desks.lay(step, {})
        async with self.workspaces.open(self.tree, step.key) as workspace:
            reply = await ask(self.agent, self._request(step, FIX, workspace.path, desk))
            left = await workspace.snapshot()
            right = await self._works(workspace.path)
        if left.tree == self.tree:
            denied = f" (denied: {', '.join(reply.denied)})" if reply.denied else ""
            told = f"it ended and changed nothing{denied}"
            return _step("fix", reply, told, "its permissions do not let it edit, or the model is too weak")
        if not right:
            return _step("fix", reply, "the tree changed, but the bug is still there", WEAK)
        return _step("fix", reply, "the tree changed, and the bug is gone")

    async def _works(self, folder: Path) -> bool:
        """What an agent wrote is run like a gate: in a child of its own, held as agents are."""
        mode = SandboxMode(self.trial.sandbox)
        command = Command(
            argv=(sys.executable, "-I", "-c", CHECK),
            cwd=folder,
            env=child_environment(self.trial.environ),
            timeout_s=CHECK_S,
            sandbox=usable_sandbox(mode, Sandbox(readable=(folder,), network=False)),
        )
        return (await run(command)).ok

    def _request(self, step: Step, prompt: str, workspace: Path, desk: Desk) -> Request:
        model = Model.of(step.role, self.trial.model)
        return Request(
            role=step.role,
            prompt=prompt,
            workspace=workspace,
            inbox=desk.inbox,
            outbox=desk.outbox,
            timeout_s=self.trial.timeout_s,
            tier=model.tier,
            model=model.name,
            variables={"BURNISH_RUN": RUN, "BURNISH_CYCLE": "1", "BURNISH_ASK": "1", "BURNISH_PART": ""},
        )


def _step(name: str, reply: Reply, told: str, remedy: str = "") -> TrialStep:
    """Good where there is nothing to remedy."""
    return TrialStep(name, not remedy, told, remedy, None, reply.usage, reply.isolation)
