"""The calls of one step: checked against its scope, answered in a sentence, and kept in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from burnish.sanitise import clean_line
from burnish.team_ports import Scope, ToolCall
from burnish.tools import inputs
from burnish.tools.catalogue import LOOP, TASK, TOOLS, Tool

MOST_CALLS = 1000
MOST_SHOWN = 20
LOOP_ID = "loopId"
PASSED = "passed"


@dataclass(frozen=True)
class Answer:
    text: str
    refused: bool = False


class Taken:
    """What the agent of a step has called. Nobody but that step sees it."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._calls: list[ToolCall] = []
        # Denials in calls that were refused for something else.
        self._denials: list[ToolCall] = []

    @property
    def tools(self) -> tuple[Tool, ...]:
        return tuple(TOOLS[name] for name in self._scope.tools)

    def calls(self, tool: str) -> tuple[ToolCall, ...]:
        """All of them: two that differ are both there. A denial that was refused for its form counts too, as
        long as no other one came."""
        calls = tuple(call for call in self._calls if call.tool == tool)
        if any(call.arguments.get(PASSED) is False for call in calls):
            return calls
        return (*(call for call in self._denials if call.tool == tool), *calls)

    def forget(self) -> None:
        self._calls.clear()
        self._denials.clear()

    @property
    def made(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        return tuple((call.tool, call.arguments) for call in (*self._denials, *self._calls))

    def play(self, name: str, arguments: Mapping[str, Any]) -> None:
        """A call of a recorded run, checked like every other; what it said of its loop holds for this one."""
        own = {LOOP_ID: self._scope.loop} if LOOP_ID in arguments and self._scope.loop else {}
        self.take(name, {**arguments, **own})

    def take(self, name: str, arguments: Any) -> Answer:
        """Never raises for what an agent sends."""
        if name not in self._scope.tools:
            return _refused(f"there is no tool {_shown(name)} here", _among("tools", self._scope.tools))
        tool = TOOLS[name]
        given, problems = inputs.read(tool.input, arguments)
        problems = problems or tuple(self._foreign(tool, given)) or (tool.judge(given) if tool.judge else ())
        if problems:
            self._denials = [*self._denials, *_denial(tool, arguments, self._scope)][:MOST_SHOWN]
            return _refused(f"{name} was not recorded", *problems)
        return self._keep(tool, ToolCall(name, given))

    def _keep(self, tool: Tool, call: ToolCall) -> Answer:
        if call in self._calls:
            return Answer(tool.answer)
        decided = [one for one in self._calls if tool.decides and TOOLS[one.tool].decides == tool.decides]
        for number, one in enumerate(self._calls):
            if tool.key and one.tool == call.tool and one.arguments[tool.key] == call.arguments[tool.key]:
                self._calls[number] = call
                return Answer(f"{tool.answer}: it replaces what you gave before")
        if len(self._calls) >= MOST_CALLS:
            self._denials = [*_denial(tool, dict(call.arguments), self._scope), *self._denials]
            return _refused(f"{tool.name} was not recorded", f"at most {MOST_CALLS} calls are kept in a step")
        self._calls.append(call)
        if tool.final and decided:
            # Kept all the same: the first may be by somebody who speaks for the agent.
            return _refused(
                f"{decided[0].tool} was called before with something else", "both are kept, and do not agree"
            )
        return Answer(tool.answer)

    def _foreign(self, tool: Tool, given: dict[str, Any]) -> Iterator[str]:
        """Ids that are not this step's to speak of."""
        for path, kind in tool.names.items():
            own = self._scope.loop if kind == LOOP else self._scope.task
            known = tuple(dict.fromkeys((*((own,) if own else ()), *self._known(kind))))
            for value in _values(given, path.split(".")):
                # A list of tasks, and what an issue is about, may name each there is; the rest only its own.
                free = not own or path in ("taskIds", "issues.taskId")
                if free and known and value not in known:
                    yield f"the {kind} {_shown(value)} is not known ({_among(f'{kind}s', known)})"
                elif not free and value != own:
                    other = f"is another {kind}" if value in known else "is not known"
                    yield f"the {kind} {_shown(value)} {other}: here only {own!r} is valid as {path!r}"

    def _known(self, kind: str) -> tuple[str, ...]:
        written = (call.arguments["id"] for call in self._calls if call.tool == "write_task")
        return (*self._scope.valid.get(kind, ()), *(written if kind == TASK else ()))


def _denial(tool: Tool, arguments: Any, scope: Scope) -> list[ToolCall]:
    """What can be read of a denial in a call that is not of the form: it stays one."""
    if not tool.final or not isinstance(arguments, dict) or arguments.get(PASSED) is not False:
        return []
    issues = arguments.get("issues")
    told = [one for one in issues if isinstance(one, dict)] if isinstance(issues, list) else []
    texts = [one.get("description") for one in told[: inputs.MOST_ISSUES]]
    read = [{"description": text[: inputs.MOST_TEXT]} for text in texts if isinstance(text, str) and text]
    own = {LOOP_ID: scope.loop} if LOOP_ID in tool.names else {}
    return [ToolCall(tool.name, {**own, PASSED: False, "issues": read})]


def _values(given: Any, path: Sequence[str]) -> Iterator[str]:
    if isinstance(given, list):
        for one in given:
            yield from _values(one, path)
    elif path:
        if path[0] in given:
            yield from _values(given[path[0]], path[1:])
    else:
        yield given


def _refused(what: str, *why: str) -> Answer:
    return Answer(f"{what}: {'; '.join(why)}", refused=True)


def _among(what: str, known: Sequence[str]) -> str:
    more = f" and {len(known) - MOST_SHOWN} more" if len(known) > MOST_SHOWN else ""
    return f"the valid {what} are {', '.join(map(repr, known[:MOST_SHOWN]))}{more}"


def _shown(name: str) -> str:
    name = clean_line(name)
    return repr(name if len(name) <= 70 else name[:69] + "…")
