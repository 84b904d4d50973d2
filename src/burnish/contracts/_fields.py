"""Fields of a decoded object, checked one by one, so that a violation names the field and what was found."""

from __future__ import annotations

from typing import Any

from burnish.contracts._text import writable
from burnish.errors import ContractViolation

MOST_PROBLEMS = 50


class Problems:
    """All that is wrong with one answer: an agent that is told everything at once repairs it at once."""

    def __init__(self) -> None:
        self._found: list[ContractViolation] = []

    def add(self, violation: ContractViolation) -> None:
        self._found.append(violation)

    def check(self) -> None:
        """Raises the first one, with all others in it."""
        if self._found:
            first = self._found[0]
            told = tuple(dict.fromkeys(one.why for one in self._found))
            more = (f"and {len(told) - MOST_PROBLEMS} more",) if len(told) > MOST_PROBLEMS else ()
            raise ContractViolation(first.code, first.why, (*told[:MOST_PROBLEMS], *more))


class Fields:
    """One object. `where` is how messages name it; `code` is the violation its fields raise.

    With `problems` a field that is wrong is noted there instead, and read as if it were absent.
    """

    def __init__(self, value: Any, where: str, code: str, problems: Problems | None = None) -> None:
        self.where = where
        self.code = code
        self._problems = problems
        if not isinstance(value, dict):
            self.note(ContractViolation(code, f"{where} must be an object, found {kind(value)}"))
        self._value: dict[str, Any] = value if isinstance(value, dict) else {}

    def note(self, violation: ContractViolation) -> None:
        if self._problems is None:
            raise violation
        self._problems.add(violation)

    def text(self, name: str, *, required: bool = False) -> str:
        """A string; absent or null is empty, unless it is required: then it must say something."""
        value = self._value.get(name)
        if value is None and not required:
            return ""
        if not isinstance(value, str):
            self.note(self.violation(name, "a string", value))
            return ""
        if required and not value.strip():
            self.note(ContractViolation(self.code, f"{self.where}: {name!r} is empty"))
        return writable(value)

    def line(self, name: str = "line") -> int | None:
        """A line number: a whole number from 1; absent, null or 0 is none."""
        value = self._value.get(name)
        if value is None:
            return None
        whole = value.is_integer() if isinstance(value, float) else isinstance(value, int)
        if not whole or isinstance(value, bool) or value < 0:
            self.note(self.violation(name, "a line number", value))
            return None
        return int(value) or None

    def share(self, name: str) -> float | None:
        """A number from 0 to 1."""
        value = self._value.get(name)
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
            self.note(self.violation(name, "a number from 0 to 1", value))
            return None
        return float(value)

    def truth(self, name: str) -> bool | None:
        value = self._value.get(name)
        if value is None or isinstance(value, bool):
            return value
        self.note(self.violation(name, "true or false", value))
        return None

    def items(self, name: str) -> list[Any]:
        value = self._value.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            self.note(self.violation(name, "an array", value))
            return []
        return value

    def get(self, name: str) -> Any:
        return self._value.get(name)

    def has(self, name: str) -> bool:
        return name in self._value

    def violation(self, name: str, expected: str, value: Any) -> ContractViolation:
        found = kind(value) if name in self._value else "nothing"
        return ContractViolation(self.code, f"{self.where}: {name!r} must be {expected}, found {found}")


def kind(value: Any) -> str:
    """A value in a message: scalars as they are, the rest by their kind."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return repr(writable(value[:40]))
    if isinstance(value, int | float):
        return f"the number {value:.6g}" if abs(value) < 1e15 else "a very large number"
    return (
        "an array"
        if isinstance(value, list)
        else "an object"
        if isinstance(value, dict)
        else "something else"
    )
