"""The loop: implement, then review and fix until the policy says stop.

This is the whole product in one function. Nothing here retries, prints, looks anything up or knows about
resuming: a run that is started again calls this same function, and every finished step is remembered.
"""

from __future__ import annotations

from burnish.model.decision import Assess, Fix, Implement, Stop
from burnish.model.history import Ending, History
from burnish.model.task import Task
from burnish.ports import Hands, Policy, Run
from burnish.workflows.convergence import tell_signs


async def review_loop(task: Task, crew: Hands, policy: Policy, run: Run) -> Ending:
    """Drive one task to its end. A pass is only ever a review that passed the tree that is delivered."""
    history = History(task)
    history = history.add(await crew.implement(run, history))

    while True:
        await tell_signs(run, history)
        match policy.decide(history):
            case Assess():
                history = await crew.gate(run, history)
                history = history.add(await crew.review(run, history))
            case Fix():
                history = history.add(await crew.fix(run, history))
            case Implement():
                history = history.add(await crew.implement(run, history))
            case Stop() as stop:
                return Ending(stop, history)
