"""`burnish contract`: the verdict dialects, what they ask of a reviewer, and their parsers on their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

if TYPE_CHECKING:
    from burnish.model.agent import Reply
    from burnish.ports import Contract

_SEVERITIES = ("critical", "high", "medium", "low")


@click.group()
def contract() -> None:
    """The forms a reviewer's answer can take: list them, show one, parse with one."""


@contract.command("list")
def list_contracts() -> None:
    """Names and what carries each."""
    from burnish.registry import names

    for name in names("contracts"):
        found = _make(name)
        click.echo(f"{name:<14} {found.carrier:<8} {_about(found).splitlines()[0]}")


@contract.command()
@click.argument("name")
@click.option("--fail-on", type=click.Choice(_SEVERITIES), default="high", help="Severity that blocks.")
def show(name: str, fail_on: str) -> None:
    """What NAME accepts, and the instructions a reviewer gets."""
    from burnish.model.review import Severity
    from burnish.ports import Asking

    found = _make(name)
    click.echo(f"{found.name} (carrier: {found.carrier})\n\n{_about(found)}\n")
    click.echo(found.instructions(Asking(fail_on=Severity(fail_on))), nl=False)


@contract.command()
@click.argument("name")
@click.argument("file", default="-")
@click.option("--compat", is_flag=True, help="The literal rule of the seed instead of the hardened one.")
@click.option("--jsonl", is_flag=True, help='Read lines {"output": "..."} and answer line for line.')
@click.option("--fail-on", type=click.Choice(_SEVERITIES), default="high", help="Severity that blocks.")
def parse(name: str, file: str, **options: Any) -> None:
    """Read a reviewer's answer from FILE (or standard input) and print what NAME makes of it."""
    found = _make(name, compat=options["compat"], fail_on=options["fail_on"])
    with _opened(file) as stream:
        for answer in _answers(found, stream, lines=options["jsonl"]):
            click.echo(answer)


def _make(name: str, *, compat: bool = False, fail_on: str = "high") -> Contract:
    from burnish.model.review import Severity
    from burnish.registry import load

    made: Contract = load("contracts", name)(compat=compat, fail_on=Severity(fail_on))
    return made


def _about(found: Contract) -> str:
    from inspect import getdoc

    return getdoc(type(found)) or ""


def _opened(file: str) -> Any:
    from burnish.errors import UsageError

    if file == "-":
        return click.open_file("-", "rb")
    try:
        return Path(file).open("rb")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"cannot read {file!r}: {why}",
            hint="name a file with the reviewer's answer, or - for standard input",
        ) from None


def _answers(found: Contract, stream: BinaryIO, *, lines: bool) -> Iterator[str]:
    from burnish.errors import UsageError
    from burnish.model.agent import Reply

    try:
        if lines:
            for line in stream:
                yield _answer(found, _reply(line.decode("utf8", "replace")))
        else:
            yield _answer(found, Reply(stream.read().decode("utf8", "replace")))
    except OSError as error:
        raise UsageError(f"cannot read the answer: {error.strerror or error}") from None


def _reply(line: str) -> Reply | str:
    """The reply of one input line, or why the line holds none."""
    from burnish.codec import loads
    from burnish.model.agent import Reply

    try:
        value = loads(line)
    except ValueError as error:
        return f"this line of input is not valid JSON: {error}"
    output = value.get("output") if isinstance(value, dict) else None
    return Reply(output) if isinstance(output, str) else 'this line of input is not {"output": "..."}'


def _answer(found: Contract, reply: Reply | str) -> str:
    from burnish.codec import dumps
    from burnish.errors import ContractViolation

    if isinstance(reply, str):
        return dumps({"violation": "malformed", "why": reply})
    try:
        review = found.parse(reply)
    except ContractViolation as violation:
        return dumps({"violation": violation.code, "why": violation.why})
    answer = {"verdict": str(review.verdict), "native": review.native, "summary": review.summary}
    return dumps(answer | ({"unclear": review.unclear} if review.unclear else {}))
