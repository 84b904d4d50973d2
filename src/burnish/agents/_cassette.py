"""One call of an agent as a file: what it was asked, what it printed and when, and what it left changed.

Lines of JSON: the question, then each line it printed, then its end. A file without its end is damaged.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.agents._file_changes import FileChange
from burnish.errors import StoreError, UsageError
from burnish.model.agent import Request
from burnish.process.child import Captured, Finished

FORMAT = 1
SUFFIX = ".jsonl"
CLI, COMMAND = "cli", "command"
# As `store/ids` makes them; that of a build is in the ids of its loops.
_RUN_ID = re.compile(r"\br-[a-z2-9]{4,8}\b")
_UNFIT = re.compile(r"[^A-Za-z0-9]+")
Key = tuple[str, str, str, str]


@dataclass(frozen=True)
class RecordedCall:
    """`kind` is a CLI (`adapter` reads its lines) or a command. `finished` is None where it was stopped
    before its end, with or without having `answered`."""

    kind: str
    agent: str
    adapter: str
    request: Mapping[str, Any]
    lines: tuple[tuple[float, bytes], ...] = ()
    finished: Finished | None = None
    answered: bool = False
    seconds: float = 0.0
    version: str = ""
    isolation: str = ""
    files: tuple[FileChange, ...] = ()
    outbox: tuple[FileChange, ...] = ()
    # The tools of its step that it called: each by name, with its arguments.
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()

    @property
    def key(self) -> Key:
        return tuple(str(self.request.get(name, "")) for name in ("role", "cycle", "ask", "part"))  # type: ignore[return-value]

    def answers(self, request: Request) -> bool:
        """Whether it was asked the same, as far as that was kept."""
        return self.request.get("digest") in (None, digest(request))


def asked(request: Request) -> dict[str, Any]:
    """What is kept of a question: nothing of the environment but which step it belongs to."""
    told = request.variables
    return {
        "role": str(request.role),
        "cycle": told.get("BURNISH_CYCLE", ""),
        "ask": told.get("BURNISH_ASK", ""),
        "part": told.get("BURNISH_PART", ""),
        "run": told.get("BURNISH_RUN", ""),
        "model": request.model,
        "tier": str(request.tier),
        "schema": None if request.schema is None else dict(request.schema),
        "digest": digest(request),
        "prompt": request.prompt,
    }


def digest(request: Request) -> str:
    """Of the prompt without what differs between two runs of the same: places, and ids of runs and loops."""
    text = request.prompt
    for place in (request.outbox, request.inbox, request.workspace):
        text = text.replace(str(place), "PLACE")
    run = request.variables.get("BURNISH_RUN", "")
    text = _RUN_ID.sub("RUN", text.replace(run, "RUN") if run else text)
    return hashlib.sha256(text.encode("utf8", "replace")).hexdigest()


def write(folder: Path, call: RecordedCall) -> Path:
    """As the next file of the folder, whole or not at all, readable by its owner alone."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{codec.dumps(line)}\n" for line in _lines(call))
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".recording-")
        with os.fdopen(handle, "w", encoding="utf8") as file:
            file.write(text)
        return _named(folder, Path(temporary), call)
    except OSError as error:
        raise StoreError(
            f"the recording cannot be written to {folder}: {error.strerror}", hint="record to another folder"
        ) from None


def read(path: Path) -> RecordedCall:
    """Raises UsageError, in one sentence, for a file that is none, is damaged, or of another version."""
    try:
        lines = path.read_text("utf8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(path, f"it cannot be read ({error})") from None
    try:
        found = [codec.loads(line) for line in lines]
        version = found[0]["cassette"]
    except (ValueError, LookupError, TypeError):
        raise _damaged(path, "it is not lines of JSON that begin with their format") from None
    if version != FORMAT:
        raise UsageError(
            f"{path} is a recording of format {version!r:.20}, this Burnish reads format {FORMAT}",
            hint="use the Burnish that recorded it, or record it again",
        )
    if not isinstance(found[-1], dict) or "end" not in found[-1]:
        raise _damaged(path, "it has no end")
    try:
        return _call(found)
    except (ValueError, LookupError, TypeError, AttributeError):
        raise _damaged(path, "a field of it is missing or not what it should be") from None


def _damaged(path: Path, why: str) -> UsageError:
    return UsageError(f"{path} is not a whole recording: {why}", hint="record it again")


def _named(folder: Path, temporary: Path, call: RecordedCall) -> Path:
    """Linked, not renamed: of two processes that want one number, one gets the next."""
    label = "-".join(filter(None, (_UNFIT.sub("_", part)[:40] for part in call.key)))
    number = sum(1 for _ in folder.glob(f"*{SUFFIX}"))
    while True:
        number += 1
        path = folder / f"{number:04}-{label}{SUFFIX}"
        if not any(folder.glob(f"{number:04}-*")):
            try:
                os.link(temporary, path)
            except FileExistsError:
                continue
            temporary.unlink()
            return path


def _lines(call: RecordedCall) -> Iterator[dict[str, Any]]:
    yield {
        "cassette": FORMAT,
        "kind": call.kind,
        "agent": call.agent,
        "adapter": call.adapter,
        "asked": call.request,
    }
    for at, data in call.lines:
        yield {"t": round(at, 3), "out": _text(data)}
    finished = call.finished
    yield {
        "end": None if finished is None else _finished(finished, whole=call.kind == COMMAND),
        "answered": call.answered,
        "seconds": round(call.seconds, 3),
        "version": call.version,
        "isolation": call.isolation,
        "files": [_change(one) for one in call.files],
        "outbox": [_change(one) for one in call.outbox],
        "calls": [{"tool": tool, "arguments": dict(arguments)} for tool, arguments in call.calls],
    }


def _call(found: list[Any]) -> RecordedCall:
    head, *printed, end = found
    lines = tuple((float(one["t"]), _bytes(one["out"])) for one in printed)
    finished = end["end"]
    if not isinstance(head["asked"], dict) or head["kind"] not in (CLI, COMMAND):
        raise ValueError
    return RecordedCall(
        kind=head["kind"],
        agent=str(head["agent"]),
        adapter=str(head["adapter"]),
        request=head["asked"],
        lines=lines,
        finished=None
        if finished is None
        else _finished_of(finished, b"".join(data + b"\n" for _, data in lines)),
        answered=end["answered"] is True,
        seconds=float(end["seconds"]),
        version=str(end["version"]),
        isolation=str(end["isolation"]),
        files=tuple(map(_change_of, end["files"])),
        outbox=tuple(map(_change_of, end["outbox"])),
        # Recordings of before there were tools have none.
        calls=tuple((str(one["tool"]), dict(one["arguments"])) for one in end.get("calls", ())),
    )


def _finished(finished: Finished, *, whole: bool) -> dict[str, Any]:
    """Of what was printed line by line the rest is not kept a second time."""
    return {
        "exit": finished.exit,
        "signal": finished.signal,
        "timed_out": finished.timed_out,
        "stalled": finished.stalled,
        "duration_s": round(finished.duration_s, 3),
        "isolation": finished.isolation,
        "stdout": _captured(finished.stdout) if whole else None,
        "stderr": _captured(finished.stderr),
    }


def _finished_of(said: Any, printed: bytes) -> Finished:
    stdout = said["stdout"]
    return Finished(
        exit=said["exit"],
        signal=said["signal"],
        stdout=Captured(printed, b"", len(printed)) if stdout is None else _captured_of(stdout),
        stderr=_captured_of(said["stderr"]),
        timed_out=bool(said["timed_out"]),
        stalled=bool(said["stalled"]),
        duration_s=float(said["duration_s"]),
        isolation=str(said["isolation"]),
    )


def _captured(captured: Captured) -> list[Any]:
    return [_text(captured.head), _text(captured.tail), captured.total]


def _captured_of(said: Any) -> Captured:
    head, tail, total = said
    return Captured(_bytes(head), _bytes(tail), int(total))


def _change(change: FileChange) -> dict[str, Any]:
    return {
        "path": change.path,
        "data": None if change.data is None else _text(change.data),
        "link": change.link,
        "executable": change.executable,
        "too_large": change.too_large,
    }


def _change_of(said: Any) -> FileChange:
    data = None if said["data"] is None else _bytes(said["data"])
    return FileChange(
        str(said["path"]), data, str(said["link"]), said["executable"] is True, said["too_large"] is True
    )


def _text(data: bytes) -> Any:
    try:
        return data.decode("utf8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def _bytes(said: Any) -> bytes:
    return said.encode("utf8") if isinstance(said, str) else base64.b64decode(said["base64"], validate=True)
