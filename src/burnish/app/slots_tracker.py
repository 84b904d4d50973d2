"""The beads of the user's repository: their file, else what `bd` lists; `bd close` only where asked for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from burnish.app.place import Place
from burnish.errors import UsageError
from burnish.process.child import CannotStart, Command, Finished, ProgramMissing
from burnish.process.environment import child_environment
from burnish.process.program import Lookup, find_program
from burnish.process.supervisor import run
from burnish.repository_files import read_below
from burnish.sanitise import clean_line
from burnish.slots.beads import read_beads, read_list
from burnish.slots.work_item import WorkItem

FILE = ".beads/issues.jsonl"
LIST = ("list", "--json", "--all", "--limit", "0")
MOST_BYTES = 32 * 1024 * 1024
TIMEOUT_S = 15.0
ERROR_CHARS = 300


@dataclass(frozen=True)
class Beads:
    """Read anew each time: people and other tools work on it meanwhile."""

    place: Place

    @property
    def file(self) -> Path:
        return self.place.repository.root / FILE

    @property
    def there(self) -> bool:
        return os.path.lexists(self.file)

    async def items(self) -> tuple[WorkItem, ...]:
        """Of the file; where it is missing or has a line that is no bead, of `bd`. Raises UsageError."""
        try:
            return self._of_file()
        except UsageError as error:
            program = self._program()
            if program is None:
                raise
            why = error
        finished = await self._call(program, LIST)
        if not finished.ok:
            said = clean_line(finished.stderr.text.strip() or finished.stdout.text.strip())[:ERROR_CHARS]
            raise UsageError(f"{why.message} `bd list` did not help either: {said}", hint=why.hint)
        if finished.stdout.left_out:
            raise UsageError("`bd list` printed more than can be read.", hint="close or delete old beads")
        return read_list(finished.stdout.text, "`bd list --json`")

    async def close(self, bead: str, why: str) -> str:
        """Why the tracker could not be told; empty when it was."""
        program = self._program()
        if program is None:
            return "bd is not installed"
        try:
            finished = await self._call(program, ("close", bead, "--reason", why))
        except CannotStart as error:
            return error.message
        said = finished.stderr.text.strip() or finished.stdout.text.strip()
        return "" if finished.ok else f"bd close {bead}: {clean_line(said)[:ERROR_CHARS]}"

    def _of_file(self) -> tuple[WorkItem, ...]:
        try:
            data = read_below(self.place.repository.root, FILE, MOST_BYTES)
        except OSError as error:
            raise UsageError(
                f"expected beads in {FILE}, and it cannot be read: {error.strerror}.",
                hint="bd init makes it; --source tasks or --source checklist:FILE takes work from elsewhere",
            ) from None
        if len(data) > MOST_BYTES:
            raise UsageError(
                f"{FILE} is larger than {MOST_BYTES // 1024**2} MB.", hint="is it the right file?"
            )
        try:
            return read_beads(data.decode(), FILE)
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            raise UsageError(
                f"{FILE}, line {line}: expected a bead, found bytes that are no text.", hint="mend that line"
            ) from None

    def _program(self) -> Path | None:
        """The user's own `bd`; never one that lies in the repository."""
        root = self.place.repository.root
        try:
            return find_program("bd", Lookup(self.place.environ.get("PATH", ""), root, (root,)))
        except ProgramMissing:
            return None

    async def _call(self, program: Path, arguments: tuple[str, ...]) -> Finished:
        return await run(
            Command(
                argv=(str(program), *arguments),
                cwd=self.place.repository.root,
                env=child_environment(self.place.environ),
                timeout_s=TIMEOUT_S,
                keep_bytes=2 * MOST_BYTES,
            )
        )
