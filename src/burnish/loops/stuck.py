"""When a loop is stuck: out of iterations, the same error again and again, or no file changes any more.

An agent that says nothing for too long is the supervisor's business (`timeouts.stall_s`), and comes here as
an error; revisions that are used up are the policy's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from burnish.model.change import Change, Failure
from burnish.sanitise import clean_line


@dataclass(frozen=True)
class Tally:
    """What finished iterations came to: errors that were the same in a row, iterations without a change."""

    iteration: int = 0
    same_error: int = 0
    unchanged: int = 0
    last_error: str = ""
    last_change: int = 0

    def after(self, iteration: int, result: Change | Failure) -> Tally:
        """One more iteration; the same one told twice counts once."""
        if iteration <= self.iteration:
            return self
        if isinstance(result, Failure):
            return self._failed(iteration, result.message)
        if result.empty:
            return replace(
                self, iteration=iteration, same_error=0, last_error="", unchanged=self.unchanged + 1
            )
        return Tally(iteration, last_change=iteration)

    def without_last(self) -> Tally:
        """As before an iteration that failed, which is done again."""
        return replace(
            self,
            iteration=max(self.iteration - 1, 0),
            same_error=max(self.same_error - 1, 0),
            unchanged=max(self.unchanged - 1, 0),
            last_error=self.last_error if self.same_error > 1 else "",
        )

    def _failed(self, iteration: int, message: str) -> Tally:
        same = bool(self.last_error) and _plain(self.last_error) == _plain(message)
        return replace(
            self,
            iteration=iteration,
            same_error=self.same_error + 1 if same else 1,
            unchanged=self.unchanged + 1,
            last_error=message,
        )


def stuck_because(tally: Tally, max_iterations: int, threshold: int) -> str:
    """Why another iteration makes no sense; empty when it does."""
    if tally.same_error >= threshold:
        return f"the same error {tally.same_error} times in a row: {clean_line(tally.last_error)}"
    if tally.unchanged >= threshold:
        return f"no file changed in the last {tally.unchanged} iterations"
    if tally.iteration >= max_iterations:
        return f"not complete after {tally.iteration} of {max_iterations} iterations"
    return ""


def _plain(message: str) -> str:
    """Times, line numbers and process ids do not make another error of it."""
    return re.sub(r"\d+", "0", clean_line(message)).casefold()
