"""Burnish: implement, review, fix, until the review passes, with evidence.

The names below are the library. They are loaded when first used, so that the command line starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from burnish.agents._in_memory import ScriptedAgent as ScriptedAgent
    from burnish.app.library import make_crew as make_crew
    from burnish.git.memory import MemoryWorkspaces as MemoryWorkspaces
    from burnish.model.history import Ending as Ending
    from burnish.model.outcome import Outcome as Outcome
    from burnish.model.review import Finding as Finding
    from burnish.model.review import Review as Review
    from burnish.model.review import Verdict as Verdict
    from burnish.model.task import Task as Task
    from burnish.policies.until_pass import UntilPass as UntilPass
    from burnish.registry import load as load
    from burnish.store.memory import MemoryRun as MemoryRun
    from burnish.workflows.crew import Crew as Crew
    from burnish.workflows.review_loop import review_loop as review_loop

__version__ = "0.1.0"

_HOMES = {
    "Crew": "burnish.workflows.crew",
    "Ending": "burnish.model.history",
    "Finding": "burnish.model.review",
    "MemoryRun": "burnish.store.memory",
    "MemoryWorkspaces": "burnish.git.memory",
    "Outcome": "burnish.model.outcome",
    "Review": "burnish.model.review",
    "ScriptedAgent": "burnish.agents._in_memory",
    "Task": "burnish.model.task",
    "UntilPass": "burnish.policies.until_pass",
    "Verdict": "burnish.model.review",
    "make_crew": "burnish.app.library",
    "load": "burnish.registry",
    "review_loop": "burnish.workflows.review_loop",
}
__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"burnish has no {name!r}; it has {', '.join(_HOMES)}")
    return getattr(import_module(_HOMES[name]), name)
