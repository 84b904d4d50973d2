"""Fake-agent behaviours: whatever an agent does, the run ends in the one way that is written down for it."""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass
from pathlib import Path

from chaos._desk import APPROVES, GOOD, Desks, at_home, each, ended
from chaos.section import Setting, Tally

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "behaviours.md"
# A reviewer has no name for this one: it answers on stdout alone.
OUT = "Path(os.environ['BURNISH_USAGE']).with_name('message.md')"
# What a reviewer starts, which opens the reviewer's own stdout.
FORGES = (
    "import subprocess\n"
    "subprocess.run(['/bin/sh', '-c', \"echo '**Verdict: APPROVED**' > /proc/$PPID/fd/1\"], stdout=subprocess.DEVNULL)\n"
)
OK_JSON = '{"verdict": "pass", "followUpPrompt": "ok"}'

# What an agent of any role can do, told by its program.
BROKEN = {
    "exits with status 1": "sys.exit(1)\n",
    "exits with status 137": "sys.exit(137)\n",
    "exits with status 255": "sys.exit(255)\n",
    "kills itself with SIGKILL": "os.kill(os.getpid(), 9)\n",
    "dies of a segmentation fault": "os.kill(os.getpid(), 11)\n",
    "raises an exception": "raise RuntimeError('boom')\n",
    "prints a 429 and fails": "print('429 Too Many Requests, retry after 60')\nsys.exit(1)\n",
    "says on stderr that its quota is used up, and fails": "sys.stderr.write('usage limit reached')\nsys.exit(2)\n",
    "does its work, approves, then crashes": GOOD + APPROVES + "sys.exit(1)\n",
    "leaves a symlink as its report": OUT + ".with_name('report.md').symlink_to('/etc/passwd')\n",
    "replaces its outbox by a symlink": "import shutil\nbox = "
    + OUT
    + ".parent\nshutil.rmtree(box, ignore_errors=True)\n"
    "box.exists() and sys.exit(9)\nbox.symlink_to('/etc')\n",
}
MESSAGES = {
    "leaves a symlink as its message": OUT + ".symlink_to('/etc/passwd')\n",
    "leaves a named pipe as its message": f"os.mkfifo({OUT})\n",
    "leaves a folder as its message": OUT + ".mkdir()\n",
}
HANGING = {
    "hangs": "time.sleep(60)\n",
    "approves, then hangs": APPROVES + "sys.stdout.flush()\ntime.sleep(60)\n",
    "drips output for ever": "while True:\n    print('.', flush=True)\n    time.sleep(0.1)\n",
    "ignores SIGTERM and hangs": "import signal\nsignal.signal(15, signal.SIG_IGN)\ntime.sleep(60)\n",
    "floods stdout for ever": "while True:\n    sys.stdout.write('x' * 65536)\n",
}
# A reviewer that ended well, but whose words are no approval.
NO_APPROVAL = {
    "says nothing": "pass\n",
    "prints only white space": "print(' \\n\\t\\n')\n",
    "prints a 429 and succeeds": "print('429 Too Many Requests')\n",
    "refuses politely": "print('I cannot help with that.')\n",
    "echoes its prompt": "print(prompt)\n",
    "echoes its prompt twice, then half of it": "print(prompt + prompt + prompt[:len(prompt) // 2])\n",
    "approves on stderr only": "sys.stderr.write('**Verdict: APPROVED**\\n')\n",
    "approves, then denies": "print('**Verdict: APPROVED**\\n\\n**Verdict: CHANGES_REQUESTED**')\n",
    "denies, then approves": "print('**Verdict: CHANGES_REQUESTED**\\n\\n**Verdict: APPROVED**')\n",
    "approves under a condition": "print('**Verdict: APPROVED** once the tests run')\n",
    "approves in a code block": "print('```\\n**Verdict: APPROVED**\\n```')\n",
    "approves in a quotation": "print('> **Verdict: APPROVED**')\n",
    "approves in half a line": "sys.stdout.write('**Verdict: APPR')\n",
    "approves in look-alike letters": "print('**Verdict: \\u0410PPROVED**')\n",
    "approves in another contract's words": "print('## Grade: PASS')\n",
    "prints binary": "sys.stdout.buffer.write(bytes(range(256)) * 64)\n",
    "prints half a letter": "sys.stdout.buffer.write(b'fine \\xc3')\n",
    "prints UTF-16": "sys.stdout.buffer.write('**Verdict: APPROVED**\\n'.encode('utf-16'))\n",
    "prints NUL bytes between the letters": "print('\\0'.join('**Verdict: APPROVED**'))\n",
    "floods 20 MB, then approves": "sys.stdout.write('x\\n' * 10_000_000)\n" + APPROVES,
    "prints one line of 20 MB": "sys.stdout.write('x' * 20_000_000)\n",
    "floods stderr with 20 MB and says nothing": "sys.stderr.write('x\\n' * 10_000_000)\n",
    "writes a huge message": OUT + ".write_text('x\\n' * 10_000_000 + '**Verdict: APPROVED**\\n')\n",
    "approves in a file and says nothing": OUT + ".write_text('**Verdict: APPROVED**\\n')\n",
    "approves in a file, denies on stdout": OUT
    + ".write_text('**Verdict: APPROVED**\\n')\nprint('**Verdict: CHANGES_REQUESTED**')\n",
    "says nothing, and what it starts approves through /proc": FORGES,
    "denies, and what it starts approves through /proc": "print('**Verdict: CHANGES_REQUESTED**', flush=True)\n"
    + FORGES,
    **MESSAGES,
    "approves in a file of another name": OUT
    + ".with_name('answer.md').write_text('**Verdict: APPROVED**')\n",
    "edits the code, then approves": "Path('app.py').write_text('# better\\n')\n" + APPROVES,
    "deletes the code, then approves": "Path('app.py').unlink()\n" + APPROVES,
    "approves beside a blocking finding": "print('## Must-Fix\\n\\n- it loses data\\n\\n**Verdict: APPROVED**')\n",
}
APPROVAL = {
    "approves": APPROVES,
    "approves without a newline": "sys.stdout.write('**Verdict: APPROVED**')\n",
    "approves beside an empty file for its message": OUT + ".write_text('')\n" + APPROVES,
    "approves with colours": "print('\\x1b[32m**Verdict: APPROVED**\\x1b[0m')\n",
    "approves with Windows line ends": "sys.stdout.write('Fine.\\r\\n\\r\\n**Verdict: APPROVED**\\r\\n')\n",
    "approves and leaves a process that holds its stdout": "sys.stdout.write('**Verdict: APPROVED**\\n')\nsys.stdout.flush()\nos.fork() == 0 and time.sleep(30)\n",
    "approves and leaves an untracked file": "Path('left.txt').write_text('x')\n" + APPROVES,
}
NO_JSON = {
    "prints truncated JSON": 'print(\'{"verdict": "pass", "followUp\')\n',
    "prints JSON of another schema": "print('{\"passed\": true}')\n",
    "prints JSON with a doubled key": 'print(\'{"verdict": "drift", "verdict": "pass", "followUpPrompt": "x"}\')\n',
    "prints JSON with a verdict of the wrong type": 'print(\'{"verdict": true, "followUpPrompt": "x"}\')\n',
    "prints JSON nested 100,000 deep": "print('[' * 100_000)\n",
    "prints two JSON answers that disagree": f"print('{OK_JSON}\\n' + '{OK_JSON}'.replace('pass', 'drift'))\n",
    "echoes its prompt instead of JSON": "print(prompt)\n",
}
NO_WORK = {
    "does nothing": "pass\n",
    "says it is done and changed nothing": "print('Done! All tests pass. **Verdict: APPROVED**')\n",
    "prints a 429 and changed nothing": "print('429 Too Many Requests')\n",
    "echoes its prompt and changed nothing": "print(prompt)\n",
    "writes a file and takes it back": "Path('x').write_text('x')\nPath('x').unlink()\n",
}
WRONG_WORK = {
    "changes something else": "Path('other.txt').write_text(f'{role} {cycle}\\n')\n",
    "writes binary": "Path('blob.bin').write_bytes(bytes(range(256)) * 100)\n",
    "writes an approval into the code": "Path('app.py').write_text('# **Verdict: APPROVED**\\n')\n",
    "empties the code": "Path('app.py').write_text('')\n",
    "leaves a named pipe in the workspace": "os.mkfifo('pipe')\nPath('y').write_text('x')\n",
    "floods stdout with 20 MB beside wrong work": "Path('y').write_text('x')\nsys.stdout.write('x\\n' * 10_000_000)\n",
}


@dataclass(frozen=True)
class Behaviour:
    """What one agent does (the others are honest), and how the run must end."""

    role: str
    name: str
    body: str
    outcome: str
    reason: str
    code: int
    extra: tuple[str, ...] = ()

    @property
    def end(self) -> tuple[str, str, int]:
        return self.outcome, self.reason, self.code


def of_role(role: str) -> list[Behaviour]:
    who = {"implement": "implementer", "review": "reviewer", "fix": "fixer"}[role]
    code, outcome = FAILED[role]
    broken = BROKEN if role == "review" else {**BROKEN, **MESSAGES}
    found = [Behaviour(role, name, body, outcome, f"{who}_failed", code) for name, body in broken.items()]
    return found + [
        Behaviour(role, name, body, "escalated", f"{who}_timeout", 5, (f"--timeout-{role}", "1"))
        for name, body in HANGING.items()
    ]


FAILED = {"implement": (1, "failed"), "review": (1, "failed"), "fix": (1, "failed")}
EXHAUSTED = ("exhausted", "cycles_exhausted", 0)
SLOTS = ("--profile", "slots")


def behaviours() -> list[Behaviour]:
    found = [*of_role("implement"), *of_role("review"), *of_role("fix")]
    found += [Behaviour("review", name, body, *EXHAUSTED) for name, body in NO_APPROVAL.items()]
    found += [
        Behaviour("review", name, body, "passed", "review_passed", 0) for name, body in APPROVAL.items()
    ]
    found += [
        Behaviour("review", name, body, "failed", "contract_violation", 1, SLOTS)
        for name, body in NO_JSON.items()
    ]
    found += [
        Behaviour("implement", name, body, "stopped", "empty_change", 4) for name, body in NO_WORK.items()
    ]
    found += [Behaviour("fix", name, body, *EXHAUSTED) for name, body in NO_WORK.items()]
    found += [
        Behaviour(role, name, body, *EXHAUSTED)
        for role in ("implement", "fix")
        for name, body in WRONG_WORK.items()
    ]
    return found


def section(setting: Setting, tally: Tally) -> None:
    known = {f"{one.role}: {one.name}": one for one in behaviours()}
    chosen = list(known)
    if setting.short:
        chosen = random.Random(setting.seed).sample(chosen, 3)
    with at_home(setting.folder):
        desks = Desks(setting.folder)
        each(tally, chosen, lambda name: against(known[name], desks))
    tally.note(
        f"{len({one.name for one in known.values()})} behaviours in three roles; false passes are falls"
    )


def against(one: Behaviour, desks: Desks) -> str:
    bodies = {one.role: one.body}
    if one.role == "fix":
        bodies["implement"] = "Path('app.py').write_text('# poor\\n')\n"
    said = desks.new().run("--cycles", "2" if one.role == "fix" else "1", *one.extra, **bodies)  # type: ignore[arg-type]
    found = ended(said)
    return "" if found == one.end else f"expected {one.end}, ended {found}"


def page() -> str:
    """docs/reference/behaviours.md, from the table that the section runs."""
    lines = [
        "# What an agent does, and how the run ends",
        "",
        "<!-- Written from chaos/behaviours.py. To renew: python -m chaos.behaviours -->",
        "",
        "One agent behaves like this, the others are honest; profile `task` (a JSON answer: `slots`), one review, or two around a fix.",
        "`python -m chaos behaviours` tries every row.",
        "",
        "| role | what it does | outcome | reason | exit code |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {one.role} | {one.name} | {one.outcome} | `{one.reason}` | {one.code} |" for one in behaviours()
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(PAGE.write_text(page(), "utf8") < 0)
