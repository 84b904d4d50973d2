"""What every file of a dossier has in common: exact fields, and a text that can be read back."""

from __future__ import annotations

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from burnish import codec
from burnish.errors import UsageError


class Page(BaseModel):
    """Field names are the seed's interface: nothing else may stand in these files."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def text(self) -> str:
        return codec.dumps(self.model_dump(mode="json"), indent=2) + "\n"

    @classmethod
    def read(cls, text: str, name: str) -> Self:
        """A page from a file's text; anything else is told in one sentence."""
        found: Self = _validated(cls, _loaded(text, name), name)
        return found


class ArrayPage(Page):
    """A page whose file is an array of one object, as the seed's dimension and iteration files are."""

    def text(self) -> str:
        return codec.dumps([self.model_dump(mode="json")], indent=2) + "\n"

    @classmethod
    def read(cls, text: str, name: str) -> Self:
        found = _loaded(text, name)
        if isinstance(found, list):
            if len(found) != 1:
                raise UsageError(f"{name}: expected an array of one object, found {len(found)}.")
            found = found[0]
        page: Self = _validated(cls, found, name)
        return page


def _loaded(text: str, name: str) -> Any:
    try:
        return codec.loads(text)
    except ValueError as error:
        raise UsageError(f"{name} is not JSON: {error}.", hint="it may be cut off or edited") from None


def _validated(kind: Any, found: Any, name: str) -> Any:
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise UsageError(f"{name}: {where}: {first['msg']}.", hint="it may be of another version") from None
