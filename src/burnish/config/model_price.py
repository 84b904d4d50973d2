"""What one model costs, as users write it in a table they name themselves."""

from __future__ import annotations

from pydantic import Field

from burnish.config.section import Section


class ModelPrice(Section):
    """Dollars per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
