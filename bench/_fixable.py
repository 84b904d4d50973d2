"""Which findings of the newest review here a fixer of ours would take on, as JSON: `python -m bench._fixable`."""

from __future__ import annotations

import asyncio
import json
import sys

from burnish.app.fix import to_fix
from burnish.app.fix_preview import preview
from burnish.app.request import ReviewRequest


def main() -> None:
    request = asyncio.run(to_fix("", ReviewRequest(words=(), flags={}, places={}, fix=True)))
    taken = [
        {"id": finding.id, "rule": finding.rule, "fixer": fixer}
        for finding, fixer in preview(request)
        if fixer
    ]
    json.dump(taken, sys.stdout)


if __name__ == "__main__":
    main()
