"""Agent `claude`: Claude Code, headless. `claude`, `claude:fast`, `claude:MODEL`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from burnish import codec
from burnish.agents import _json_lines as lines
from burnish.agents._adapter import Abilities, Call, Room, model_for
from burnish.agents._claude_commands import KEYS, command_sandbox
from burnish.agents._claude_tools import own_tools, safety, server_settings
from burnish.agents._claude_usage import MessageUsage, result_usage
from burnish.agents._claude_writes import ClaudeWrites
from burnish.agents._cli_runner import CliAgent, make_cli
from burnish.agents._diagnose import diagnose
from burnish.agents._outbox import REPORT
from burnish.agents._setup import AgentSetup
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

# One, so that a dropped connection costs nothing: all other retries are ours.
RETRIES = 1
# A pause of the CLI's own that is longer than this is ours to wait for, with the agent free for nobody.
LONGEST_PAUSE_S = 30.0
MACOS = sys.platform == "darwin"
_QUIET = {
    "CLAUDE_CODE_MAX_RETRIES": str(RETRIES),
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    # In a call that ends there is nobody to come back to them.
    "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",
    "CLAUDE_CODE_DISABLE_CRON": "1",
    # Subjects of commits and names of files are words of others as well.
    "CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS": "1",
}
# Hooks, skills, agents, plugins and CLAUDE.md files of the repository do not load: it may be under review.
_OWN_SETTINGS = {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}
_ACCOUNT = ("primaryApiKey", "oauthAccount", "customApiKeyResponses", "hasCompletedOnboarding")
_READ_ONLY = "Read,Grep,Glob,Write"
# What a reviewer may run besides what only reads: whatever these do with their words, our sandbox holds.
_TESTS = (
    "pytest", "python -m pytest", "python3 -m pytest", "python -m unittest", "python3 -m unittest",
    "tox", "nox", "npm test", "npm run test", "pnpm test", "yarn test", "bun test", "deno test",
    "node --test", "npx jest", "npx vitest", "cargo test", "go test", "make test", "make check", "ctest",
    "mvn test", "gradle test", "./gradlew test", "rspec", "bundle exec rspec", "dotnet test", "mix test",
    "phpunit",
)  # fmt: skip
_CLOUDS = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")
# A folder as Claude names it.
_UNFIT = re.compile(r"[^A-Za-z0-9]")


def make(spec: str, setup: AgentSetup) -> CliAgent:
    return make_cli(ADAPTER, spec, setup)


class Claude:
    name = "claude"
    vendor = "anthropic"
    program = "claude"
    abilities = Abilities(schema=True, read_only=True, resume=True, cost=True, wraps=True)
    login = "claude auth login"
    install = "npm install -g @anthropic-ai/claude-code"
    models: Mapping[Tier, str] = MappingProxyType({Tier.STRONG: "opus", Tier.FAST: "sonnet"})

    def home_paths(self, environ: Mapping[str, str]) -> tuple[Path, ...]:
        credentials, account = _login_files(environ)
        return credentials, account

    def variables(self) -> tuple[str, ...]:
        return ("ANTHROPIC_*", "CLAUDE_CODE_OAUTH_TOKEN", *_CLOUDS)

    def logged_in(self, environ: Mapping[str, str]) -> bool | None:
        """A cloud's own login, or the keychain of macOS, is not ours to look into."""
        credentials, account = _login_files(environ)
        if any(environ.get(name) for name in KEYS) or credentials.is_file():
            return True
        if MACOS or any(environ.get(name) for name in _CLOUDS):
            return None
        return "primaryApiKey" in _account(account)

    def call(self, request: Request, room: Room) -> Call:
        credentials, account = _login_files(room.environ)
        inside = command_sandbox(request, room, credentials)
        own = {**safety(request, room), **_OWN_SETTINGS, **inside.env}
        return Call(
            argv=(self.program, *_mode(request, room), *_form(request, room, model_for(self, request))),
            # With a home of its own it would not find its entry in the keychain.
            env={**_QUIET, **own, **({} if MACOS else {"CLAUDE_CONFIG_DIR": str(room.private)})},
            files={room.private / ".claude.json": codec.dumps(_account(account)), **inside.files},
            links={room.private / ".credentials.json": credentials} if credentials.is_file() else {},
        )

    def transcript(self, workspace: Path, session: str) -> str:
        return f"projects/{_UNFIT.sub('-', os.path.realpath(workspace))}/{session}.jsonl"

    def reader(self, request: Request) -> ClaudeReader:
        return ClaudeReader(schema=request.schema is not None, report=request.outbox / REPORT)


ADAPTER = Claude()


def _login_files(environ: Mapping[str, str]) -> tuple[Path, Path]:
    """Where the user's login is: its tokens, and the account they belong to."""
    home = Path(environ.get("HOME", "/"))
    chosen = environ.get("CLAUDE_CONFIG_DIR")
    folder = Path(chosen) if chosen else home / ".claude"
    return folder / ".credentials.json", (folder if chosen else home) / ".claude.json"


def _account(file: Path) -> dict[str, Any]:
    try:
        found = codec.loads(file.read_text("utf8"))
    except (OSError, ValueError):
        return {}
    return {key: found[key] for key in _ACCOUNT if key in found} if isinstance(found, dict) else {}


def _mode(request: Request, room: Room) -> tuple[str, ...]:
    """A reader only looks, and writes into the outbox. Only inside our sandbox are commands run: a writer's
    all, a reader's tests."""
    folders = ("--add-dir", str(request.inbox), str(request.outbox))
    if request.role is Role.REVIEW:
        # Two slashes: with one, the path would count from the settings file.
        allowed = (f"Edit(/{request.outbox}/**)", *_tests(room), *own_tools(request))
        tools = f"{_READ_ONLY},Bash" if room.held else _READ_ONLY
        return (*folders, "--tools", tools, "--permission-mode", "dontAsk", "--allowedTools", *allowed)
    commands = (*(("Bash",) if room.held else ()), *own_tools(request))
    allowing = ("--allowedTools", *commands) if commands else ()
    return (*folders, "--permission-mode", "acceptEdits", *allowing)


def _tests(room: Room) -> tuple[str, ...]:
    return tuple(f"Bash({command}:*)" for command in _TESTS) if room.held else ()


def _form(request: Request, room: Room, model: str) -> Iterator[str]:
    yield from ("--print", "--output-format", "stream-json", "--verbose", "--model", model)
    yield from ("--strict-mcp-config", "--setting-sources", "")
    yield from server_settings(request)
    if request.on_used is not None:
        # Somebody counts: only so are the tokens of an answer told before the end of the call.
        yield "--include-partial-messages"
    if request.schema is not None:
        yield from ("--json-schema", codec.dumps(dict(request.schema)))
    if room.session:
        yield from ("--resume", room.session)


class ClaudeReader:
    def __init__(self, *, schema: bool = False, report: Path | None = None) -> None:
        self._schema = schema
        self._report = ClaudeWrites(report) if report else None
        # Calls of tools that have not come back yet.
        self._at_work: set[str] = set()
        self._spent = MessageUsage()
        self._tools: dict[str, ToolUsed] = {}
        self._pause_s: float | None = None
        self._resets_at = ""

    def line(self, data: bytes) -> Iterator[AgentEvent]:
        found = lines.record(data)
        match lines.text(found, "type"):
            case "system" if lines.text(found, "subtype") == "init":
                yield Started(
                    lines.text(found, "session_id"),
                    lines.text(found, "model"),
                    lines.text(found, "claude_code_version"),
                )
            case "system" if lines.text(found, "subtype") == "api_retry":
                yield from self._retried(found)
            case "rate_limit_event":
                self._limit(lines.inner(found, "rate_limit_info"))
            case "assistant":
                yield from self._said(lines.inner(found, "message"))
            case "stream_event":
                if usage := self._spent.partial(found):
                    yield Used(usage)
            case "user":
                yield from self._told(lines.inner(found, "message"))
            case "result":
                yield from self._result(found)

    def end(self, finished: Finished) -> Failed | None:
        """Wrong options, a session that is not there, no login: told on stderr with nothing on stdout."""
        said = finished.stderr.text.strip()
        return diagnose(said) if said and finished.status else None

    def wrote(self) -> str | None:
        return self._report.text() if self._report else None

    def _retried(self, found: dict[str, Any]) -> Iterator[AgentEvent]:
        pause = lines.number(found, "retry_delay_ms", 1e10)
        self._pause_s = None if pause is None else pause / 1000
        why = f"{lines.text(found, 'error')} {lines.count(found, 'error_status') or ''}".strip()
        yield Retried(lines.count(found, "attempt"), why, self._pause_s)
        if self._pause_s is not None and self._pause_s > LONGEST_PAUSE_S:
            status = lines.count(found, "error_status") or None
            yield self._failed(f"it would wait {self._pause_s:.0f} s: {why}", status)

    def _limit(self, info: dict[str, Any]) -> None:
        moment = lines.number(info, "resetsAt", 1e11)
        if lines.text(info, "status") == "rejected" and moment:
            self._resets_at = f"|{moment:.0f}"

    def _said(self, message: dict[str, Any]) -> Iterator[AgentEvent]:
        for block in lines.items(message, "content"):
            kind = lines.text(block, "type")
            if kind == "text" and lines.text(block, "text"):
                yield Text(lines.text(block, "text"))
            elif kind == "tool_use":
                tool = ToolUsed(lines.text(block, "name"), lines.about(block.get("input")))
                self._tools[lines.text(block, "id")] = tool
                self._at_work.add(lines.text(block, "id"))
                if self._report:
                    self._report.asked(block)
                yield tool
        if usage := self._spent.message(message):
            yield Used(usage)

    def _told(self, message: dict[str, Any]) -> Iterator[AgentEvent]:
        """A tool that this mode does not have is no denial to the CLI, but to us it is."""
        for block in lines.items(message, "content"):
            self._at_work.discard(lines.text(block, "tool_use_id"))
            if self._report:
                self._report.answered(block)
            if block.get("is_error") is True and "No such tool available" in lines.text(block, "content"):
                tool = self._tools.get(lines.text(block, "tool_use_id"), ToolUsed("a tool"))
                yield Denied(tool.name, tool.about)

    def _result(self, found: dict[str, Any]) -> Iterator[AgentEvent]:
        if usage := result_usage(found):
            # With what earlier calls of the session used, as soon as one of them came to its end.
            yield Used(usage, whole=bool(lines.inner(found, "modelUsage")))
        for denial in lines.items(found, "permission_denials"):
            yield Denied(lines.text(denial, "tool_name"), lines.about(denial.get("tool_input")))
        subtype, said = lines.text(found, "subtype"), lines.text(found, "result")
        errors = found.get("errors")
        told = "; ".join(str(error) for error in errors) if isinstance(errors, list) else ""
        if lines.text(found, "stop_reason") == "refusal":
            yield Failed(AgentTrouble.REFUSED, diagnose(said or "the model refused to answer").message)
        elif found.get("is_error") is not False or subtype != "success":
            yield self._gave_up(found, subtype, told or said or subtype)
        else:
            # Its own result comes when all tools are done: one before that is by what a tool runs.
            doubt = "a result came while a tool was at work" if self._at_work else ""
            yield Ended(said, found.get("structured_output") if self._schema else None, doubt)

    def _gave_up(self, found: dict[str, Any], subtype: str, said: str) -> Failed:
        failed = self._failed(said, lines.count(found, "api_error_status") or None)
        if "budget" in subtype:
            return Failed(AgentTrouble.BUDGET, failed.message)
        if "structured_output" in subtype:
            return Failed(AgentTrouble.SCHEMA_IGNORED, failed.message)
        if failed.trouble is AgentTrouble.CRASHED and said == lines.text(found, "result"):
            # Its words are an answer, not a reason: they must not read like one.
            kind = subtype if subtype not in ("", "success") else "is_error"
            return Failed(failed.trouble, f"it marked its own result as an error ({kind}): {failed.message}")
        return failed

    def _failed(self, said: str, status: int | None) -> Failed:
        failed = diagnose(f"{said}{self._resets_at}", status=status)
        wait_s = failed.retry_after_s if failed.retry_after_s is not None else self._pause_s
        message = failed.message.removesuffix(self._resets_at)
        return Failed(failed.trouble, message, wait_s, failed.resets_at)
