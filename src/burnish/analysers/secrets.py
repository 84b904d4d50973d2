"""secrets: tokens of known services left in the code, by their form (detect-secrets' named plugins)."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from burnish.analysers import _secrets_child
from burnish.analysers._program import Answer, Call, over_files, relative, version_of
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.model.subject import NotReviewed
from burnish.ports import Source

# Hashes and packed data look like tokens and are none.
NEVER = frozenset(
    {".lock", ".svg", ".map", ".snap", ".png", ".jpg", ".gif", ".pdf", ".woff", ".woff2", ".zip", ".gz"}
)
NEVER_NAMED = frozenset({"package-lock.json", "go.sum", "pnpm-lock.yaml"})
KINDS = {
    "artifactory": "an Artifactory token", "aws": "an AWS key", "azure_storage_key": "an Azure storage key",
    "basic_auth": "a password in an address", "discord": "a Discord bot token",
    "github_token": "a GitHub token", "gitlab_token": "a GitLab token", "jwt": "a signed token (JWT)",
    "mailchimp": "a Mailchimp key", "npm": "an npm token", "openai": "an OpenAI key",
    "private_key": "a private key", "pypi_token": "a PyPI token", "sendgrid": "a SendGrid key",
    "slack": "a Slack token", "square_oauth": "a Square secret", "stripe": "a Stripe key",
    "telegram_token": "a Telegram bot token", "twilio": "a Twilio key",
}  # fmt: skip


@dataclass(frozen=True)
class Secrets:
    setup: AnalyserSetup
    name: str = "secrets"

    def missing(self) -> str:
        there = find_spec("detect_secrets") is not None
        return "" if there else "detect-secrets is not installed (pip install 'burnish[analysers]')"

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in files if _worth_a_look(PurePosixPath(name)))

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        argv = (sys.executable, "-I", "-P", str(Path(_secrets_child.__file__)))
        call = Call(self.name, argv, frozenset({0}), self.setup, listed=True)
        found = await over_files(call, source, self.wants(files), lambda text: _read(text, source.root))
        return replace(found, version=version_of("detect-secrets", Path(sys.executable)))


def make(setup: AnalyserSetup) -> Secrets:
    return Secrets(setup)


def _worth_a_look(path: PurePosixPath) -> bool:
    return path.suffix.lower() not in NEVER and path.name not in NEVER_NAMED


def _read(text: str, root: Path) -> Answer:
    findings: list[Finding] = []
    unread: list[NotReviewed] = []
    for line in text.split("\n"):
        if not line:
            continue
        fields = line.split("\t")
        if fields[0] == "unread":
            _, path, why = fields
            unread.append(NotReviewed(relative(path, root), why))
        elif fields[0] == "token":
            _, path, number, kind = fields
            findings.append(_finding(relative(path, root), int(number), kind))
        else:
            raise ValueError(f"unknown line {fields[0]!r}")
    return Answer(tuple(findings), tuple(unread))


def _finding(path: str, line: int, kind: str) -> Finding:
    """The line is not shown: a report must not spread the token further."""
    hit = Hit(kind, path, line, f"This looks like {KINDS[kind]}.", snippet="(not shown: it holds a secret)")
    return classify("secrets", hit)
