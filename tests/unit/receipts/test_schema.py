"""The published JSON Schema of receipts is what the code writes."""

from __future__ import annotations

import json
import os
from pathlib import Path

from pydantic import TypeAdapter

from burnish.model.receipt import Receipt

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "receipt.schema.json"


def test_the_published_schema_is_the_one_in_the_code() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **TypeAdapter(Receipt).json_schema(mode="serialization"),
    }
    text = json.dumps(schema, indent=2) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(text, "utf8")
    assert PAGE.read_text("utf8") == text
