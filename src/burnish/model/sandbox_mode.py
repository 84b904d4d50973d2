"""Whether children are put into a sandbox."""

from enum import StrEnum


class SandboxMode(StrEnum):
    AUTO = "auto"
    OFF = "off"
    REQUIRE = "require"
