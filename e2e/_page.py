"""docs/agents.md, from what was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from e2e.overhead import Cost
from e2e.scenario import Result

DOCS = Path(__file__).resolve().parent.parent / "docs" / "agents.md"
HEAD = """\
# Real agents

What happened when the real CLIs were driven through the real command line against a scripted model on loopback, as measured.
`make e2e` gets the CLIs and makes this page anew; what fell stands here as it is. It is about driving them, not about how
good a model is: the model says what a script tells it.

Every child has a clean environment, dummy keys and a home of its own; the server is also the proxy of all others, so that a request to
any other place is recorded and refused. Auto-update and telemetry are off.
"""
NOTES = """\
Seconds are wall time of the whole scenario, on a machine that was busy with other work. Codex does not tell how long a limit lasts, so
a minute is waited; the tools that a reviewer calls are what the model asked for, allowed or not. Links that codex makes in `~/.codex/tmp`
even for `codex --version` are not counted as left in the home folder.
"""
NOT_TESTED = """\
## Not tested

- Real accounts, real quotas and how good an answer is: no service was contacted.
- A login by subscription (only keys); Bedrock, Vertex and Foundry; the WebSocket transport of Codex (the provider with a key uses HTTP).
- macOS. Machines without bubblewrap.
"""
MORE = """
## A further CLI

One entry in `e2e/_clis.py` (what points it at the server) and one in `scripts/get_agents.py` (where it comes from); where it speaks another
protocol, one file in `tests/model_server/`, and its name in `PROTOCOLS`. `python -m e2e NAME --only TEXT --keep` plays some of the
scenarios and keeps what was asked, said and left; `python -m tests.model_server SCRIPT.toml` serves a script for trying things by hand.
"""


@dataclass(frozen=True)
class Played:
    """All of one command. `away`: where each CLI goes when it is called by hand with nothing turned off."""

    results: Sequence[Result]
    costs: Sequence[Cost]
    versions: Mapping[str, str]
    away: Mapping[str, Sequence[str]]


def write(played: Played, page: Path = DOCS) -> None:
    parts = [
        HEAD,
        *_summary(played.results, played.versions),
        *_away(played.away),
        *_table(played.results, played.versions),
        *_costs(played.costs),
        _missing(played.versions),
    ]
    page.write_text("\n".join(parts), "utf8")


def _away(away: Mapping[str, Sequence[str]]) -> list[str]:
    """The control: that going elsewhere would have been seen."""
    lines = [f"- {name}: {', '.join(hosts) if hosts else 'nowhere'}" for name, hosts in away.items()]
    head = "The same CLIs, called by hand with nothing turned off, wanted to go to these places, which shows that it would have been seen:"
    return [head, "", *lines, ""] if lines else []


def _summary(results: Sequence[Result], versions: Mapping[str, str]) -> list[str]:
    lines = [
        "| CLI | version | scenarios | held | processes left | false passes | requests to elsewhere | keys left in files | files left in the home folder |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, version in versions.items():
        own = [result for result in results if result.agent == name]
        if own:
            left, passes = sum(len(one.left) for one in own), sum(one.false_passes for one in own)
            away = sum(len(one.elsewhere) for one in own)
            keys, strays = sum(len(one.leaks) for one in own), sum(len(one.strays) for one in own)
            held = sum(one.held for one in own)
            lines.append(
                f"| {name} | {version} | {len(own)} | {held} | {left} | {passes} | {away} | {keys} | {strays} |"
            )
    return [*lines, ""]


def _table(results: Sequence[Result], versions: Mapping[str, str]) -> list[str]:
    names = [name for name in versions if any(result.agent == name for result in results)]
    lines = ["## Scenarios", "", f"| scenario | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for scenario in dict.fromkeys(result.scenario for result in results):
        cells = [_cell(results, name, scenario) for name in names]
        lines.append(f"| {scenario} | {' | '.join(cells)} |")
    return [*lines, "", NOTES]


def _cell(results: Sequence[Result], agent: str, scenario: str) -> str:
    for result in results:
        if (result.agent, result.scenario) == (agent, scenario):
            said = " ".join(result.said.split())[:300].replace("|", "/")
            extra = f"; left: {len(result.left)} processes" if result.left else ""
            extra += f"; the key is in {', '.join(result.leaks[:3])}" if result.leaks else ""
            extra += f"; left in the home folder: {', '.join(result.strays[:3])}" if result.strays else ""
            extra += f"; went to {', '.join(sorted(set(result.elsewhere)))}" if result.elsewhere else ""
            return f"{'held' if result.held else '**fell**'}, {result.took_s:.1f} s: {said}{extra}"
    return "-"


def _costs(costs: Sequence[Cost]) -> list[str]:
    if not costs:
        return []
    lines = [
        "## CPU that Burnish adds to a call", "",
        "User and system time for one question and a one-word answer, started by hand with its output read to the end, and asked through "
        "its adapter, in turn; medians, of the process that asks. Beside it what the CLI itself uses.", "",
        "| CLI | by hand | through Burnish | added | the CLI itself | pairs |",
        "|---|---|---|---|---|---|",
    ]  # fmt: skip
    for cost in costs:
        own = f"{cost.by_hand.own_ms:.0f} ms | {cost.by_burnish.own_ms:.0f} ms | {cost.added_ms:.0f} ms"
        lines.append(f"| {cost.agent} | {own} | {cost.by_hand.children_ms:.0f} ms | {cost.pairs} |")
    return [*lines, ""]


def _missing(versions: Mapping[str, str]) -> str:
    missing = [
        f"- {name}: it could not be installed here.\n" for name, version in versions.items() if not version
    ]
    return NOT_TESTED + "".join(missing) + MORE
