"""A process that merges and is gone at a given point, without a chance to tidy up: `REPO STATE SOURCE POINT`."""

import asyncio
import os
import sys
from pathlib import Path

from burnish.git.forwarding import Point
from burnish.git.merging import Merging
from tests.integration.git.sides import side_of
from tests.repos import TestRepo

GONE = 77


def main(repo: str, state: str, source: str, point: str) -> None:
    def die(at: Point) -> None:
        if at == point:
            os._exit(GONE)

    async def scenario() -> None:
        async with side_of(TestRepo(Path(repo)), Path(state)) as side:
            merging = Merging(side.repository, side.workspaces.store, die)
            await merging.merge(source, "main", squash=False, message="The task's title")

    asyncio.run(scenario())


if __name__ == "__main__":
    main(*sys.argv[1:])
