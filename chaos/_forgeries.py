"""Forgeries of receipts that are consistent with themselves, and where they are put: none may be called proven."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli import Said
from tests.receipts import rederived, renamed, verdict_of

from chaos._desk import GOOD, Desk, Desks

GATE = ("--gate", "test -f app.py")
BAD = "Path('app.py').write_text(Path('app.py').read_text() + '# bad\\n')\n"
# An agent knows the id of its run, so it can plant a file of that name on its branch.
PLANT = "Path(os.environ['BURNISH_RUN']).write_text('{}')\n"
PROVEN, NOT_PROVEN, FALSE, USAGE = 0, 4, 1, 2


@dataclass(frozen=True)
class Made:
    """An ended run and its receipt."""

    desk: Desk
    run: str
    path: Path
    receipt: dict[str, Any]
    branch: str
    commit: str

    def verify(self, what: object, *more: str) -> Said:
        return self.desk.burnish("receipt", "verify", str(what), *more)

    def wrote(self, receipt: Any, name: str = "forged.json") -> Path:
        path = self.desk.folder / name
        path.write_text(json.dumps(receipt), "utf8")
        return path


def made(desks: Desks, *extra: str, implement: str = GOOD) -> Made:
    desk = desks.new()
    end = desk.run("--cycles", "1", *GATE, *extra, implement=implement).end
    path = Path(end["receipt"])
    return Made(
        desk, end["run"], path, json.loads(path.read_text()), end["branch"] or "", end["commit"] or ""
    )


def passing(receipt: dict[str, Any]) -> dict[str, Any]:
    """A run that did not pass, told as if its last review had passed."""
    forged = copy.deepcopy(receipt) | {"outcome": "passed", "reason": "review_passed"}
    for event in forged["events"]:
        if event.get("result_type") == "Review":
            event["result"] |= {
                "verdict": "pass",
                "native": "APPROVED",
                "overruled": "",
                "unclear": "",
                "findings": [],
            }
    return rederived(forged)


def short(receipt: dict[str, Any], count: int) -> dict[str, Any] | None:
    """Only its first events, with all that follows from them; None when those are not a run's."""
    try:
        return rederived(receipt | {"events": receipt["events"][:count]})
    except (KeyError, IndexError):
        return None


def wrong(said: Said, *codes: int) -> str:
    """Empty when it ended with one of the codes and the words fit to that."""
    answers = {
        PROVEN: "is proven by",
        NOT_PROVEN: "is consistent but not proven",
        FALSE: "does not hold",
        USAGE: "",
    }
    fits = said.code in codes and answers[said.code] in said.out
    return "" if fits else f"exit {said.code}, expected {codes}: {(said.out + said.err)[-300:]}"


def contents(passed: Made, failed: Made, every: int) -> Iterator[tuple[str, str]]:
    """What a forger can write into a file; the events are cut at every so many."""
    forged = passing(failed.receipt)
    assert verdict_of(forged, failed.path.parents[1] / "runs" / failed.run / "run.git") == "holds", (
        "no good forgery"
    )
    yield (
        "an unknown run that passed",
        wrong(passed.verify(passed.wrote(renamed(passed.receipt, "r-zzzz"))), NOT_PROVEN),
    )
    for name in ("", ".", "../..", "r-", "%", "\u202er-1", "r-" + "z" * 5000):
        said = passed.verify(passed.wrote(renamed(passed.receipt, name)))
        yield f"an unknown run {name[:20]!r}", wrong(said, NOT_PROVEN)
    yield "a failed run told as passed", wrong(failed.verify(failed.wrote(forged)), FALSE)
    yield (
        "the same under an unknown id",
        wrong(failed.verify(failed.wrote(renamed(forged, "r-zzzz"))), NOT_PROVEN),
    )
    yield (
        "another machine's id for it",
        wrong(passed.verify(passed.wrote(renamed(forged, passed.run))), FALSE),
    )
    yield "the file as it is, copied", wrong(passed.verify(passed.wrote(passed.receipt)), PROVEN)
    for count in range(1, len(passed.receipt["events"]), every):
        if cut := short(passed.receipt, count):
            yield f"cut after event {count}", wrong(passed.verify(passed.wrote(cut)), FALSE)
    state = failed.path.read_text()
    failed.path.write_text(json.dumps(forged))
    yield "put into the state folder", wrong(failed.verify(failed.run), FALSE)
    failed.path.write_text(state)
    yield "the receipt of another run in the state folder", in_the_place_of(failed, passed)


def in_the_place_of(failed: Made, passed: Made) -> str:
    state = failed.path.read_text()
    failed.path.write_text(json.dumps(passed.receipt))
    why = wrong(failed.verify(failed.run), FALSE)
    failed.path.write_text(state)
    return why


def names(planted: Made) -> Iterator[tuple[str, str]]:
    """A branch with a file called like the run: `planted` is the run whose agent put it there."""
    repo = planted.desk.repo
    repo.git("checkout", "-q", planted.branch)
    assert (repo.path / planted.run).is_file(), "nothing was planted"
    for name in (planted.run, planted.run.removeprefix("r-"), planted.run[:-1]):
        if name != planted.run:
            (repo.path / name).write_text("{}")
        yield f"a file called {name.replace(planted.run, 'RUN')!r}", wrong(planted.verify(name), PROVEN)
    for name in ("r-other", "receipt", "nothing"):
        (repo.path / name).write_text(json.dumps(planted.receipt))
        yield f"a receipt called {name!r}", wrong(planted.verify(name), USAGE)
    yield "the same as a path", wrong(planted.verify("./r-other"), PROVEN)


def signatures(passed: Made) -> Iterator[tuple[str, str]]:
    """On a machine without the journal."""
    if shutil.which("ssh-keygen") is None:
        return
    folder, repo = passed.desk.folder, passed.desk.repo
    for name in ("mine", "other"):
        ssh_keygen("-q", "-t", "ed25519", "-N", "", "-f", str(folder / name))
        (folder / f"{name}.signers").write_text(f"{name} {(folder / f'{name}.pub').read_text()}")
    away = {"BURNISH_STATE": str(folder / "elsewhere")}
    listed = ("--signers", str(folder / "mine.signers"))

    def said(receipt: Any, key: str, *more: str, space: str = "burnish-receipt") -> Said:
        path = passed.wrote(receipt, "signed.json")
        Path(f"{path}.sig").unlink(missing_ok=True)
        ssh_keygen("-q", "-Y", "sign", "-f", str(folder / key), "-n", space, str(path))
        return passed.desk.burnish("receipt", "verify", str(path), *more, env=away)

    repo.git("checkout", "-q", passed.branch)
    forged = renamed(passed.receipt, "r-zzzz")
    yield "an allowed signer", wrong(said(passed.receipt, "mine", *listed), PROVEN)
    yield "another key, no list", wrong(said(forged, "other"), NOT_PROVEN)
    yield "another key than those listed", wrong(said(forged, "other", *listed), NOT_PROVEN)
    yield "the right key for something else", wrong(said(forged, "mine", *listed, space="file"), FALSE)
    for name in ("allowed_signers", ".burnish/allowed_signers", "burnish/allowed_signers"):
        (repo.path / name).parent.mkdir(exist_ok=True)
        (repo.path / name).write_text((folder / "other.signers").read_text())
        yield f"a list in the repository ({name})", wrong(said(forged, "other"), NOT_PROVEN)
    repo.git("config", "gpg.ssh.allowedSignersFile", str(folder / "other.signers"))
    yield "a list in the repository's git settings", wrong(said(forged, "other"), NOT_PROVEN)
    said(passed.receipt, "mine")
    moved = passed.wrote(forged, "signed.json")
    yield (
        "the signature of another receipt",
        wrong(passed.desk.burnish("receipt", "verify", str(moved), *listed, env=away), FALSE),
    )
    Path(f"{moved}.sig").write_text("-----BEGIN SSH SIGNATURE-----\n")
    yield (
        "a torn signature",
        wrong(passed.desk.burnish("receipt", "verify", str(moved), *listed, env=away), FALSE),
    )
    refused = passed.desk.burnish("receipt", "sign", str(moved), "--key", str(folder / "mine"))
    yield "a forgery brought to be signed", wrong(refused, USAGE)


def ssh_keygen(*arguments: str) -> None:
    subprocess.run(["ssh-keygen", *arguments], check=True, capture_output=True, stdin=subprocess.DEVNULL)
