"""Runs as a process of its own, knowing nothing of Burnish: looks for tokens in the files named on stdin.

A line of output, parted by tabs: token, path, line, kind; or unread, path, why. The token itself is never
printed.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

FILE_S = 20.0
MAX_BYTES = 4 * 1024 * 1024
# A line of minified code says nothing to a person, and costs every expression its worst.
MAX_LINE = 4000
# The plugins that know a token by its form; those that guess by entropy or by variable names are left out.
PLUGINS = {
    "artifactory": "ArtifactoryDetector",
    "aws": "AWSKeyDetector",
    "azure_storage_key": "AzureStorageKeyDetector",
    "basic_auth": "BasicAuthDetector",
    "discord": "DiscordBotTokenDetector",
    "github_token": "GitHubTokenDetector",
    "gitlab_token": "GitLabTokenDetector",
    "jwt": "JwtTokenDetector",
    "mailchimp": "MailchimpDetector",
    "npm": "NpmDetector",
    "openai": "OpenAIDetector",
    "private_key": "PrivateKeyDetector",
    "pypi_token": "PypiTokenDetector",
    "sendgrid": "SendGridDetector",
    "slack": "SlackDetector",
    "square_oauth": "SquareOAuthDetector",
    "stripe": "StripeDetector",
    "telegram_token": "TelegramBotTokenDetector",
    "twilio": "TwilioKeyDetector",
}
_PLAIN = re.compile(r"[\x00-\x1f\x7f]+")


def main() -> None:
    signal.signal(signal.SIGALRM, _too_long)
    detectors = list(_detectors())
    for path in sys.stdin.read().split("\n"):
        if not path:
            continue
        signal.setitimer(signal.ITIMER_REAL, FILE_S)
        try:
            lines = list(_tokens(path, detectors))
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            lines = [("unread", path, f"{type(error).__name__}: {error}")]
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for line in lines:
            sys.stdout.write("\t".join(_PLAIN.sub(" ", field)[:300] for field in line) + "\n")


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"took longer than {FILE_S:g} s")


@dataclass(frozen=True)
class Detector:
    """A plugin, and its forms as they can be looked for in a text of many lines."""

    kind: str
    plugin: Any
    forms: tuple[re.Pattern[str], ...]


def _detectors() -> Iterator[Detector]:
    from importlib import import_module

    for module, name in PLUGINS.items():
        plugin = getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
        forms = tuple(re.compile(form.pattern, form.flags | re.MULTILINE) for form in plugin.denylist)
        yield Detector(module, plugin, forms)


def _tokens(path: str, detectors: list[Detector]) -> Iterator[tuple[str, ...]]:
    found = Path(path)
    if found.is_symlink() or not found.is_file():
        raise ValueError("not a regular file")
    if found.stat().st_size > MAX_BYTES:
        raise ValueError("too large")
    lines = found.read_bytes().decode("utf8").split("\n")
    # The whole text first: nearly every file holds no token, and line by line costs several times as much.
    text = "\n".join(line for line in lines if len(line) <= MAX_LINE)
    likely = [one for one in detectors if any(form.search(text) for form in one.forms)]
    for number, line in enumerate(lines if likely else (), 1):
        if len(line) > MAX_LINE:
            continue
        for detector in likely:
            # Only the form is asked: `verify` would send the token to the service it is for.
            if any(True for _ in detector.plugin.analyze_string(line)):
                yield "token", path, str(number), detector.kind


if __name__ == "__main__":
    main()
