from pathlib import Path

ROOT = Path("/srv/backups").resolve()


def load(tenant):
    path = (ROOT / tenant / "latest.tar.gz").resolve()
    if ROOT not in path.parents or not path.is_file():
        return None
    with path.open("rb") as handle:
        return handle.read()
