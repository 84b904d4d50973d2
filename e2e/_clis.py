"""The CLIs that are driven: where they are, what points them at the server, what keeps them at home."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".agents-cache"
# A Node of their own stands beside those that npm has installed.
PLACES = (CACHE / "bin", CACHE / "npm" / "node_modules" / ".bin")
PATH = os.pathsep.join([*map(str, PLACES), "/usr/local/bin", "/usr/bin", "/bin"])
KEY = "dummy-key-of-e2e"


@dataclass(frozen=True)
class Cli:
    """`settings` writes below the home folder what a user with another endpoint would have there.

    `direct` is the shortest call of it by hand, for comparison.
    """

    name: str
    variables: Callable[[str], Mapping[str, str]]
    settings: Callable[[Path, str], None]
    direct: tuple[str, ...]
    # Options that name the endpoint (URL) where nothing else does.
    endpoint: tuple[str, ...] = ()

    def environment(self, home: Path, url: str) -> dict[str, str]:
        """All that Burnish gets: nothing of this machine's own environment.

        The server is the proxy too: it records and refuses whoever wants to go elsewhere.
        """
        return {
            "PATH": PATH, "HOME": str(home), "LANG": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1", "TERM": "dumb",
            "TMPDIR": str(home.parent / "tmp"), "GIT_CONFIG_NOSYSTEM": "1",
            "HTTP_PROXY": url, "HTTPS_PROXY": url, "NO_PROXY": "127.0.0.1,localhost",
            "http_proxy": url, "https_proxy": url, "no_proxy": "127.0.0.1,localhost",
            **self.variables(url),
        }  # fmt: skip

    def version(self) -> str:
        """Empty where it could not be installed."""
        found = shutil.which(self.name, path=PATH)
        if found is None:
            return ""
        env = {"PATH": PATH, "HOME": str(CACHE), "DISABLE_AUTOUPDATER": "1"}
        try:
            told = subprocess.run(
                [found, "--version"],
                env=env,
                capture_output=True,
                timeout=60,
                check=False,
                stdin=subprocess.DEVNULL,
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        words = told.stdout.decode("utf8", "replace").split()
        return next((word for word in words if word[0].isdigit()), "") if told.returncode == 0 else ""


def _claude_variables(url: str) -> dict[str, str]:
    """The last two are for calls of it by hand: Burnish passes on neither, and sets its own."""
    return {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": KEY,
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


def _no_settings(home: Path, url: str) -> None:
    """Its variables are enough."""


def _codex_settings(home: Path, url: str) -> None:
    """For calls of it by hand: it takes another endpoint from its configuration only."""
    folder = home / ".codex"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        "check_for_update_on_startup = false",
        "[analytics]",
        "enabled = false",
        "[model_providers.scripted]",
        'name = "scripted"',
        f'base_url = "{url}/v1"',
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
    ]
    (folder / "config.toml").write_text("\n".join(lines) + "\n", "utf8")


CLIS = (
    Cli(
        "claude",
        _claude_variables,
        _no_settings,
        ("claude", "-p", "--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits",
         "--strict-mcp-config", "--setting-sources", ""),
    ),
    Cli(
        "codex",
        lambda url: {"OPENAI_BASE_URL": f"{url}/v1", "OPENAI_API_KEY": KEY},
        _codex_settings,
        ("codex", "exec", "--json", "-s", "workspace-write", "--skip-git-repo-check", "-"),
        ("-c", 'model_providers.x={name="x",base_url="URL/v1",env_key="OPENAI_API_KEY",wire_api="responses"}',
         "-c", 'model_provider="x"'),
    ),
)  # fmt: skip
