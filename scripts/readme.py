"""Put a real session into the README: what the demo's run prints, taken from a run made now."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "demo.py")], capture_output=True, text=True, check=True
    )
    start = done.stdout.index("$ burnish run")
    end = done.stdout.index("\n\nWhat was landed, on")
    session = done.stdout[start:end].replace(str(ROOT / "scripts" / "demo_files") + "/", "")
    readme = ROOT / "README.md"
    text = readme.read_text("utf8")
    block = f"<!-- session -->\n```\n{session}\n```\n<!-- /session -->"
    readme.write_text(
        re.sub(r"<!-- session -->.*?<!-- /session -->", lambda _: block, text, flags=re.S), "utf8"
    )


if __name__ == "__main__":
    main()
