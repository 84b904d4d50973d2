"""Why a run ended and what to do about it, in words: one line for each reason code."""

from __future__ import annotations

from burnish.model.reason import Reason
from burnish.sanitise import clean_line

# reason -> what it means, and what to do.
EXPLANATIONS: dict[Reason, tuple[str, str]] = {
    Reason.REVIEW_PASSED: (
        "The review passed exactly the tree that was delivered.",
        "Nothing; `burnish receipt verify RUN` checks the evidence.",
    ),
    Reason.CYCLES_EXHAUSTED: (
        "Every review it may take was used, and the last one did not pass either.",
        "Read the last review with `burnish show RUN`; raise `--cycles` if it was getting better.",
    ),
    Reason.FIXES_EXHAUSTED: (
        "Every fix it may take was used, and the review still did not pass.",
        "Read the last review with `burnish show RUN`; raise `--fixes` if it was getting better.",
    ),
    Reason.NEEDS_DISCUSSION: (
        "The reviewer asks for a person: it found a question that code cannot answer.",
        "Read its review with `burnish show RUN`, decide, and go on: `burnish answer RUN`, then your words.",
    ),
    Reason.BLOCKING_FINDINGS: (
        "The review found something at or above the severity that blocks, and nobody was asked to fix it.",
        "Fix it (`burnish fix`), or decide that it may stay (`burnish findings dismiss`).",
    ),
    Reason.EMPTY_CHANGE: (
        "The tree is the base's: nothing was changed, so there was nothing to review.",
        "Say in the task what is to be different, or look into the agent's log: `burnish log RUN`.",
    ),
    Reason.NO_PROGRESS: (
        "A fix left a tree that was reviewed before, and you asked to stop then (`stop_on_no_progress`).",
        "The fixer cannot or will not do what is asked: read the findings, fix or dismiss them by hand.",
    ),
    Reason.OUT_OF_PATIENCE: (
        "The same findings came back after as many fixes as `--patience` allows.",
        "Reviewer and fixer disagree: read the findings and decide who is right, then say so in the task.",
    ),
    Reason.RETURNING_FINDINGS: (
        "Findings that had gone came back, and you asked to stop then (`stop_on_returning`).",
        "One fix undoes another, or the reviewer wavers: settle by hand which way it shall be.",
    ),
    Reason.LESSER_FINDINGS: (
        "Only findings below the severity of `limits.ratchet` were left after some reviews; it is no pass.",
        "Take the change as it is, or fix what is left by hand and have it reviewed again.",
    ),
    Reason.UNTOUCHED_CODE: (
        "All that was found is about lines that the change did not touch (`stop_on_untouched_code`).",
        "Dismiss those findings or make a task of their own for them, then review the change again.",
    ),
    Reason.OUT_OF_BUDGET: (
        "What it may cost was spent before a review passed.",
        "Its work is kept: raise the budget and go on, or finish it by hand.",
    ),
    Reason.TASK_STUCK: (
        "The loop is stuck: its agent said so, ran out of iterations, or came no further any more.",
        "Read what it said with `burnish log RUN`; in a build, `burnish build resolve` takes your words.",
    ),
    Reason.QUESTION_ASKED: (
        "An agent asks a person something before it can go on; its work so far is kept.",
        "Read the question with `burnish show RUN`; `burnish answer RUN` and your words go on with it.",
    ),
    Reason.REVIEW_SKIPPED: (
        "It was done without a review, which its profile allows.",
        "Give it a reviewer if its result matters.",
    ),
    Reason.NO_FIXER: (
        "The review did not pass and there is nobody to fix what it found.",
        "Name a fixer with `--fixer`, or fix the findings by hand.",
    ),
    Reason.IMPLEMENTER_FAILED: (
        "The implementer did not do its part.",
        "See what it said with `burnish log RUN`, mend that, and try again.",
    ),
    Reason.IMPLEMENTER_TIMEOUT: (
        "The implementer did not finish in time; what it had written is kept, `burnish show RUN` names it.",
        "Raise `timeouts.implement_s`, or make the task smaller.",
    ),
    Reason.REVIEWER_FAILED: (
        "The reviewer did not do its part, so nothing is known about the result.",
        "See what it said with `burnish log RUN`, mend that, and try again.",
    ),
    Reason.REVIEWER_TIMEOUT: (
        "The reviewer did not finish in time, so nothing is known about the result.",
        "Raise `timeouts.review_s`, or make the change smaller.",
    ),
    Reason.CONTRACT_VIOLATION: (
        "The reviewer's words did not fit its contract, also when it was asked again.",
        "Read them with `burnish show RUN`; `burnish contract show NAME` tells what is expected.",
    ),
    Reason.FIXER_FAILED: (
        "The fixer did not do its part.",
        "See what it said with `burnish log RUN`, mend that, and try again.",
    ),
    Reason.FIXER_TIMEOUT: (
        "The fixer did not finish in time; what it had written is kept, `burnish show RUN` names it.",
        "Raise `timeouts.fix_s`, or fix the findings by hand.",
    ),
    Reason.GATE_UNUSABLE: (
        "The gate could not be run at all, so nothing could be checked.",
        "Run its command yourself in a fresh checkout; `burnish doctor` looks for what is missing.",
    ),
    Reason.GATE_RED: (
        "The gate was green before the change and is red after it.",
        "Read its output with `burnish show RUN`, and fix what it names.",
    ),
    Reason.REPORTED: (
        "It was asked for a report, not for a change, and gave one.",
        "Read it with `burnish show RUN`.",
    ),
    Reason.PHASE_SKIPPED: (
        "A person left a phase of the spec out; all others passed.",
        "Do that phase by hand, or in a new session with `burnish spec SPEC.md --phase P`.",
    ),
    Reason.SLOT_FAILED: (
        "A slot of the session's last iteration failed; what the others finished is kept.",
        "Read how it failed with `burnish show RUN` of that slot's run, then start `burnish slots` again.",
    ),
    Reason.STOP_MARKER: (
        "A writer said that nothing is left to do, although there are still tasks that a slot could pick.",
        "Look at what it said with `burnish log RUN`; `burnish slots` goes on with the tasks that are left.",
    ),
    Reason.NOTHING_LEFT: (
        "No task is left that a slot could pick.",
        "Nothing; add tasks and start `burnish slots` again.",
    ),
    Reason.CANCELLED_BY_USER: (
        "Somebody ended it; its work so far is kept.",
        "Start it again if it is still wanted.",
    ),
}


def explain(reason: str, message: str = "", run: str = "") -> str:
    """What a reason code means, what was said with it, and what to do; a code of another version is named."""
    said = clean_line(message)
    if reason not in [str(known) for known in Reason]:
        return f"{clean_line(reason) or 'no reason'}: {said or 'nothing more is known'}"
    means, todo = EXPLANATIONS[Reason(reason)]
    lines = [f"{reason}: {means}"]
    if said:
        lines.append(f"said: {said}")
    lines.append(f"what to do: {todo}")
    return "\n".join(lines).replace("RUN`", f"{run or 'RUN'}`")
