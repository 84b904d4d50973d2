"""Verifying many altered receipts in one process."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from typing import Any

from burnish.errors import UsageError
from burnish.git.call import Git
from burnish.git.evidence import GitTrees
from burnish.git.repository import discover
from burnish.receipts.make import read
from burnish.receipts.verify import verify


@cache
def _trees(folder: Path) -> GitTrees:
    async def find() -> GitTrees:
        git = await Git.start(folder.parent / "receipt-state")
        repository = await discover(git, folder)
        return GitTrees(git, repository.place)

    (folder.parent / "receipt-state").mkdir(exist_ok=True)
    return asyncio.run(find())


def verdict_of(receipt: Any, folder: Path) -> str:
    """`holds`, or what does not: from the file alone, in the repository at `folder`."""
    try:
        found = read(json.dumps(receipt), "the file")
    except UsageError as error:
        return error.message
    last = asyncio.run(verify(found, _trees(folder)))[-1]
    return "holds" if last.holds else last.name
