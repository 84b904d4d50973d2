"""Agent `codex`: the Codex CLI, headless. `codex`, `codex:fast`, `codex:MODEL`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from burnish import codec
from burnish.agents import _json_lines as lines
from burnish.agents._adapter import Abilities, Call, Room, model_for
from burnish.agents._cli_runner import CliAgent, make_cli
from burnish.agents._codex_mode import is_guarded, isolation, mode
from burnish.agents._codex_record import Counted, denials, usage
from burnish.agents._diagnose import diagnose
from burnish.agents._setup import AgentSetup
from burnish.agents._toolbox import SERVER, bridge_command
from burnish.model.agent import Request, Tier
from burnish.model.agent_events import (
    AgentEvent,
    AgentTrouble,
    Denied,
    Ended,
    Failed,
    Retried,
    Started,
    Text,
    ToolUsed,
    Used,
)
from burnish.model.step import Role
from burnish.process.child import Finished

SCHEMA = "schema.json"
PROVIDER = "burnish"
SERVICE = "https://api.openai.com/v1"
# Nothing of the repository but its files reaches the model: it may be under review.
_QUIET = (
    "project_doc_max_bytes=0",
    "skills.include_instructions=false",
    "features.plugins=false",
    "features.apps=false",
    "features.hooks=false",
    "analytics.enabled=false",
    "feedback.enabled=false",
    "check_for_update_on_startup=false",
    # It would wait for a network for ever, in silence.
    "features.unbounded_connection_retries=false",
)
_RETRIES = "request_max_retries=1,stream_max_retries=1"
# The shell it wraps around each command says nothing.
_SHELL = re.compile(r"^/\S+ -l?c (['\"]?)(.*)\1$", re.DOTALL)
_TOOLS = {
    "command_execution": "command",
    "file_change": "edit",
    "mcp_tool_call": "mcp",
    "web_search": "web search",
}
# Items that run something.
_RUNS = ("command_execution", "mcp_tool_call")


def make(spec: str, setup: AgentSetup) -> CliAgent:
    return make_cli(ADAPTER, spec, setup)


class Codex:
    name = "codex"
    vendor = "openai"
    program = "codex"
    abilities = Abilities(schema=True, read_only=True, resume=True, sums_up=True, own_sandbox=True)
    login = "codex login"
    install = "npm install -g @openai/codex"
    models: Mapping[Tier, str] = MappingProxyType({Tier.STRONG: "gpt-6.1-sol", Tier.FAST: "gpt-6-luna"})

    def home_paths(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        return (_login_file(environ),)

    def variables(self) -> tuple[str, ...]:
        return ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORGANIZATION", "OPENAI_PROJECT", "CODEX_API_KEY")

    def logged_in(self, environ: Mapping[str, str]) -> bool | None:
        keys = ("OPENAI_API_KEY", "CODEX_API_KEY")
        return any(environ.get(name) for name in keys) or _login_file(environ).is_file()

    def call(self, request: Request, room: Room) -> Call:
        login, home, temporary = _login_file(room.environ), room.private / "home", room.private / "tmp"
        told = (_distrust(request.workspace), *_own_tools(request))
        settings = (*_QUIET, *told, *_provider(room.environ, login.is_file()))
        configured = (word for setting in settings for word in ("-c", setting))
        guarded = is_guarded(self.abilities, request, room)
        return Call(
            argv=(
                *(self.program, "exec", *mode(request, room, guarded=guarded), *configured),
                *_form(request, room, model_for(self, request)),
            ),
            # Its home must not lie in the folder for temporary files: its own sandbox would not start.
            env={"CODEX_HOME": str(home), "TMPDIR": str(temporary)},
            files={
                home / ".burnish": "",
                temporary / ".burnish": "",
                **({} if request.schema is None else {home / SCHEMA: codec.dumps(dict(request.schema))}),
            },
            links={home / "auth.json": login} if login.is_file() else {},
            isolation=isolation(request, guarded=guarded),
            # Ours tells by what fails in it; what its own refuses it does not print.
            afterwards=partial(denials, home / "sessions") if guarded else None,
            meanwhile=Counted(home / "sessions"),
        )

    def transcript(self, workspace: Path, session: str) -> str:
        return f"home/sessions/*/*/*/rollout-*-{session}.jsonl"

    def reader(self, request: Request) -> CodexReader:
        return CodexReader(schema=request.schema is not None, reads=request.role is Role.REVIEW)


ADAPTER = Codex()


def _login_file(environ: Mapping[str, str]) -> Path:
    chosen = environ.get("CODEX_HOME")
    return (Path(chosen) if chosen else Path(environ.get("HOME", "/")) / ".codex") / "auth.json"


def _own_tools(request: Request) -> tuple[str, ...]:
    if request.open_tools is None:
        return ()
    program, *arguments = bridge_command(request.open_tools)
    server = f"command={codec.dumps(program)},args={codec.dumps(arguments)}"
    return (f'mcp_servers.{SERVER}={{{server},required=true,default_tools_approval_mode="approve"}}',)


def _distrust(workspace: Path) -> str:
    """In a mode that may write it obeys the repository's own `.codex/` and starts programs named there."""
    names = dict.fromkeys((str(workspace), os.path.realpath(workspace)))
    told = ",".join(f'{codec.dumps(name)}={{trust_level="untrusted"}}' for name in names)
    return f"projects={{{told}}}"


def _provider(environ: Mapping[str, str], login: bool) -> tuple[str, ...]:
    """A key without a login, or another address, needs a provider of ours: the built-in one takes neither."""
    address = environ.get("OPENAI_BASE_URL", "")
    key = next((name for name in ("OPENAI_API_KEY", "CODEX_API_KEY") if environ.get(name)), "")
    if not address and (login or not key):
        return ()
    who = f'env_key="{key}"' if key else "requires_openai_auth=true"
    told = f'name="OpenAI",base_url={codec.dumps(address or SERVICE)},{who},wire_api="responses"'
    return (f"model_providers.{PROVIDER}={{{told},{_RETRIES}}}", f'model_provider="{PROVIDER}"')


def _form(request: Request, room: Room, model: str) -> Iterator[str]:
    yield from ("--json", "--skip-git-repo-check", "--ignore-rules", "--color", "never", "--model", model)
    if request.schema is not None:
        yield from ("--output-schema", str(room.private / "home" / SCHEMA))
    if room.session:
        yield from ("resume", room.session)
    yield "-"


class CodexReader:
    """Only `turn.completed` and `turn.failed` end a call: an `error` may be a warning, or a new attempt."""

    def __init__(self, *, schema: bool = False, reads: bool = False) -> None:
        """`reads`: it must not write, so an edit that failed is one it was not allowed."""
        self._schema = schema
        self._reads = reads
        self._message = ""
        self._error = ""
        self._attempts = 0
        # Items that were started and are not completed.
        self._at_work: set[str] = set()

    def line(self, data: bytes) -> Iterator[AgentEvent]:
        found = lines.record(data)
        match lines.text(found, "type"):
            case "thread.started":
                yield Started(session=lines.text(found, "thread_id"))
            case "item.started":
                item = lines.inner(found, "item")
                if lines.text(item, "type") in _RUNS:
                    self._at_work.add(lines.text(item, "id"))
                yield from _tool(item)
            case "item.completed":
                self._at_work.discard(lines.text(lines.inner(found, "item"), "id"))
                yield from self._completed(lines.inner(found, "item"))
            case "error":
                yield from self._trouble(lines.text(found, "message"))
            case "turn.failed":
                said = lines.text(lines.inner(found, "error"), "message")
                yield diagnose(said or self._error or "the turn failed")
            case "turn.completed":
                used = usage(lines.inner(found, "usage"))
                if used.tokens:
                    yield Used(used, whole=True)
                doubt = "a turn ended while a tool was at work" if self._at_work else ""
                yield Ended(self._message, self._structured(), doubt)

    def end(self, finished: Finished) -> Failed | None:
        said = self._error or finished.stderr.text.strip()
        return diagnose(said) if said and finished.status else None

    def wrote(self) -> str | None:
        """Its stream names files, and not what is in them."""
        return None

    def _completed(self, item: dict[str, Any]) -> Iterator[AgentEvent]:
        if lines.text(item, "type") == "agent_message":
            self._message = lines.text(item, "text")
            yield Text(self._message)
        elif lines.text(item, "status") == "declined" or (self._reads and _wrote(item)):
            tool = next(iter(_tool(item)), ToolUsed(lines.text(item, "type")))
            yield Denied(tool.name, tool.about)

    def _trouble(self, said: str) -> Iterator[AgentEvent]:
        self._error = said
        if said.startswith("Reconnecting"):
            self._attempts += 1
            found = diagnose(said)
            yield Retried(self._attempts, found.message)
            # It would wait as long as the service says, in silence; where that is short it works on in time.
            if found.trouble in (AgentTrouble.RATE_LIMIT, AgentTrouble.QUOTA):
                yield found

    def _structured(self) -> Any:
        """Its last message is the answer in that form; whether it is, our own contract decides."""
        if not self._schema:
            return None
        try:
            return codec.loads(self._message)
        except ValueError:
            return None


def _tool(item: dict[str, Any]) -> Iterator[ToolUsed]:
    kind = lines.text(item, "type")
    if kind == "file_change":
        paths = (lines.text(change, "path") for change in lines.items(item, "changes"))
        yield ToolUsed("edit", ", ".join(paths)[: lines.ABOUT_CHARS])
    elif kind == "mcp_tool_call":
        yield ToolUsed(f"{lines.text(item, 'server')}.{lines.text(item, 'tool')}")
    elif kind in _TOOLS:
        yield ToolUsed(_TOOLS[kind], _SHELL.sub(r"\2", lines.about(item)))


def _wrote(item: dict[str, Any]) -> bool:
    failed = lines.text(item, "status") == "failed"
    kind, said = lines.text(item, "type"), lines.text(item, "aggregated_output")
    return failed and (kind == "file_change" or "Read-only file system" in said)
