"""What the signals of a lost session are worth: a PASS needs its receipt, a commit must be somewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from burnish.app.place import Place
from burnish.app.receipts import Found, check, receipt_in_state
from burnish.app.spec_plan import prompt_of
from burnish.app.start import workspaces_of
from burnish.errors import UsageError
from burnish.git.call import Place as GitPlace
from burnish.git.lander import GitLander
from burnish.model.outcome import Outcome
from burnish.model.receipt import Receipt
from burnish.receipts.chain import hash_of
from burnish.receipts.proof import Proof
from burnish.specs.phase import Phase, Spec
from burnish.specs.signals import Signal

_RUN = re.compile(r"r-[a-z0-9]{1,40}")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class Evidence:
    """Receipts are read from the state folder only, whatever path a signal names."""

    place: Place
    spec: Spec

    async def of(self, signal: Signal) -> Receipt | None:
        """The receipt of its run if it is proven, and is about this commit and the words of this phase."""
        found = self._receipt(signal)
        phase = next((one for one in self.spec.phases if one.num == signal.phase), None)
        if found is None or phase is None or not self._about(found.receipt, signal, phase):
            return None
        return found.receipt if (await check(found)).proof is Proof.PROVEN else None

    async def at_hand(self, signal: Signal, base: str, name: str) -> bool:
        """Whether its commit is in the repository; one that only the lost run's own store has comes there."""
        repository = self.place.repository
        if not _COMMIT.fullmatch(signal.commit):
            return False
        if await self._has(repository.place, signal.commit):
            return True
        store = self.place.run_folder(signal.run) / "run.git"
        if not (_RUN.fullmatch(signal.run) and store.is_dir()):
            return False
        async with await workspaces_of(self.place, signal.run, base) as workspaces:
            if not await self._has(workspaces.store.place, signal.commit):
                return False
            await GitLander(repository, workspaces.store, base).branch(signal.commit, name)
        return True

    def _receipt(self, signal: Signal) -> Found | None:
        if not _RUN.fullmatch(signal.run):
            return None
        try:
            return receipt_in_state(self.place, signal.run)
        except UsageError:
            return None

    def _about(self, receipt: Receipt, signal: Signal, phase: Phase) -> bool:
        """A receipt of another phase, or of this one in other words, shows nothing."""
        if receipt.outcome != Outcome.PASSED or receipt.run != signal.run or not receipt.events:
            return False
        told = hash_of(receipt.events[0].get("task", ""))
        return receipt.result_commit == signal.commit and told == hash_of(prompt_of(phase))

    async def _has(self, place: GitPlace, commit: str) -> bool:
        git = self.place.repository.git
        return (await git.ask("cat-file", "-e", f"{commit}^{{commit}}", at=place)).code == 0
