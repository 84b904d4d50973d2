"""Get the real agent CLIs for `make e2e` into .agents-cache: by npm with a Node of its own, else from PyPI wheels."""

import argparse
import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".agents-cache"
# npm chooses an older release, without a word, where the machine's Node is too old for the newest one.
NODE = "node@22.23.3"
LIMIT_S = 900


@dataclass(frozen=True)
class Source:
    """`wheel` is a PyPI package that carries the same program somewhere below site-packages as `carried`."""

    name: str
    npm: str
    wheel: str
    carried: str


SOURCES = (
    Source("claude", "@anthropic-ai/claude-code@2.1.325", "claude-agent-sdk==0.2.182", "claude_agent_sdk/_bundled/claude"),
    Source("codex", "@openai/codex@0.166.0", "openai-codex==0.163.0", "*/bin/codex"),
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(source.name for source in SOURCES))
    parser.add_argument("--latest", action="store_true", help="the newest release instead of the pinned one")
    given = parser.parse_args()
    wanted = [source for source in SOURCES if source.name in given.names or not given.names]
    missing = [source.name for source in wanted if not got(source, latest=given.latest)]
    return 1 if missing else 0


def got(source: Source, *, latest: bool) -> bool:
    """Says in one line what was got, or that it is not tested."""
    link = CACHE / "bin" / source.name
    if latest or not runs(link):
        link.parent.mkdir(parents=True, exist_ok=True)
        program = by_npm(source, latest) or by_wheel(source, latest)
        link.unlink(missing_ok=True)
        if program:
            link.symlink_to(program)
    version = runs(link)
    print(f"{source.name}: {version}" if version else f"{source.name}: not tested: it could not be installed")
    return bool(version)


def by_npm(source: Source, latest: bool) -> Path | None:
    """The program that npm links, beside a Node that is new enough for it."""
    npm = shutil.which("npm")
    if npm is None:
        return None
    prefix = CACHE / "npm"
    bins = prefix / "node_modules" / ".bin"
    package = source.npm.rpartition("@")[0] + "@latest" if latest else source.npm
    prefix.mkdir(parents=True, exist_ok=True)
    (prefix / "package.json").touch()
    if not (prefix / "package.json").read_text("utf8"):
        (prefix / "package.json").write_text('{"private": true}\n', "utf8")
    told = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
    for wanted in (NODE, package):
        if not done([npm, "install", *told, wanted], cwd=prefix, env=first_in_path(bins)):
            return None
    return bins / source.name


def by_wheel(source: Source, latest: bool) -> Path | None:
    place = CACHE / "wheels" / source.name
    venv.create(place, with_pip=True, clear=True)
    package = source.wheel.partition("==")[0] if latest else source.wheel
    if not done([str(place / "bin" / "python"), "-m", "pip", "install", "-qq", package], cwd=place):
        return None
    return next(iter(sorted(place.glob(f"lib/python3*/site-packages/{source.carried}"))), None)


def first_in_path(bins: Path) -> dict[str, str]:
    return {**os.environ, "PATH": f"{bins}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}


def done(command: list[str], cwd: Path, env: dict[str, str] | None = None) -> bool:
    """Whether an installation went well; what it complained about goes to stderr."""
    try:
        ended = subprocess.run(
            command,
            cwd=cwd,
            env=env,
            timeout=LIMIT_S,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{command[0]}: {error}", file=sys.stderr)
        return False
    if ended.returncode:
        print(ended.stdout.decode("utf8", "replace")[-2000:], file=sys.stderr)
    return ended.returncode == 0


def runs(program: Path) -> str:
    """Its version, or nothing: a file that is there but does not start was not got."""
    env = {
        **first_in_path(CACHE / "npm" / "node_modules" / ".bin"),
        "HOME": str(CACHE),
        "DISABLE_AUTOUPDATER": "1",
    }
    try:
        ended = subprocess.run(
            [str(program), "--version"],
            env=env,
            timeout=60,
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ended.stdout.decode("utf8", "replace").strip() if ended.returncode == 0 else ""


if __name__ == "__main__":
    sys.exit(main())
