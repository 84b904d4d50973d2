"""The time of this machine, as the Clock port."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """Wall time for people and records, monotonic time for deadlines."""

    def now(self) -> str:
        return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def monotonic(self) -> float:
        return time.monotonic()
