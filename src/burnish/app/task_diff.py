"""What a task changed, as `burnish diff` prints it: also when its commit is in the run's own store only."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass

from burnish.app.place import Place
from burnish.git.borrowed import borrowed
from burnish.git.diff_stream import DiffForm, since_they_parted, stream_diff
from burnish.sanitise import clean, decoded

MOST_HELD_BYTES = 1 << 20

Write = Callable[[bytes], object]


@dataclass(frozen=True)
class DiffRequest:
    """`for_people` makes what could steer a terminal visible; without it the bytes are what git applies."""

    base: str
    commit: str
    run_id: str = ""
    form: DiffForm = DiffForm.FULL
    for_people: bool = False


async def diff_text(place: Place, request: DiffRequest, write: Write) -> int:
    """Write the difference since the commit parted from the base; how many bytes git had to say.

    Nothing is written when nothing changed.
    """
    git = place.repository.git
    own = place.run_folder(request.run_id) / "run.git" if request.run_id else place.mirror
    out = _Visible(write) if request.for_people else _Raw(write)
    total = 0
    with borrowed(place.repository, own, place.mirror) as here:
        before = await since_they_parted(git, here, request.base, request.commit)
        async with aclosing(stream_diff(git, here, before, request.commit, request.form)) as chunks:
            async for chunk in chunks:
                total += len(chunk)
                out.take(chunk)
    out.end()
    return total


@dataclass
class _Raw:
    write: Write

    def take(self, chunk: bytes) -> None:
        self.write(chunk)

    def end(self) -> None:
        pass


@dataclass
class _Visible:
    """Whole lines at a time, so that no character is cut in two; only a line without end is."""

    write: Write
    held: bytes = b""

    def take(self, chunk: bytes) -> None:
        lines, end, rest = (self.held + chunk).rpartition(b"\n")
        if len(rest) > MOST_HELD_BYTES:
            lines, rest = lines + end + rest, b""
            end = b""
        self._print(lines + end)
        self.held = rest

    def end(self) -> None:
        self._print(self.held)
        self.held = b""

    def _print(self, text: bytes) -> None:
        if text:
            self.write(clean(decoded(text)).encode("utf8", "replace"))
