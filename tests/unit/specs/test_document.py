"""A spec document: its number, its phases and what they say, and what a bad one gets."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import UsageError
from burnish.specs.document import MAX_CHARS, manifest_path, read_spec, slug
from burnish.specs.phase import Dependency, Phase
from burnish.specs.waves import waves

LOGIN = """\
# Spec 042: Log in

What it is about.

## Phase 1: Data model

Users have a name.

- **Files:** `app/users.py`, `app/db.py`

### Success criteria
- [ ] SC-1: a user can be stored
- a name is unique,
  whatever its case

Other words.
- not a criterion

### Phase 2 - Forms
Depends on: phase 1
Target files:
- app/forms.py

- SC-2: an empty name is refused

## Phase 3: Pages

* after: 1, phase 2 (soft)

## Notes

- not of a phase
"""


def phases(text: str) -> dict[int, Phase]:
    return {phase.num: phase for phase in read_spec("042.md", text, phased=True).phases}


def refused(text: str, name: str = "042-login.md", **options: bool) -> UsageError:
    with pytest.raises(UsageError) as caught:
        read_spec(name, text, **options)  # type: ignore[arg-type]
    assert "\n" not in caught.value.message
    return caught.value


def test_a_document_is_number_title_topic_and_phases() -> None:
    spec = read_spec("docs/042-login.md", LOGIN)
    assert (spec.number, spec.title, spec.topic, spec.whole) == ("042", "Log in", "login", False)
    assert [(phase.num, phase.name) for phase in spec.phases] == [
        (1, "Data model"),
        (2, "Forms"),
        (3, "Pages"),
    ]
    assert spec.text == LOGIN


def test_a_phase_says_what_it_depends_on_its_criteria_and_files() -> None:
    found = phases(LOGIN)
    assert found[1].criteria == ("SC-1: a user can be stored", "a name is unique, whatever its case")
    assert found[1].files == ("app/users.py", "app/db.py")
    assert found[1].depends == ()
    assert found[2].depends == (Dependency(1),)
    assert (found[2].files, found[2].criteria) == (("app/forms.py",), ("SC-2: an empty name is refused",))
    assert found[3].depends == (Dependency(1), Dependency(2, hard=False))


def test_a_criterion_without_words_takes_no_line_along() -> None:
    text = "## Phase 1: a\nSuccess criteria:\n- \n  more\n- Files: a.py\n  less\n- [ ] \n  than\n"
    assert (phases(text)[1].criteria, phases(text)[1].files) == ((), ("a.py",))


def test_the_text_of_a_phase_ends_where_its_section_does() -> None:
    found = phases(LOGIN)
    assert found[1].text.startswith("Users have")
    assert found[1].text.endswith("- not a criterion")
    assert "SC-2" in found[2].text
    assert "not of a phase" not in found[3].text


@pytest.mark.conformance("O-49")
def test_phases_are_an_ordered_list_wherever_they_stand() -> None:
    """Where nothing is said of dependencies, each waits for the one before it."""
    spec = read_spec("042.md", "## Phase 3: c\n## Phase 1: a\n## Phase 2: b\n")
    assert [phase.num for phase in spec.phases] == [1, 2, 3]
    assert waves(spec.phases) == ((1,), (2,), (3,))


def test_one_word_of_dependencies_and_only_what_is_said_counts() -> None:
    spec = read_spec("042.md", "## Phase 1: a\n## Phase 2: b\nDepends on: none\n## Phase 3: c\nafter: 2\n")
    assert waves(spec.phases) == ((1, 2), (3,))


@pytest.mark.parametrize(
    ("line", "depends"),
    [
        ("Depends on: phase 1", [(1, True)]),
        ("**Depends on:** phases 1 and 2", [(1, True), (2, True)]),
        ("- **Depends on**: Phase 1, phase 2 (soft)", [(1, True), (2, False)]),
        ("Dependencies: #1; soft 2.", [(1, True), (2, False)]),
        ("AFTER: 2", [(2, True)]),
        ("depends on: phase 1 (Data, model), phase 2 (hard)", [(1, True), (2, True)]),
        ("Depends on:\n- phase 1\n- phase 2 (soft)", [(1, True), (2, False)]),
        ("### Dependencies\n\n1. phase 2", [(2, True)]),
        ("Depends on: phase 1\nafter: 1", [(1, True)]),
        ("Depends on: none.", []),
    ],
)
def test_ways_to_say_what_a_phase_depends_on(line: str, depends: list[tuple[int, bool]]) -> None:
    text = f"## Phase 1: a\nDepends on: -\n## Phase 2: b\n## Phase 3: c\n{line}\n"
    assert phases(text)[3].depends == tuple(Dependency(num, hard=hard) for num, hard in depends)


@pytest.mark.parametrize(
    "line",
    [
        "### Dependencies\n- PostgreSQL 16", "After: the migration", "It depends on: phase 1", "> Depends on: phase 1",
        "```\nDepends on: phase 1\n```", "    Depends on phase 1",
    ],
)  # fmt: skip
def test_what_is_not_about_phases_is_no_dependency(line: str) -> None:
    text = f"## Phase 1: a\nDepends on: -\n## Phase 3: c\n{line}\n"
    assert phases(text)[3].depends == ()


@pytest.mark.parametrize(
    "value", ["the data model", "phase one", "phase 1 phase 2", "phase 1 (", "1-3", "-1"]
)
def test_a_dependency_that_is_no_number_is_refused(value: str) -> None:
    error = refused(f"## Phase 1: a\n## Phase 2: b\nDepends on: {value}\n")
    assert error.message.startswith(
        f"042-login.md: phase 2 says that it depends on {value!r}; expected numbers"
    )


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("# Phase 1: Name", "Name"), ("###### Phase 1 - Name", "Name"), ("## PHASE 1 — Name ##", "Name"),
        ("## **Phase 1**: `Name`", "Name"), ("## Phase 01. Name", "Name"), ("   ## Phase 1 Name", "Name"),
        ("## Phase 1", "Phase 1"), ("## Phase 1:", "Phase 1"), ("## Phase 1: my_name of C#", "my_name of C#"),
    ],
)  # fmt: skip
def test_headings_that_begin_a_phase(heading: str, name: str) -> None:
    assert [phase.name for phase in read_spec("042.md", f"{heading}\nx\n", phased=True).phases] == [name]


@pytest.mark.parametrize(
    "text",
    [
        "```\n## Phase 2: b\n```", "~~~~ md\n```\n~~~\n## Phase 2: b\n~~~~", "- ```\n  ## Phase 2: b\n  ```",
        "~~~~\n~~~\n## Phase 2: b\n~~~~", "```\n~~~\n## Phase 2: b\n```",
        "<!--\n## Phase 2: b\n-->", "    ## Phase 2: b", "> ## Phase 2: b", "##Phase 2: b", "## Phase 1.1: b",
        "## Phase 2a: b", "## Phases", "## Next phase 2", "Phase 2: b", "####### Phase 2: b",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_phase_is_none(text: str) -> None:
    assert list(phases(f"## Phase 1: a\n{text}\n")) == [1]


def test_numbered_headings_below_phases_are_phases() -> None:
    text = "# T\n## 1. Why\n## Implementation phases\n### 1. Model\nx\n#### 1. detail\n### 2) View\n## 3. Notes\n"
    assert [(num, phase.name) for num, phase in phases(text).items()] == [(1, "Model"), (2, "View")]
    assert phases(text)[1].text == "x\n#### 1. detail"


@pytest.mark.parametrize(
    "text",
    [
        "## 1. Model\n## 2. View\n",
        "## Phases\n### 1. a\n### 3. b\n",
        "## Phases\n### 1. a\n### Notes\n",
        "## Phases\n",
    ],
)
def test_numbered_headings_are_no_phases_without_the_word_or_a_gap(text: str) -> None:
    assert "has no phases" in refused(text, phased=True).message
    assert read_spec("042.md", text).whole


def test_a_document_without_phases_is_one_phase() -> None:
    text = "# Add search\n\nFind things.\nDepends on: patience\nafter: 3\nFiles: a.py\n- SC-1: found\n"
    spec = read_spec("042.md", text)
    assert spec.whole
    assert spec.phases == (Phase(1, "Add search", text, ("SC-1: found",), (), ("a.py",)),)


@pytest.mark.parametrize(
    ("name", "text", "number"),
    [
        ("042-login.md", "x", "042"), ("spec-042.md", "x", "042"), ("spec_7.md", "x", "007"), ("7.md", "x", "007"),
        ("1234 x.md", "x", "1234"), ("login.md", "# Spec 042: Login", "042"), ("a.md", "# Spec #42 - L", "042"),
        ("login.md", "---\nnumber: 42 # ours\n---\n# Spec 1", "042"), ("3.md", "---\nspec: '042'\n---\n", "042"),
        ("specs/042-login/spec.md", "# Log in", "042"), ("2026-11-15-x.md", "# Spec 5: x", "005"),
    ],
)  # fmt: skip
def test_where_the_number_comes_from(name: str, text: str, number: str) -> None:
    assert read_spec(name, text).number == number
    assert read_spec(name, text, number="9").number == "009"


def test_a_document_without_a_number_is_refused_with_the_way_out() -> None:
    for name in ("login.md", "2026-11-15-login.md", "20261115.md", "x٤٢.md"):
        error = refused("# Log in\n", name)
        assert error.message == f"the spec {name} has no number, which commit subjects need."
        assert "--number 42" in error.hint
    assert read_spec("login.md", "x", number="spec-8").number == "008"


@pytest.mark.parametrize("number", ["x", "4.2", "-1", "123456", "４２"])
def test_a_number_that_is_none_is_refused(number: str) -> None:
    with pytest.raises(UsageError, match="one to five digits"):
        read_spec("042.md", "x", number=number)
    assert "one to five digits" in refused(f"---\nnumber: {number}\n---\nx").message


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the spec 042-login.md is empty."),
        ("\ufeff \r\n\r\n", "the spec 042-login.md is empty."),
        ("## Phase 1: a\n## Phase 1: b\n", "042-login.md has phase 1 twice: 'a' and 'b'."),
        ("## Phase 1: a\nafter: 4\n", "phase 1 depends on phase 4, which there is not (there is: 1)."),
        ("## Phase 1: a\nafter: 1\n", "phase 1 depends on itself."),
        (
            "## Phase 1: a\nafter: 2\n## Phase 2: b\nafter: 1 (soft)\n",
            "circle: phase 1 -> phase 2 -> phase 1.",
        ),
        ("## Phase 1: a\n```\nx\n## Phase 2: b\n", "the code block that begins on line 2 never ends"),
        ("x" * (MAX_CHARS + 1), "is longer than 4000000 characters"),
    ],
)
def test_a_document_that_is_no_plan_is_told_in_a_sentence(text: str, sentence: str) -> None:
    assert sentence in refused(text).message


def test_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    spec = read_spec("042.md", LOGIN)
    assert read_spec("042.md", "\ufeff" + LOGIN.replace("\n", "\r\n")) == spec
    assert read_spec("042.md", LOGIN.replace("\n", "\r")) == spec


@pytest.mark.parametrize(
    "text",
    [
        "a\n" * 500_000, "## Phase 1: a\n" * 70_000, "# Phases\n" + "## Phases\n" * 100_000, "#" * 1_000_000,
        "## Phase 1: a\n" + "after: 1\n" * 110_000, "## Phase 1: a\nafter: " + "1," * 500_000, "`" * 1_000_000,
        "## Phase 1: a\nfiles: " + "a," * 500_000, "## Phase 1: " + "*_" * 500_000, "```\n" * 250_000,
        "## Phase 1" + "- " * 500_000, "---\n" + "a: b\n" * 200_000, "## Phase 1: a\nafter: 1 " + "(" * 1_000_000,
        "## Phase 1: a\nFiles:\n" + "".join(f"- f{n}\n" for n in range(120_000)), "# " + "w " * 500_000,
    ],
    ids=lambda text: text[:24],
)  # fmt: skip
def test_a_megabyte_is_read_soon(text: str) -> None:
    """Each takes about a second at most; what grows with the square would take minutes."""
    began = time.process_time()
    try:
        read_spec("042.md", text)
    except UsageError as error:
        assert len(error.message) < 300
    assert time.process_time() - began < 10


LINES = st.sampled_from([
    "## Phase 1: a", "## Phase 2", "### 1. x", "## Phases", "```", "~~~", "<!--", "-->", "---", "after: 1", "number: 3",
    "Depends on: phase 2 (soft)", "- SC-1: x", "Files: a, b", "> q", "", "    x", "# Spec 9", "\x1b[2J", "Success criteria:",
])  # fmt: skip


@given(st.lists(st.one_of(LINES, st.text(max_size=12)), max_size=20))
def test_any_document_is_a_plan_or_a_sentence(lines: list[str]) -> None:
    try:
        spec = read_spec("042.md", "\n".join(lines))
    except UsageError as error:
        assert "\n" not in error.message
        return
    nums = [phase.num for phase in spec.phases]
    assert nums == sorted(set(nums))
    assert sorted(num for wave in waves(spec.phases) for num in wave) == nums
    assert spec.title.isprintable()
    assert spec.topic == slug(spec.topic)


def test_the_topic_is_safe_for_a_folder() -> None:
    assert read_spec("042-Über Länge!.md", "x").topic == "uber-lange"
    assert read_spec("042.md", "# ../../etc/passwd").topic == "etc-passwd"
    assert read_spec("042.md", "---\ntopic: Mine\n---\n# x").topic == "mine"
    assert read_spec("042.md", "# 日本").topic == "spec"
    assert len(read_spec("042.md", "# " + "ab " * 100).topic) <= 40


def test_the_manifest_lies_below_the_folder_of_the_spec() -> None:
    assert manifest_path("042.md", "# x") == "phases/phase-manifest.yml"
    assert manifest_path("042.md", "---\nmanifest: plan/p.yml\n---\n") == "plan/p.yml"
    for path in ("/etc/passwd", "../p.yml", "a/../../p.yml", "~/p.yml", "..\\p.yml"):
        with pytest.raises(UsageError, match="not below its folder"):
            manifest_path("042.md", f"---\nmanifest: {path}\n---\n")
