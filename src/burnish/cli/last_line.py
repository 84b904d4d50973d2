"""The command line's last line: whatever happens becomes one clear sentence and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

import click

from burnish import __version__
from burnish.errors import BurnishError, ToBeResumed, UsageError
from burnish.model.exit_codes import ExitCode
from burnish.sanitise import clean, clean_line

_REMEDIES = {
    errno.ENOSPC: "free some disk space",
    errno.EDQUOT: "free some disk space",
    errno.EROFS: "make that file system writable",
    errno.EIO: "look at the disk",
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENFILE: "close some programs",
    errno.ENOMEM: "close some programs",
}


def guarded(command: click.Command, arguments: list[str]) -> int:
    """Run a command; the only place in Burnish that catches everything."""
    try:
        if sys.platform == "win32":
            raise UsageError("Burnish does not run on Windows itself.", hint="use it inside WSL")
        result = command.main(args=arguments, prog_name="burnish", standalone_mode=False)
        return int(result) if isinstance(result, int) else ExitCode.OK
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return ExitCode.OK
    except click.UsageError as error:
        return _usage(error)
    except click.ClickException as error:
        return _say(error.format_message(), "", ExitCode.USAGE)
    except UsageError as error:
        return _say(error.message, error.hint, ExitCode.USAGE)
    except ToBeResumed as error:
        return _say(error.message, error.hint, ExitCode.STOPPED)
    except BurnishError as error:
        return _say(error.message, error.hint, ExitCode.FAILED)
    except (KeyboardInterrupt, click.Abort):
        return _say("interrupted", "", ExitCode.INTERRUPTED)
    except BrokenPipeError:
        # The reader is gone (`| head`): nothing is wrong, and nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except Exception as error:  # noqa: BLE001
        trouble = _of_the_machine(error)
        return _refused(trouble) if trouble else _crashed(error, arguments)


def _of_the_machine(error: BaseException) -> OSError | None:
    """A full, read-only or broken disk is nobody's bug, also when several tasks met it at once."""
    if isinstance(error, BaseExceptionGroup):
        found = [_of_the_machine(one) for one in error.exceptions]
        return found[0] if all(found) else None
    return error if isinstance(error, OSError) and error.errno in _REMEDIES else None


def _refused(trouble: OSError) -> int:
    where = f" ({clean_line(os.fsdecode(trouble.filename))})" if trouble.filename else ""
    told = f"this machine refused to go on: {trouble.strerror}{where}."
    hint = f"{_REMEDIES[trouble.errno or 0]}, then try again"
    return _say(told, hint, ExitCode.FAILED)


def _usage(error: click.UsageError) -> int:
    where = error.ctx.command_path if error.ctx else "burnish"
    return _say(error.format_message(), f"see: {where} --help", ExitCode.USAGE)


def _say(message: str, hint: str, code: ExitCode) -> int:
    click.echo(f"burnish: {clean(message)}", err=True)
    if hint:
        click.echo(f"\nhint: {clean(hint)}", err=True)
    return code


def _crashed(error: Exception, arguments: list[str]) -> int:
    """A bug of ours: keep what is needed to find it, and say where."""
    from platformdirs import user_state_path

    report = [
        f"# Burnish {__version__} crashed",
        f"when: {datetime.now(UTC).isoformat(timespec='seconds')}",
        f"python: {sys.version.split()[0]} on {sys.platform}",
        f"command: burnish {' '.join(arguments[:1])} (arguments left out: they may hold secrets)",
        "```",
        "".join(traceback.format_exception(error)),
        "```",
    ]
    folder = Path(os.environ.get("BURNISH_STATE") or user_state_path("burnish"))
    path = folder / f"crash-{datetime.now(UTC).strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.md"
    hint = f"a crash report is in {path}; nothing of your work was changed by it"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(report), "utf8", "replace")
    except OSError as trouble:
        hint = f"the crash report could not be written ({trouble.strerror})"
    message = f"this is a bug in Burnish: {type(error).__name__}: {clean_line(str(error))[:300]}"
    return _say(message, hint, ExitCode.BUG)
