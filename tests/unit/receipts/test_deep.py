"""A receipt that is nested too deeply, however deeply that is, is refused in words."""

from __future__ import annotations

import asyncio
import json
from dataclasses import fields
from pathlib import Path

from burnish.errors import UsageError
from burnish.git.call import Git, Place
from burnish.git.evidence import GitTrees
from burnish.model.receipt import FORMAT, Receipt
from burnish.receipts.make import read, write
from burnish.receipts.verify import verify

# Reading, hashing and writing give up at different depths; where, depends on Python and on who calls.
LEVELS = (10, *range(700, 1000, 5), 100_000)


def _nested(levels: int) -> str:
    empty: dict[str, object] = {field.name: "" for field in fields(Receipt)}
    lists: dict[str, object] = {"files": [], "reviews": [], "gates": [], "writes": []}
    text = json.dumps(empty | lists | {"format": FORMAT, "v": 1, "events": "here"})
    return text.replace('"here"', '[{"a":' + "[" * levels + "]" * levels + "}]")


def test_a_receipt_too_deep_to_be_read_hashed_or_written_is_refused_in_words(tmp_path: Path) -> None:
    async def every_end() -> list[str]:
        trees = GitTrees(await Git.start(tmp_path), Place(tmp_path))
        return [await end(levels, trees) for levels in LEVELS]

    async def end(levels: int, trees: GitTrees) -> str:
        try:
            receipt = read(_nested(levels), "the file")
            *_, last = await verify(receipt, trees)
            write(receipt)
        except UsageError as error:
            assert "nested too deeply" in error.message
            return "refused"
        return last.name

    ends = asyncio.run(every_end())
    assert (ends[0], ends[-1]) == ("seal", "refused")
    assert set(ends) <= {"seal", "format", "refused"}
