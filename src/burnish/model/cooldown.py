"""An agent that reported a limit: nobody asks it again before its time."""

from __future__ import annotations

from dataclasses import dataclass

# Nobody waits longer than this for one agent: then its failure stands.
LONGEST_WAIT_S = 6 * 3600.0
# A run that somebody looks at waits no longer than this, nor asks again more often.
RUN_WAIT_S = 15 * 60.0
RUN_ASKS = 5
# No cooldown is longer than what an agent may ask for.
LONGEST_COOLDOWN_S = 24 * 3600.0


@dataclass(frozen=True)
class Cooldown:
    """`until` is a time as the clock tells it (ISO); `left_s` is how far off that was when it was read."""

    agent: str
    until: str
    why: str
    left_s: float
