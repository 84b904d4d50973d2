"""The examples of docs/reference/specs.md are what the code reads."""

from __future__ import annotations

import re
from pathlib import Path

from burnish.model.review import Verdict
from burnish.specs.document import read_spec
from burnish.specs.manifest import Manifest, ManifestPhase, read_manifest, with_manifest
from burnish.specs.signal_text import read_signal, write_signal
from burnish.specs.waves import waves

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "specs.md").read_text("utf8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
DOCUMENT = next(text for kind, text in BLOCKS if kind == "markdown")
MANIFEST = next(text for kind, text in BLOCKS if kind == "yaml")
SIGNAL = next(text for kind, text in BLOCKS if kind == "text")


def test_the_document_of_the_page_is_a_spec() -> None:
    spec = read_spec("login.md", DOCUMENT, phased=True)
    assert (spec.number, spec.title, spec.topic) == ("042", "Log in", "login")
    assert waves(spec.phases) == ((1,), (2,), (3,))
    assert spec.phases[0].files == ("app/users.py", "app/db.py")
    assert len(spec.phases[0].criteria) == 2
    assert [one.hard for one in spec.phases[2].depends] == [True, False]


def test_the_manifest_of_the_page_is_one_and_every_key_is_named() -> None:
    spec = with_manifest(
        "042-login.md", read_spec("042-login.md", DOCUMENT), read_manifest("m.yml", MANIFEST)
    )
    assert [phase.name for phase in spec.phases] == ["Data model", "Forms"]
    section = PAGE.split("## The manifest")[1].split("\n## ")[0]
    assert [key for key in (*Manifest.model_fields, *ManifestPhase.model_fields) if key not in section] == []


def test_the_signal_of_the_page_is_what_would_be_written() -> None:
    signal = read_signal("phase-1-review-2.done", SIGNAL)
    assert signal.grade is Verdict.PASS
    assert write_signal(signal) == SIGNAL
