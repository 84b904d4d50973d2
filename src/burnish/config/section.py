"""What every table of settings has in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """Strict: a number in quotes is not a number. Enums and lists are exempt: files hold texts and arrays.

    What a field means stands below it; pydantic is not asked to read that: it takes longer than all else.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)
