"""The agent of the night, a program of its own: does what the plan says for its step, and keeps a ledger of its calls.

Beside it lie `plan.json`, `ledger` (a line when a call begins and one when it has answered) and, once what
was broken is mended, `healed`. No two calls use the same number of tokens, so what was recorded tells which.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIMITED = "limited"
BROKEN = ("fail", "stall", "idle")
STALL_S = 600
GARBAGE = (
    "I had a look, and it was nice.",
    "**Verdict: MAYBE**",
    "{]",
    "**Verdict: APPROVED**\n\n**Verdict: CHANGES_REQUESTED**",
)


def main() -> int:
    prompt = sys.stdin.read()
    role = os.environ["BURNISH_ROLE"]
    name = prompt.split("NIGHT-", 1)[1][:4]
    step = f"{role}/{os.environ['BURNISH_CYCLE']}/{os.environ['BURNISH_ASK']}"
    acts = json.loads((HERE / "plan.json").read_text())[name].get(step, [])
    kind = next_act(acts, name, step, "approve" if role == "review" else "edit")
    call = os.urandom(6).hex()
    # Sums of 64ths are exact however they are added up.
    used = {
        "tokens_in": int.from_bytes(os.urandom(4)),
        "tokens_out": 7,
        "cost_usd": (1 + os.urandom(1)[0]) / 64,
    }
    facts = {
        "call": call,
        "task": name,
        "step": step,
        "kind": kind,
        "by": grandparent(),
        "run": os.environ["BURNISH_RUN"],
    }
    facts |= {} if kind == "mute" else used
    note({**facts, "at": "start"})
    if kind != "mute":
        Path(os.environ["BURNISH_USAGE"]).write_text(json.dumps(used))
    return answer(kind, facts)


def next_act(acts: list[str], name: str, step: str, usual: str) -> str:
    """Limits come first, each once in the whole night, however often the step is begun again."""
    if (HERE / "healed").exists() and acts and acts[-1] in BROKEN:
        acts = [usual]
    for number, kind in enumerate(acts or [usual]):
        if kind != LIMITED:
            return kind
        try:
            (HERE / "limits" / f"{name}-{step.replace('/', '-')}-{number}").touch(exist_ok=False)
        except FileExistsError:
            continue
        return kind
    return usual


def answer(kind: str, facts: dict[str, object]) -> int:
    call, step = str(facts["call"]), str(facts["step"]).split("/")
    # Slow enough to be met by a kill before, between and after what it does.
    time.sleep(os.urandom(1)[0] / 300)
    if kind in ("edit", "mute", "stall") and step[0] != "review":
        with Path(f"night-{facts['task']}.txt").open("a") as file:
            file.write(f"{step[0]} {step[1]} {call}\n")
    said = {
        "approve": f"call {call}\n\n**Verdict: APPROVED**",
        "change": f"- call {call} wants more\n\n**Verdict: CHANGES_REQUESTED**",
        "discuss": f"call {call}\n\n**Verdict: NEEDS_DISCUSSION**",
        "garbage": f"{GARBAGE[int(call, 16) % len(GARBAGE)]}\n",
        "mute": f"call {call}\n\n**Verdict: APPROVED**",
    }.get(kind, f"call {call}")
    if kind == LIMITED:
        wait = ("429 too many requests, retry after 1 s", "HTTP 429\nRetry-After: 0.5")[int(call, 16) % 2]
        print(wait, file=sys.stderr)
    elif kind in ("fail", "stall"):
        print(f"call {call}", file=sys.stderr, flush=True)
    else:
        print(said, flush=True)
    time.sleep(STALL_S if kind == "stall" else os.urandom(1)[0] / 300)
    note({**facts, "at": "end"})
    return 3 if kind in ("fail", LIMITED) else 0


def grandparent() -> int:
    """The orchestrator: between it and us is the guard."""
    return int(Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2].split()[1])


def note(line: dict[str, object]) -> None:
    """One write at the end of the file: lines of others stay whole."""
    ledger = os.open(HERE / "ledger", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(ledger, json.dumps(line).encode() + b"\n")
    os.close(ledger)


if __name__ == "__main__":
    sys.exit(main())
