"""taint: follows untrusted input through Python code to where it hurts, in a process of its own.

The caller's side is `adapter`, `reading`, `scoring`, `covering`; the process is `__main__`, `reach` and
`engine`, which puts the parts together, each of which knows those before it:

    knowledge  ->  memory  ->  finding  ->  guards, handlers  ->  library  ->  walking

To see how one program is followed, begin with `engine.py`, then `walking/following.py`, `memory/values.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from burnish.analysers._setup import AnalyserSetup
    from burnish.analysers.taint.adapter import Taint


def make(setup: AnalyserSetup) -> Taint:
    """Its own process goes through here too, and starts quicker without what only the caller needs."""
    from burnish.analysers.taint.adapter import made

    return made(setup)
