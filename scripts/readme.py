"""Put real sessions into the README: what the demo prints, taken from a run made now."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What of a review is shown there; all of it would be two pages.
TOLD = (
    r"\$ ", r"CRITICAL ", r" +\d+ \| ", r" +path, ", r" +\d+\. ", r"Fixes: ", r"  fixed ", r" +rests on: ",
    r" +changed `", r"  Landed: ", r"[-+](?!\+\+|--)",
)  # fmt: skip


def main() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "demo.py")], capture_output=True, text=True, check=True
    )
    readme = ROOT / "README.md"
    text = readme.read_text("utf8")
    for name, session in (("session", with_agents(done.stdout)), ("flow", followed(done.stdout))):
        block = f"<!-- {name} -->\n```\n{session}\n```\n<!-- /{name} -->"
        text = re.sub(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _, made=block: made, text, flags=re.S)
    readme.write_text(text, "utf8")


def with_agents(output: str) -> str:
    session = output[output.index("$ burnish run") : output.index("\n\nWhat was landed, on")]
    return session.replace(str(ROOT / "scripts" / "demo_files") + "/", "")


def followed(output: str) -> str:
    story = output[output.index("\nAnother change") : output.index("\nNow with agents")]
    lines = [line for line in story.splitlines() if re.match("|".join(TOLD), line)]
    return "\n".join(line.replace("--no-pager ", "") for line in lines)


if __name__ == "__main__":
    main()
