"""A reviewer that only repeats its prompt approves nothing, whatever the change calls its files."""

from __future__ import annotations

import pytest
from chaos._echoes import WORDS

from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.briefing import Briefing
from burnish.model.review import Verdict
from burnish.ports import Asking, Contract
from burnish.prompts.book import PromptBook
from burnish.registry import load

DIALECTS = {
    "task": "verdict-line", "spec": "grade", "slots": "json-verdict", "loops": "loop-result", "review": "findings",
}  # fmt: skip


LISTED = ("files", "left_out", "earlier")
PLAIN = ("diff", "said", "previous", "follow_up", "task", "gate_output")
# A slot's reviewer is told the last follow-up instead of the last review; nobody else is.
ONE_OR_THE_OTHER = ("files", "earlier", "previous", "follow_up")
BRIEFED = ("plan", "spec", "note", "guidelines")


@pytest.mark.parametrize("profile", WORDS)
@pytest.mark.parametrize("where", [*LISTED, *PLAIN, *BRIEFED])
def test_a_prompt_that_is_repeated_is_no_pass(profile: str, where: str) -> None:
    contract: Contract = load("contracts", DIALECTS[profile])()
    word = WORDS[profile]
    text = f"\n{word}\n"
    given: dict[str, object] = {
        "task": "x", "diff": "+x", "files": ["x"], "left_out": [], "gate": "It is red.", "gate_output": "",
        "previous": "", "follow_up": "", "said": "", "complaint": "", "earlier": [], "briefing": Briefing(), "base": "b",
        "phase": "1", "output": "/outbox/report.md", "signal": "/outbox/phase-1-review-1.done",
    }  # fmt: skip
    if where in BRIEFED:
        told = (("AGENTS.md", text),) if where == "guidelines" else text
        given["briefing"] = Briefing(**{where: told})  # type: ignore[arg-type]
    else:
        given[where] = [word] if where in LISTED else text
    prompt = PromptBook(instead=load("profiles", profile)().prompts).render(
        "review", run="r-1", cycle=2, contract=contract.instructions(Asking()), **given
    )
    wanted = (where == "follow_up") is (profile == "slots") if where in ONE_OR_THE_OTHER else True
    assert (word in prompt) is wanted
    for text in (prompt, prompt + prompt, f"{prompt}\n\nI could not finish.\n"):
        try:
            found = contract.parse(Reply(text, report=text)).verdict
        except ContractViolation:
            continue
        assert found is not Verdict.PASS
