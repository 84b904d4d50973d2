"""A model service on loopback that answers what a script says: real agent CLIs work against it without an account."""

from tests.model_server.script import (
    Answer,
    Drop,
    Edit,
    Read,
    Refuse,
    Run,
    Say,
    Scene,
    Script,
    Stall,
    Turn,
    Use,
    Write,
)
from tests.model_server.server import ModelServer, Seen

__all__ = [
    "Answer",
    "Drop",
    "Edit",
    "ModelServer",
    "Read",
    "Refuse",
    "Run",
    "Say",
    "Scene",
    "Script",
    "Seen",
    "Stall",
    "Turn",
    "Use",
    "Write",
]
