"""The docs name what is really there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from burnish.model.exit_codes import ExitCode, exit_code
from burnish.model.outcome import Outcome
from burnish.model.profile import Profile
from burnish.model.reason import Reason
from burnish.model.review import Verdict
from burnish.registry import load, names

ROOT = Path(__file__).resolve().parents[2]
SRC = ROOT / "src" / "burnish"
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf8")
MAP = (ROOT / "AGENTS.md").read_text("utf8")
PAGES = [
    ROOT / name
    for name in ("AGENTS.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/README.md", "docs/glossary.md")
]


def rows(heading: str) -> dict[str, str]:
    """The rows of the table below a heading of the glossary, by what stands in their first cell."""
    section = GLOSSARY.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = {}
    for line in section.splitlines():
        first, _, rest = line.removeprefix("| ").partition(" | ")
        found |= dict.fromkeys(re.findall(r"`([\w-]+)`", first) if line.startswith("| `") else [], rest)
    return found


def test_the_glossary_has_every_outcome_and_reason() -> None:
    assert set(rows("Outcomes")) == set(Outcome)
    assert set(rows("Reasons")) == set(Reason)


def test_the_glossary_has_every_profile_and_contract() -> None:
    assert sorted(rows("Profiles")) == names("profiles")
    assert sorted(rows("Contracts")) == names("contracts")


@pytest.mark.parametrize("name", names("profiles"))
def test_the_glossary_tells_what_a_profile_counts_and_how_it_exits(name: str) -> None:
    profile: Profile = load("profiles", name)()
    contract, counts, exits = rows("Profiles")[name].removesuffix(" |").split(" | ")
    assert contract == f"`{profile.contract}`"
    assert counts.startswith(f"{profile.limit.n} {profile.limit.unit}")
    assert exits.startswith(f"exit {exit_code(name, Outcome.EXHAUSTED):d}")


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome is not Outcome.EXHAUSTED])
def test_the_glossary_tells_the_exit_code_of_an_outcome(outcome: Outcome) -> None:
    _, code = rows("Outcomes")[outcome].removesuffix(" |").split(" | ")
    assert re.match(r"\d+", code)[0] == f"{exit_code('task', outcome):d}"  # type: ignore[index]


def test_every_verdict_and_exit_code_is_explained() -> None:
    assert all(f"`{verdict}`" in GLOSSARY for verdict in Verdict)
    assert all(re.search(rf"\b{code:d}\b", GLOSSARY) for code in ExitCode)


def test_the_map_is_short_and_has_every_package() -> None:
    assert len(MAP.splitlines()) <= 100
    packages = {path.parent.name for path in SRC.glob("*/__init__.py")}
    assert packages == set(re.findall(r"^\| `(\w+)/`", MAP, re.MULTILINE))


def test_the_map_names_files_that_exist() -> None:
    table = MAP.split("## Packages")[1].split("\n## ")[0]
    for line in table.splitlines():
        if found := re.match(r"\| `(\w+)/` \|.*\| (.*) \|$", line):
            named = re.findall(r"`([\w./]+)`", found[2])
            assert [name for name in named if not (SRC / found[1] / name).exists()] == [], line
    below = MAP.split("## Follow the flow")[1]
    paths = re.findall(r"`((?:\w+/)+\w+\.\w+)`", below)
    assert [path for path in paths if not ((SRC / path).exists() or (ROOT / path).exists())] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)", page.read_text("utf8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_every_design_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text("utf8")
    assert [page.name for page in (ROOT / "docs" / "design").glob("*.md") if page.name not in index] == []
