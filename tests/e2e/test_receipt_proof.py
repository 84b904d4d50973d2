"""`burnish receipt verify` has three answers: proven, consistent but not proven, does not hold."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from burnish.mcp.host_tools import answer
from burnish.mcp.reviews import Reviews
from tests.cli import Said, burnish
from tests.receipt_bench import Bench, needs_ssh_keygen
from tests.receipts import cut_after_the_review, forged, renamed
from tests.repos import TestRepo, run_git

ANSWERS = {0: "proven", 1: "does_not_hold", 4: "not_proven"}


@pytest.fixture
def bench(tmp_path: Path, repo: Callable[..., TestRepo]) -> Bench:
    return Bench(tmp_path, repo({"app.py": "x = 1\n"}))


def verified(bench: Bench, what: object, *more: str, **options: Any) -> Said:
    """What `receipt verify` says in words; its answer as JSON is the same."""
    folder = options.pop("folder", bench.repo.path)
    said = burnish(folder, "receipt", "verify", str(what), *more, **options)
    as_json = burnish(folder, "receipt", "verify", str(what), *more, "--json", **options)
    assert as_json.code == said.code
    if said.code != 2:
        assert json.loads(as_json.out)["answer"] == ANSWERS[said.code]
    return said


def receipt_of(end: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(end["receipt"]).read_text())
    return found


def told_to_a_host(bench: Bench, run: str) -> tuple[str, bool]:
    """What the tool of `burnish mcp` answers."""
    found = asyncio.run(
        answer("receipt_get", {"repository": str(bench.repo.path), "run": run}, Reviews(), "")
    )
    return found["answer"], found["verified"]


def keys(bench: Bench, *names: str) -> None:
    for name in names:
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(bench.folder / name)]
        subprocess.run(command, check=True)
        (bench.folder / f"{name}.signers").write_text(f"{name} {(bench.folder / f'{name}.pub').read_text()}")


def elsewhere(bench: Bench, end: dict[str, Any]) -> dict[str, Any]:
    """A fresh clone on a machine that has never seen the run."""
    if not (bench.folder / "clone").exists():
        run_git(bench.folder, "clone", "-q", "-b", end["branch"], bench.repo.path, "clone")
    return {"folder": bench.folder / "clone", "env": {"BURNISH_STATE": str(bench.folder / "other-state")}}


# Proven by the journal


def test_a_receipt_is_proven_by_the_journal_of_its_run_by_id_and_as_a_file(bench: Bench) -> None:
    end = bench.run()
    copied = bench.altered(receipt_of(end))
    for what in (end["run"], end["receipt"], copied):
        said = verified(bench, what)
        assert (said.code, said.out.splitlines()[-1]) == (
            0,
            f"the receipt of {end['run']} is proven by the journal of this machine: passed (review_passed)",
        )
        assert "✓ journal" in said.out
    assert told_to_a_host(bench, end["run"]) == ("proven", True)


def test_in_a_fresh_clone_a_receipt_is_consistent_but_not_proven(bench: Bench) -> None:
    end = bench.run()
    said = verified(bench, end["receipt"], **elsewhere(bench, end))
    *_, why, last = said.out.splitlines()
    assert (said.code, "✓ difference" in said.out) == (4, True)
    assert (
        last == f"the receipt of {end['run']} is consistent but not proven; it claims: passed (review_passed)"
    )
    assert why.startswith(
        f"not compared: this machine has no journal of run {end['run']}, and there is no signature"
    )
    assert "to prove it, verify it on the machine that made the run" in why


@pytest.mark.parametrize("name", ["r-zzzz", "../../r-zzzz", "", "r-'; DROP TABLE runs"])
def test_a_forgery_under_an_unknown_run_id_is_never_proven(bench: Bench, name: str) -> None:
    receipt = receipt_of(bench.run())
    said = verified(bench, bench.altered(renamed(receipt, name)))
    assert (said.code, "✗" in said.out) == (4, False)
    assert "consistent but not proven" in said.out
    assert "holds" not in said.out
    shown = burnish(bench.repo.path, "receipt", "show", str(bench.folder / "altered.json")).out
    assert "checked no, this is only what the file says" in shown


def test_what_the_journal_does_not_say_does_not_hold_however_well_it_is_forged(bench: Bench) -> None:
    end = bench.run()
    receipt = receipt_of(end)
    said = verified(bench, bench.altered(forged(receipt | {"burnish": "9.9"})))
    assert (said.code, "✗ seal in the journal: the journal has another one" in said.out) == (1, True)
    cut = cut_after_the_review(receipt)
    assert len(cut["events"]) < len(receipt["events"])
    said = verified(bench, bench.altered(cut))
    assert (said.code, "✗ journal: the run went on after this (step_" in said.out) == (1, True)


def test_a_journal_without_the_end_of_the_run_proves_nothing(
    bench: Bench, isolated_environment: Path
) -> None:
    end = bench.run()
    [database] = (isolated_environment / "burnish-state").glob("repos/*/burnish.db")
    connection = sqlite3.connect(database)
    connection.execute("DELETE FROM events WHERE kind = 'run_finished'")
    connection.commit()
    connection.close()
    said = verified(bench, end["run"])
    assert (said.code, f"the journal does not have the end of run {end['run']}" in said.out) == (4, True)
    assert told_to_a_host(bench, end["run"]) == ("not_proven", False)


def test_a_run_of_an_older_burnish_that_recorded_no_seal_is_still_proven(
    bench: Bench, isolated_environment: Path
) -> None:
    end = bench.run()
    [database] = (isolated_environment / "burnish-state").glob("repos/*/burnish.db")
    connection = sqlite3.connect(database)
    changed = connection.execute(
        "UPDATE events SET body = json_remove(body, '$.seal', '$.landed_as_asked') WHERE kind = 'run_finished'"
    )
    assert changed.rowcount == 1
    connection.commit()
    connection.close()
    assert verified(bench, end["run"]).code == 0


# A run or a file


@pytest.mark.parametrize("words", [("verify",), ("show",), ("sign", "--key", "key")])
def test_a_file_called_like_a_run_is_never_taken_for_the_run(bench: Bench, words: tuple[str, ...]) -> None:
    end = bench.run("--cycles", "1")
    planted = bench.repo.path / end["run"]
    planted.write_text("planted")
    (bench.repo.path / "r-other").write_text("planted")
    (bench.repo.path / "key").write_text("no key")
    said = burnish(bench.repo.path, "receipt", *words, end["run"])
    assert "planted" not in said.out + said.err
    if words[0] == "verify":
        assert said.out.splitlines()[-1].endswith("journal of this machine: exhausted (cycles_exhausted)")
    other = burnish(bench.repo.path, "receipt", *words, "r-other")
    assert (other.code, other.out) == (2, "")
    assert "there is no run 'r-other'" in other.err
    assert "for the file of that name, write ./r-other" in other.err
    as_file = burnish(bench.repo.path, "receipt", *words, "./r-other")
    assert (as_file.code, "./r-other cannot be read as a receipt" in as_file.err) == (2, True)


@pytest.mark.parametrize(
    "name", ["r-", "", "no such", "./missing.json", "missing.json", "folder/", "pipe.json", "-"]
)
def test_a_name_that_is_no_run_and_no_file_gets_one_sentence(bench: Bench, name: str) -> None:
    (bench.repo.path / "folder").mkdir()
    os.mkfifo(bench.repo.path / "pipe.json")
    bench.run("--cycles", "1")
    said = burnish(bench.repo.path, "receipt", "verify", "--", name)
    assert (said.code, said.out) == (2, "")
    assert len(said.err.splitlines()) <= 3
    assert "Traceback" not in said.err


# Proven by a signature


@needs_ssh_keygen
def test_a_signature_of_an_allowed_signer_proves_a_receipt_on_any_machine(
    bench: Bench, isolated_environment: Path
) -> None:
    end = bench.run()
    keys(bench, "mine", "other")
    signed = burnish(bench.repo.path, "receipt", "sign", end["run"], "--key", str(bench.folder / "mine"))
    assert signed.code == 0, signed.err
    there = elsewhere(bench, end)
    said = verified(bench, end["receipt"], "--signers", str(bench.folder / "mine.signers"), **there)
    assert (said.code, "is proven by the signature of mine: passed" in said.out) == (0, True)
    # Nobody is allowed: the signature may be anyone's.
    said = verified(bench, end["receipt"], **there)
    assert (said.code, "there is a signature, but no list of allowed signers" in said.out) == (4, True)
    said = verified(bench, end["receipt"], "--signers", str(bench.folder / "other.signers"), **there)
    assert (said.code, "its signature is by none of the signers in" in said.out) == (4, True)
    # The user's own list is the only one that is taken without being named.
    (there["folder"] / "allowed_signers").write_text((bench.folder / "mine.signers").read_text())
    assert verified(bench, end["receipt"], **there).code == 4
    listed = Path(os.environ["XDG_CONFIG_HOME"]) / "burnish" / "allowed_signers"
    listed.parent.mkdir(parents=True, exist_ok=True)
    listed.write_text((bench.folder / "mine.signers").read_text())
    assert verified(bench, end["receipt"], **there).code == 0


@needs_ssh_keygen
def test_beside_named_signers_the_journal_does_not_count(bench: Bench) -> None:
    end = bench.run()
    keys(bench, "mine", "other")
    signers = ("--signers", str(bench.folder / "mine.signers"))
    said = verified(bench, end["run"], *signers)
    assert (said.code, "there is no signature beside" in said.out) == (4, True)
    burnish(bench.repo.path, "receipt", "sign", end["run"], "--key", str(bench.folder / "other"))
    assert verified(bench, end["run"], *signers).code == 4
    assert verified(bench, end["run"]).code == 0


@needs_ssh_keygen
def test_a_signature_of_other_bytes_does_not_hold(bench: Bench) -> None:
    keys(bench, "key")
    end = bench.run("--sign", str(bench.folder / "key"))
    assert Path(f"{end['receipt']}.sig").is_file()
    assert "✓ signature" in verified(bench, end["run"]).out
    Path(end["receipt"]).write_text(Path(end["receipt"]).read_text() + " ")
    signers = ("--signers", str(bench.folder / "key.signers"))
    for more in ((), signers):
        said = verified(bench, end["run"], *more)
        assert (said.code, "✗ signature" in said.out) == (1, True)
    Path(f"{end['receipt']}.sig").write_text("no signature")
    assert verified(bench, end["run"], *signers).code == 1


@needs_ssh_keygen
@pytest.mark.parametrize("entry", ['mine namespaces="file" ', 'mine valid-before="20200101" ', "!mine "])
def test_a_signer_whose_entry_does_not_allow_the_signature_proves_nothing(bench: Bench, entry: str) -> None:
    end = bench.run()
    keys(bench, "mine")
    burnish(bench.repo.path, "receipt", "sign", end["run"], "--key", str(bench.folder / "mine"))
    signers = bench.folder / "odd.signers"
    signers.write_text(entry + (bench.folder / "mine.pub").read_text())
    assert verified(bench, end["run"], "--signers", str(signers)).code == 4


@needs_ssh_keygen
def test_only_what_the_journal_proves_is_signed(bench: Bench) -> None:
    receipt = receipt_of(bench.run())
    keys(bench, "mine")
    for altered, why in (
        (renamed(receipt, "r-zzzz"), "no journal of run r-zzzz"),
        (forged(receipt | {"burnish": "9"}), "does not hold"),
    ):
        path = bench.altered(altered)
        said = burnish(bench.repo.path, "receipt", "sign", str(path), "--key", str(bench.folder / "mine"))
        assert (said.code, "is not signed: " in said.err, why in said.err) == (2, True, True)
        assert not Path(f"{path}.sig").exists()
