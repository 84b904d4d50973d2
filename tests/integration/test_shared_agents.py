"""Runs side by side in one process, as the pool starts them: limits are waited for, places are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.agents._limited import Places
from burnish.app.place import find_place
from burnish.app.request import RunRequest
from burnish.app.start import Hooks, start
from burnish.config.load import Flag
from burnish.model.events import Noticed, Recorded, RunFinished
from burnish.store import spending
from burnish.store.database import open_database
from tests.repos import TestRepo

# Limited the first time in each workspace; then it does its part.
CODEX = """#!/bin/sh
cat > /dev/null
if mkdir seen 2>/dev/null; then echo 'HTTP 429: retry after 1.0' >&2; exit 1; fi
echo '{"cost_usd": 0.25}' > "$BURNISH_USAGE"
echo "print('done')" > app.py
"""
REVIEWER = "#!/bin/sh\ncat > /dev/null\necho '**Verdict: APPROVED**'\n"


def program(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_two_runs_wait_for_the_limit_of_the_agent_they_share(
    tmp_path: Path, repo: Callable[..., TestRepo], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = repo({"app.py": "print('hi')\n"})
    monkeypatch.chdir(made.path)
    flags = {
        "agents.implementer": Flag("--implementer", program(tmp_path, "codex", CODEX)),
        "agents.reviewer": Flag("--reviewer", program(tmp_path, "reviewer", REVIEWER)),
    }
    heard: list[Recorded] = []

    async def both() -> list[int]:
        hooks = Hooks(own_signals=False, places=Places(["codex=1"]))
        request = RunRequest("Add it", flags)
        return await asyncio.gather(*(start(request, heard.append, hooks) for _ in range(2)))

    assert asyncio.run(both()) == [0, 0]
    ends = [entry.event for entry in heard if isinstance(entry.event, RunFinished)]
    assert [(end.outcome, end.cost) for end in ends] == [("passed", 0.25), ("passed", 0.25)]
    waited = {
        entry.run for entry in heard
        if isinstance(entry.event, Noticed) and entry.event.text.startswith("waiting for codex until ")
    }  # fmt: skip
    assert waited == {entry.run for entry in heard}
    place = asyncio.run(find_place())
    database = open_database(place.database)
    try:
        spent = spending.typical(database)["implement"]
        assert (spent.steps, spent.cost_usd) == (2, 0.25)
        assert spent.seconds > 0
        assert spending.spent(database, waited).cost_usd == 0.5
    finally:
        database.close()
