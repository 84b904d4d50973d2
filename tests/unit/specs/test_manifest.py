"""A manifest: the phases of a spec in a file of their own; every mistake is told with its key."""

from __future__ import annotations

import time

import pytest

from burnish.errors import UsageError
from burnish.specs.document import read_spec
from burnish.specs.manifest import MAX_CHARS, read_manifest, with_manifest
from burnish.specs.phase import Dependency, Phase

TEXT = """\
version: 1.0
spec_path: specs/042-login.md
generated_at: 2026-11-15T10:00:00Z
total_phases: 2
phases:
  - num: 1
    name: Model
    description: |
      Users have a name.
    sc_items: [SC-1]
    dependencies: []
    estimated_effort: small
    stack: [python]
    target_files: [app/users.py]
  - num: 2
    name: View
    sc_items:
      - SC-2: it is shown
    dependencies:
      - {phase: 1, type: soft}
bundles: []
"""


def refused(text: str) -> str:
    with pytest.raises(UsageError) as caught:
        read_manifest("phases/phase-manifest.yml", text)
    assert caught.value.message.startswith("the manifest phases/phase-manifest.yml")
    assert "\n" not in caught.value.message
    return f"{caught.value.message} {caught.value.hint}"


def test_a_manifest_is_phases() -> None:
    assert read_manifest("m.yml", TEXT).plan("m.yml") == (
        Phase(1, "Model", "Users have a name.", ("SC-1",), (), ("app/users.py",)),
        Phase(2, "View", "", ("SC-2: it is shown",), (Dependency(1, hard=False),), ()),
    )


def test_a_spec_takes_the_phases_of_its_manifest_and_the_words_of_the_document() -> None:
    document = "# Log in\n## Phase 2: Pages\nThey are plain.\nFiles: page.html\n- SC-9: never\n"
    spec = read_spec("042-login.md", document)
    found = with_manifest("specs/042-login.md", spec, read_manifest("m.yml", TEXT))
    assert [(phase.num, phase.name) for phase in found.phases] == [(1, "Model"), (2, "View")]
    assert found.phases[1].text.startswith("They are plain.")
    assert (found.phases[1].files, found.phases[1].criteria) == (("page.html",), ("SC-2: it is shown",))
    whole = read_spec("042-login.md", "# Log in\nwords\n")
    found = with_manifest("042-login.md", whole, read_manifest("m.yml", TEXT))
    assert (found.whole, found.phases[0].text) == (False, "Users have a name.")


def test_a_manifest_of_another_spec_is_refused() -> None:
    spec = read_spec("043-other.md", "x")
    with pytest.raises(UsageError, match=r"for the spec 042-login\.md, not for 043-other\.md"):
        with_manifest("043-other.md", spec, read_manifest("m.yml", TEXT))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("num: 2", "nun: 2", "unknown key 'phases.1.nun'. did you mean 'num'?"),
        ("bundles", "bundels", "unknown key 'bundels'. did you mean 'bundles'?"),
        ("type: soft", "tipe: soft", "unknown key 'phases.1.dependencies.0.tipe'. did you mean 'type'?"),
        ("bundles", "zzz", "known: version, spec_path"),
        ("type: soft", "type: later", "phases.1.dependencies.0.type"),
        ("    name: View\n", "", "phases.1.name (in what begins on line 5): Field required"),
        ("num: 2", "num: '2'", "phases.1.num"),
        ("num: 2", "num: true", "phases.1.num"),
        ("num: 2", "num: -2", "phases.1.num"),
        ("num: 2", "num: 1", "has phase 1 twice: 'Model' and 'View'"),
        ("phase: 1", "phase: 3", "phase 2 depends on phase 3, which there is not"),
        ("phase: 1", "phase: 2", "phase 2 depends on itself"),
        ("dependencies: []", "dependencies: [{phase: 2}]", "in a circle: phase 1 -> phase 2 -> phase 1"),
        ("version: 1.0", "version: 2", "is of version 2; this Burnish reads version 1"),
        ("version: 1.0\n", "", "version: Field required"),
        ("total_phases: 2", "total_phases: 3", "there are 3 phases (total_phases) and lists 2"),
        ("bundles: []", "bundles: {", "is not valid YAML"),
        ("bundles: []", "version: 1", "is not valid YAML: a key is given twice"),
        ("bundles: []", "bundles: !!python/object/apply:os.system [x]", "is not valid YAML"),
        ("[python]", "&a [python, *a]", "aliases such as *a are not accepted"),
    ],
)
def test_a_mistake_in_a_manifest_is_told_with_its_place(old: str, new: str, told: str) -> None:
    assert told in refused(TEXT.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "version: Field required"),
        ("- 1", "expected keys and values"),
        ("version: 1\nphases: []\n", "has no phases"),
        ("version: 1\nphases: 3\n", "phases"),
        ("[" * 1000, "nested too deeply"),
        ("version: 1\nphases:\n" + "".join(" " * n + "a:\n" for n in range(480)), "nested too deeply"),
        ("#" * (MAX_CHARS + 1), "is larger than 128 KB"),
        ("version: 1\nphases:\n" + "".join(f"- {{num: {n}, name: a}}\n" for n in range(501)), "at most 500"),
    ],
)
def test_what_is_no_manifest_is_told_soon(text: str, told: str) -> None:
    began = time.process_time()
    assert told in refused(text)
    assert time.process_time() - began < 5
