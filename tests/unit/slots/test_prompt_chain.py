"""Where prompts are looked for."""

from __future__ import annotations

import pytest

from burnish.slots.prompt_chain import Named, developer_chain, leaves_review_out, reviewer_chain


def paths(chain: tuple[object, ...]) -> list[str]:
    return [one.path for one in chain]  # type: ignore[attr-defined]


@pytest.mark.conformance("L-35")
def test_the_developers_prompt_falls_back_from_its_own_to_everybodys_to_the_usual_places() -> None:
    chain = developer_chain(
        Named("mine.md", "--developer-prompt", by_flag=True),
        Named("set.md", "developerPromptPath"),
        Named(None, "--prompt", by_flag=True),
        Named("all.md", "promptPath"),
    )
    assert paths(chain) == [
        "mine.md",
        "set.md",
        "all.md",
        ".ai_agents/prompts/developer.md",
        ".ai_agents/prompt.md",
    ]
    assert [one.must_be_there for one in chain] == [True, True, True, False, False]
    assert paths(reviewer_chain(Named("r.md", "reviewerPromptPath"))) == [
        "r.md",
        ".ai_agents/prompts/reviewer.md",
    ]


def test_a_blank_path_is_not_given() -> None:
    assert paths(reviewer_chain(Named("  ", "--reviewer-prompt"))) == [".ai_agents/prompts/reviewer.md"]


def test_none_leaves_the_review_out_only_where_it_is_the_strongest_word() -> None:
    none = Named("none", "reviewerPromptPath")
    assert leaves_review_out(reviewer_chain(none))
    assert not leaves_review_out(reviewer_chain(Named("r.md", "--reviewer-prompt"), none))
    assert not leaves_review_out(reviewer_chain())
