"""Where the words for developers and reviewers are looked for, first to last."""

from __future__ import annotations

from dataclasses import dataclass

DEVELOPER = (".ai_agents/prompts/developer.md", ".ai_agents/prompt.md")
REVIEWER = (".ai_agents/prompts/reviewer.md",)
# As a reviewer's prompt: there is none, so nothing is reviewed.
NO_PROMPT = "none"


@dataclass(frozen=True)
class PromptPlace:
    """`said_by` is the flag or the setting that names it, and then it must be there; empty: it may be."""

    path: str
    said_by: str = ""
    by_flag: bool = False

    @property
    def must_be_there(self) -> bool:
        return bool(self.said_by)


@dataclass(frozen=True)
class Named:
    """A path as somebody gave it; blank is not given."""

    path: str | None
    said_by: str
    by_flag: bool = False


def developer_chain(*named: Named) -> tuple[PromptPlace, ...]:
    """`named` in the order of their strength: the developer's own prompt, then the one for everybody."""
    return _chain(named, DEVELOPER)


def reviewer_chain(*named: Named) -> tuple[PromptPlace, ...]:
    return _chain(named, REVIEWER)


def leaves_review_out(chain: tuple[PromptPlace, ...]) -> bool:
    """Whether the strongest word is that there shall be no reviewer's prompt."""
    return bool(chain) and chain[0].must_be_there and chain[0].path == NO_PROMPT


def _chain(named: tuple[Named, ...], usual: tuple[str, ...]) -> tuple[PromptPlace, ...]:
    given = [one for one in named if one.path and one.path.strip()]
    explicit = tuple(PromptPlace(str(one.path).strip(), one.said_by, one.by_flag) for one in given)
    return explicit + tuple(PromptPlace(path) for path in usual)
