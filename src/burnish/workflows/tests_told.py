"""How many tests a gate says it ran: a green that tells of fewer than the base is looked at twice."""

from __future__ import annotations

from dataclasses import replace

from burnish.model.gate import GateResult
from burnish.suite_output.counting import count_tests

# From here on output may have lost its beginning, and with it some of the counts.
UNCUT = 60_000


def beside_base(result: GateResult, base: GateResult) -> GateResult:
    """A green result, with what its tests say about it beside those of a green base."""
    before = count_tests(base.output)
    if not result.green or not base.green or before is None or not before.passed:
        return result
    now = count_tests(result.output)
    cut = max(len(result.output), len(base.output)) > UNCUT
    if now is None:
        return _faulted(result, "it ended with 0, but without the count of tests that it gives on the base")
    if now.failed > before.failed:
        return _faulted(result, f"it ended with 0, though it says that {now.failed} of its tests failed")
    if cut or not result.protected or now.passed >= before.passed:
        return result
    fewer = f"{now.passed} tests passed where {before.passed} did on the base"
    if not now.passed or now.skipped > before.skipped:
        return _faulted(result, f"{fewer}, and {now.skipped} were skipped")
    return replace(result, doubts=(*result.doubts, fewer))


def _faulted(result: GateResult, fault: str) -> GateResult:
    return replace(result, exit=1, fault=fault)
