"""Ports joined with their adapters for one run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

from burnish.agents._choose import choose
from burnish.agents._recording import recorded
from burnish.agents._setup import AgentSetup
from burnish.agents.embedded import EMBEDDED
from burnish.app.choices import build_policy
from burnish.app.heard import Ear, HeardAgent
from burnish.app.metered import MeteredAgent
from burnish.app.place import Place, state_folder
from burnish.app.priced import Limits, Notices, price_notices
from burnish.app.shared import Shared, unwatched, wrap
from burnish.app.spec import RunSpec
from burnish.app.tool_folder import tools_in
from burnish.app.watched import Report, WatchedAgent
from burnish.config.prices import PriceList
from burnish.errors import AgentMissing, UsageError
from burnish.gates.command import CommandGate
from burnish.git.lander import GitLander
from burnish.git.user_tree import UserTree
from burnish.git.witness import Witness
from burnish.git.workspaces import Workspaces
from burnish.model.profile import Profile
from burnish.model.sandbox_mode import SandboxMode
from burnish.model.step import Role
from burnish.policies import budget
from burnish.ports import Agent, Contract, Gate, Hands, Lander, Policy, Sandbox
from burnish.process.environment import child_environment
from burnish.process.isolation import usable_sandbox
from burnish.process.no_sandbox import remedy, why_none
from burnish.process.tool_setup import ToolSetup
from burnish.prompts.book import PromptBook
from burnish.registry import load
from burnish.store.desks import FolderDesks
from burnish.store.ledger import DatabaseLedger
from burnish.store.memory import MemoryLedger
from burnish.team_ports import Board, ToolDesk
from burnish.workflows.crew import Crew, Timeouts
from burnish.workflows.deliver import Delivery
from burnish.workflows.evidence import Evidence
from burnish.workflows.improving import Improving
from burnish.workflows.looping import LoopCrew
from burnish.workflows.reporting import Reporter
from burnish.workflows.reviewing import Reviewer
from burnish.workflows.self_picked import SelfPicked
from burnish.workflows.writing import Writer

T = TypeVar("T")
RECORD = "BURNISH_RECORD"


def as_it_is(name: str, part: Any) -> Any:
    """The usual decoration: none."""
    return part


@dataclass(frozen=True)
class Wiring:
    """`decorate` may wrap a port by name, for tests that die there; `report` tells of misdeeds."""

    place: Place
    spec: RunSpec
    run_id: str
    workspaces: Workspaces
    decorate: Callable[[str, Any], Any] = as_it_is
    report: Report | None = None
    shared: Shared | None = None
    board: Board | None = None
    heard: Ear | None = None

    @property
    def profile(self) -> Profile:
        profile: Profile = load("profiles", self.spec.profile)()
        return profile

    @property
    def isolation_notices(self) -> Notices:
        """What to say when agents could have been sandboxed, but cannot be here."""
        mode = SandboxMode(self.spec.confinement.mode)
        why = why_none(mode) if mode is SandboxMode.AUTO else ""
        return (("unsandboxed", f"agents run unsandboxed: {why} ({remedy(mode)})"),) if why else ()

    def policy(self) -> Policy:
        spec = self.spec
        return build_policy(
            self.profile,
            spec.limit,
            can_fix=spec.fixer is not None,
            wrappers=spec.policies,
            mode=spec.mode,
        )

    def check(self) -> None:
        """Find out before anything is started whether every agent, and the sandbox asked for, is there."""
        usable_sandbox(SandboxMode(self.spec.confinement.mode), Sandbox())
        for command in dict.fromkeys((self.spec.implementer, self.spec.reviewer, self.spec.fixer)):
            agent = self._agent(command)
            try:
                if agent is not None:
                    agent.check()
            except AgentMissing as error:
                raise UsageError(error.message, hint=error.hint) from None

    def price_notices(self) -> Notices:
        """What to say of a limit in dollars; raises UsageError where it cannot be kept."""
        spec = self.spec
        named = ((Role.IMPLEMENT, spec.implementer), (Role.REVIEW, spec.reviewer), (Role.FIX, spec.fixer))
        return price_notices(Limits.of(spec), ((role, self._agent(command)) for role, command in named))

    def crew(self) -> Hands:
        spec = self.spec
        workspaces = self.decorate("workspaces", self.workspaces)
        desks = FolderDesks(self.place.run_folder(self.run_id) / "desks")
        prompts = PromptBook(dict(spec.prompts), self.profile.prompts)
        if spec.mode.reports:
            return self._reporter(workspaces, desks, prompts)
        crew = Crew(
            profile=self.profile,
            writer=Writer(workspaces, desks, dict(spec.models), self.tools if spec.loop else None),
            prompts=prompts,
            implementer=self._agent(spec.implementer),
            reviewer=self._reviewer(workspaces, desks, prompts),
            fixer=self._agent(spec.fixer),
            checks=self._gate(workspaces),
            timeouts=Timeouts(spec.times.implement_s, spec.times.fix_s),
            phase=spec.phase,
            cycles_before=spec.cycles_before,
            fixer_session=spec.fixer_session,
        )
        if spec.loop:
            return LoopCrew(crew, spec.loop, self.board)
        slot = spec.task.briefing.slot
        if slot and slot.bead is None:
            return SelfPicked(crew, slot)
        return Improving(crew, spec.given) if spec.given else crew

    def agent(self, command: str | None) -> Agent | None:
        """One by itself, for questions that no step of the loop asks."""
        return self._agent(command)

    def checks(self) -> Gate | None:
        """The gate by itself, for trees that no step of the run made."""
        return self._gate(self.workspaces)

    def delivery(self) -> Delivery:
        git = GitLander(self.place.repository, self.workspaces.store, self.spec.task.base)
        lander: Lander = self.decorate("lander", git)
        spec = self.spec
        return Delivery(
            lander, spec.land, self.run_id, spec.branch_prefix, wanted=spec.branch, move=spec.move
        )

    def _reporter(self, workspaces: Workspaces, desks: FolderDesks, prompts: PromptBook) -> Reporter:
        agent = self._agent(self.spec.implementer)
        assert agent is not None
        spec = self.spec
        model = dict(spec.models).get(Role.IMPLEMENT, "")
        return Reporter(agent, spec.mode, workspaces, desks, prompts, spec.times.implement_s, model)

    def _reviewer(self, workspaces: Workspaces, desks: FolderDesks, prompts: PromptBook) -> Reviewer | None:
        agent = self._agent(self.spec.reviewer)
        if agent is None:
            return None
        spec = self.spec
        contract: Contract = load("contracts", spec.contract)(
            compat=spec.compat, fail_on=spec.fail_on, min_confidence=spec.min_confidence
        )
        return Reviewer(
            agent=agent,
            contract=contract,
            workspaces=workspaces,
            desks=desks,
            prompts=prompts,
            timeout_s=spec.times.review_s,
            diff_cap=spec.diff_cap,
            fail_on=spec.fail_on,
            model=dict(spec.models).get(Role.REVIEW, ""),
            tools=self.tools,
            evidence=self._evidence,
        )

    @cached_property
    def _evidence(self) -> Evidence:
        """Imported here: the analysers are many, and few runs get as far as to need them."""
        from burnish.app.followed_change import follow_changes

        folder = self.place.run_folder(self.run_id) / "followed"
        return follow_changes(self.workspaces.store, self.spec, self._tools_in(folder), folder)

    @property
    def tools(self) -> ToolDesk | None:
        """None where the SDK is not installed: then agents answer in words."""
        # Here, because few runs need them.
        from burnish.tools.desk import SocketTools, installed

        return SocketTools() if installed() else None

    @property
    def _hidden(self) -> tuple[Path, ...]:
        """The user's own git folder, whose configuration may hold secrets, and all we keep of any run."""
        repository = self.place.repository
        state = state_folder(self.place.environ)
        return tuple(dict.fromkeys((repository.common_dir, repository.git_dir, state)))

    def _agent(self, command: str | None) -> Agent | None:
        if command is None:
            return None
        agent = choose(command, self._setup(stand_in=EMBEDDED in command))
        if self.report is None:
            return agent
        sandboxed = usable_sandbox(SandboxMode(self.spec.confinement.mode), Sandbox())
        watched = unwatched if sandboxed else self._watched
        if self.shared is None:
            return self._listened(watched(self._recorded(agent)))
        wrapped = wrap(agent, self.shared, self.report, lambda part: watched(self._recorded(part)))
        return self._listened(self._metered(wrapped, self.shared))

    def _listened(self, agent: Agent) -> Agent:
        return HeardAgent(agent, partial(self.heard, self.run_id)) if self.heard else agent

    def _recorded(self, agent: Agent) -> Agent:
        """Where somebody asked for it, with the run or for all runs."""
        folder = self.spec.record or self.place.environ.get(RECORD, "")
        return recorded(agent, Path(folder).absolute()) if folder else agent

    def _metered(self, agent: Agent, shared: Shared) -> Agent:
        ceiling = budget.ceiling(self.spec.policies)
        return agent if ceiling.open else MeteredAgent(agent, shared.database, self.run_id, ceiling)

    def _watched(self, agent: Agent) -> Agent:
        assert self.report is not None
        return WatchedAgent(agent, self._witness, self.report)

    @cached_property
    def _witness(self) -> Witness:
        """One for all agents of a run, with an index of its own: each look begins where the last ended."""
        tree = UserTree(self.place.repository, self.workspaces.store, index="witness.index")
        return Witness(tree)

    def _stand_in(self) -> Agent:
        """Imported here: the tools are many, and few runs need them."""
        from burnish.app.stand_in import Tools, make_stand_in

        place, folder = self.place, self.place.run_folder(self.run_id) / "stand-in"
        root, base = place.repository.root, self.spec.task.base_tree
        tools = Tools(self.workspaces.store, base, folder, root, self._tools_in(folder))
        ledger = DatabaseLedger(self.shared.database) if self.shared else MemoryLedger()
        return make_stand_in(tools, self.spec, ledger)

    def _tools_in(self, folder: Path) -> ToolSetup:
        return tools_in(folder, self.place, self.spec.confinement.mode, self._hidden)

    def _setup(self, *, stand_in: bool = False) -> AgentSetup:
        held = self.spec.confinement
        return AgentSetup(
            environ=self.place.environ,
            mode=SandboxMode(held.mode),
            readable=(self.workspaces.borrowed,),
            home_paths=tuple(Path(path) for path in held.home_paths),
            hidden=self._hidden,
            network=held.network,
            stall_s=self.spec.times.stall_s,
            pass_names=held.pass_env,
            embedded=self._stand_in() if stand_in else None,
            prices=PriceList(self.spec.prices),
        )

    def _gate(self, workspaces: Workspaces) -> CommandGate | None:
        spec, held = self.spec, self.spec.confinement
        if not spec.gate:
            return None
        home = tuple(Path(path) for path in held.home_paths)
        sandbox = Sandbox(
            readable=(self.workspaces.borrowed,), hidden=self._hidden, home_paths=home, network=held.network
        )
        return CommandGate(
            command=spec.gate,
            workspaces=workspaces,
            env=child_environment(self.place.environ),
            timeout_s=spec.times.gate_s,
            sandbox=usable_sandbox(SandboxMode(held.mode), sandbox),
            protect=spec.protect,
            allow_test_edits=spec.allow_test_edits,
        )
