"""From settings to decisions: which profile, limit and policies a run gets, and what is said about it."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.app.ceilings import run_budget
from burnish.app.spec import TimeLimits
from burnish.config.schema import Agents as AgentSettings
from burnish.config.schema import Settings
from burnish.config.task_types import resolve, said_cycles
from burnish.errors import UsageError
from burnish.model.agent import Usage
from burnish.model.mode import Mode
from burnish.model.profile import Limit, LimitUnit, Profile
from burnish.model.queue import TaskType
from burnish.policies import budget
from burnish.policies._answered import Answered
from burnish.policies._reported import Reported
from burnish.policies._unreviewed import Unreviewed
from burnish.policies.until_pass import UntilPass
from burnish.ports import Policy
from burnish.registry import load, names

DEFAULT_PROFILE = "task"
NONE = "none"


@dataclass(frozen=True)
class Agents:
    """Command lines by role; None where a role is left out."""

    implementer: str | None
    reviewer: str | None
    fixer: str | None


def profile_of(settings: Settings) -> Profile:
    profile: Profile = load("profiles", settings.profile or DEFAULT_PROFILE)()
    return profile


def contract_of(settings: Settings, profile: Profile) -> str:
    name = settings.contract or profile.contract
    load("contracts", name)
    return name


def agents_of(settings: Settings, profile: Profile, mode: Mode = Mode.LOOP) -> Agents:
    """The fixer is the implementer unless another is named; few profiles go without a reviewer."""
    chosen = settings.agents
    if mode is not Mode.LOOP:
        return _part_of_the_loop(chosen, mode)
    if chosen.implementer is None:
        raise UsageError(
            "expected --implementer CMD (or none, to review what is there), found nothing.",
            hint="for example: burnish run 'Add a test' --implementer ./my-agent --reviewer ./my-reviewer",
        )
    implementer = None if chosen.implementer == NONE else chosen.implementer
    reviewer = None if chosen.reviewer in (None, NONE) else chosen.reviewer
    if settings.review.enabled is False or (profile.review_optional and settings.prompts.review == NONE):
        reviewer = None
    if reviewer is None and not profile.review_optional:
        raise UsageError(
            f"expected --reviewer CMD: the profile {profile.name!r} never ends without a review.",
            hint="give a reviewer, or use --profile slots, which may go without",
        )
    fixer = None if chosen.fixer == NONE else chosen.fixer or implementer
    if implementer is None and reviewer is None:
        raise UsageError("expected an implementer or a reviewer, found neither: there is nothing to do.")
    return Agents(implementer, reviewer, fixer)


def _part_of_the_loop(chosen: AgentSettings, mode: Mode) -> Agents:
    """Who does the one part that a task of the manual flow is."""
    role = "reviewer" if mode is Mode.REVIEW else "implementer"
    wanted = getattr(chosen, role)
    if mode is Mode.IMPROVE and chosen.fixer not in (None, NONE):
        wanted = chosen.fixer
    if wanted in (None, NONE):
        raise UsageError(
            f"no agent is configured: expected --{role} CMD, or agents.{role} in burnish.toml.",
            hint="burnish init writes a burnish.toml to fill in",
        )
    if mode is Mode.REVIEW:
        return Agents(None, wanted, None)
    return Agents(wanted, None, wanted)


def limit_of(settings: Settings, profile: Profile, kind: TaskType = TaskType.IMPLEMENT) -> tuple[Limit, str]:
    """The limit in the profile's own unit, and what to say when it was given in the other."""
    limits = settings.limits
    cycles = said_cycles(settings, kind) or limits.cycles
    if cycles is None and limits.fixes is None:
        return profile.limit, ""
    if cycles is not None:
        given = Limit(LimitUnit.REVIEWS, cycles)
    else:
        given = Limit(LimitUnit.FIXES, limits.fixes or 0)
    if given.unit is profile.limit.unit:
        return given, ""
    if profile.limit.unit is LimitUnit.FIXES:
        limit, said = (
            Limit(LimitUnit.FIXES, given.fixes),
            f"--cycles {given.n} is at most {given.fixes} fix(es)",
        )
    else:
        limit, said = (
            Limit(LimitUnit.REVIEWS, given.reviews),
            f"--fixes {given.n} is at most {given.reviews} review(s)",
        )
    return limit, f"{said}: the profile {profile.name!r} counts {limit.unit}"


def times_of(settings: Settings, kind: TaskType = TaskType.IMPLEMENT) -> TimeLimits:
    """How long each part of a run may take; a run that is no task's gets what implement tasks get."""
    found, times = resolve(settings, kind), settings.timeouts
    return TimeLimits(found.implement_s, found.review_s, found.fix_s, times.gate_s, times.stall_s)


def models_of(settings: Settings, kind: TaskType = TaskType.IMPLEMENT) -> tuple[tuple[str, str], ...]:
    """The model or tier of each role for which one is set."""
    return tuple((str(role), name) for role, name in resolve(settings, kind).models.items())


def policies_of(
    settings: Settings, named: tuple[str, ...], earlier: Usage = Usage()
) -> tuple[tuple[str, str], ...]:
    """Every policy around the profile's own, by name and value; `earlier` was spent by the task before."""
    limits = settings.limits
    found = [tuple(text.partition("=")[::2]) for text in named]
    if limits.patience is not None:
        found.append(("patience", str(limits.patience)))
    if limits.stop_on_no_progress or limits.no_progress is not None:
        found.append(("no-progress", "1" if limits.stop_on_no_progress else str(limits.no_progress)))
    if limits.stop_on_returning:
        found.append(("returning", ""))
    if limits.ratchet is not None:
        found.append(("ratchet", limits.ratchet))
    if limits.stop_on_untouched_code:
        found.append(("code-age", ""))
    found += [("budget", value) for value in budget.values(run_budget(settings.budget, earlier))]
    return tuple((name, value) for name, value in found)


def build_policy(
    profile: Profile,
    limit: Limit,
    *,
    can_fix: bool,
    wrappers: tuple[tuple[str, str], ...],
    mode: Mode = Mode.LOOP,
) -> Policy:
    policy: Policy = Answered(UntilPass(profile, limit, can_fix), can_fix)
    if mode in (Mode.IMPLEMENT, Mode.IMPROVE):
        policy = Unreviewed(policy)
    if mode.reports:
        policy = Reported(policy)
    for name, value in wrappers:
        if name == "until-pass":
            known = ", ".join(name for name in names("policies") if name != "until-pass")
            raise UsageError(f"until-pass is always there; policies to add: {known}")
        policy = load("policies", name)(policy, value)
    return policy
