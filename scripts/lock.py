"""Write requirements.lock and bench/requirements.txt: versions pinned with hashes, no registry address in them."""

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = ["--generate-hashes", "--strip-extras", "--allow-unsafe", "--no-header", "--no-annotate", "--quiet"]
SILENT = ["--no-emit-index-url", "--no-emit-trusted-host", "--no-emit-find-links", "--no-emit-options"]
BENCH = ["langgraph", "langgraph-checkpoint-sqlite", "bandit", "django"]


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    wanted += [name for extra in project["project"]["optional-dependencies"].values() for name in extra]
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "pip-tools"], check=True)
    how = "install with: pip install --require-hashes -r requirements.lock"
    pin(wanted, ROOT / "requirements.lock", how)
    how = "only for `make bench`: the peers to measure beside, and a subject."
    pin(BENCH, ROOT / "bench" / "requirements.txt", how)


def pin(wanted: list[str], written: Path, how: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "wanted.in"), Path(folder, "requirements.lock")
        source.write_text("\n".join(wanted) + "\n", "utf8")
        command = [
            sys.executable,
            "-m",
            "piptools",
            "compile",
            *OPTIONS,
            *SILENT,
            "-o",
            str(target),
            str(source),
        ]
        subprocess.run(command, check=True)
        text = target.read_text("utf8")
    if "://" in text:
        sys.exit(f"{written.name} would name a registry: not written")
    written.write_text(f"# Written by `make lock`; {how}\n{text}", "utf8")


if __name__ == "__main__":
    main()
