"""The `slots` dialect: one strict JSON object."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Verdict
from burnish.registry import load
from tests.unit.contracts.contract_reading import answer, passes, review
from tests.unit.contracts.test_contract_verdict_line import WORDS

NAME = "json-verdict"
P = '{"verdict": "pass", "followUpPrompt": "ok"}'
D = '{"verdict": "drift", "followUpPrompt": "fix a"}'
FENCE = "```json\n{}\n```"


@pytest.mark.conformance("L-05", "L-18", "L-21")
def test_an_object_is_demanded_and_its_follow_up_reaches_the_fixer_whole() -> None:
    assert review(NAME, P).verdict is Verdict.PASS
    found = review(NAME, json.dumps({"verdict": "drift", "followUpPrompt": "a.py:3 x\n\nthen y"}))
    assert (found.verdict, found.native, found.summary) == (Verdict.FAIL, "drift", "a.py:3 x")
    assert [finding.detail for finding in found.findings] == ["a.py:3 x\n\nthen y"]
    assert answer(NAME, "pass") == "no_json"


@pytest.mark.conformance("L-19")
@pytest.mark.parametrize("value", ["PASS", "pass ", "approve", "", "pass|drift", None, True, 1, ["pass"], {}])
def test_no_other_verdict_is_accepted(value: object) -> None:
    assert answer(NAME, json.dumps({"verdict": value, "followUpPrompt": "x"})) == "bad_verdict"


@pytest.mark.conformance("L-20")
@pytest.mark.parametrize("value", [None, 42, True, ["fix"], {"a": 1}])
def test_the_follow_up_is_a_required_string(value: object) -> None:
    assert answer(NAME, json.dumps({"verdict": "pass", "followUpPrompt": value})) == "bad_followup"
    assert answer(NAME, '{"verdict": "drift"}') == "bad_followup"


@pytest.mark.conformance("L-22")
def test_preamble_is_allowed_and_compat_takes_the_first_block() -> None:
    assert answer(NAME, f"Here is my review:\n{D}") == "drift"
    assert answer(NAME, f"Here is my review:\n{D}", compat=True) == "drift"
    assert answer(NAME, f"> {P}\n\n{D}", compat=True) == "pass"
    assert answer(NAME, f"> {P}\n\n{D}") == "drift"
    assert answer(NAME, f"set {{a}}\n{P}", compat=True) == "malformed"
    assert answer(NAME, '{"verdict": "pass"', compat=True) == "malformed"


@pytest.mark.parametrize(
    "text",
    [
        f"[{P}]", f"[{P},{P}]", f"Here is my review:\n\n[\n    {P}\n]\n", f"  {P}  ", f"\t{P}", f"All is well.\n{P}\n\n",
        "Review:\n\n" + FENCE.format(P), f"All is well.\n\n~~~~json\n{P}\n~~~~", f"Missing {{ in x\n\n{P}", "```python\nX = 1\n```\n" + P,
        '{"verdict": "pass" | "drift", "followUpPrompt": "..."}\n\n' + P, "x " * 100_000 + "\n\n" + P, P.replace(", ", ",\r\n"),
        '{"verdict":"pass","followUpPrompt":""}', "\x1b[2K\x1b[1G\x1b[32m" + P + "\x1b[0m", '{"event":1}\n' * 3000 + P, f"{P}\n{P}",
    ],
)  # fmt: skip
def test_a_clear_pass_is_taken(text: str) -> None:
    assert answer(NAME, text) == "pass"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{D}\n\nMy mistake.\n\n{P}", "conflict"), (f"{P},{D}", "conflict"), (f"[{P},{D}]", "conflict"),
        (f"The file has {P} in it.\n\n" + FENCE.format(D), "conflict"), (FENCE.format(D) + f"\n\nNo.\n\n{P}", "conflict"),
        (FENCE.format(P) + "\nor\n" + FENCE.format(D), "conflict"), (f"{P}\n```python\nx\n\n{D}", "conflict"),
        ('{"verdict": "drift", "followUpPrompt": "a "b" c"}\n' + P, "conflict"), (f"{P}\n\n<details>\n{D}\n", "conflict"),
        ("The README says:\n\n" + FENCE.format(P) + "\n\nI could not finish.", "no_json"),
        (f"The doc says `{P}`; stopped.", "no_json"), (f"The doc says `` {P} ``; stopped.", "no_json"),
        (f"The doc says `a\n{P}\nb`; stopped.", "no_json"), (f"<!--\n{P}\n-->\nstopped", "no_json"),
        (f"<!--\n{P}\n", "no_json"), (f"> {P}", "no_json"), (f"> ```json\n> {P}\n> ```", "no_json"),
        (f"+{P}\n", "no_json"), (f"```diff\n+{P}\n```", "no_json"), (f"```python\n{P}\n```", "no_json"),
        (f"```python\nx\n\n{P}", "no_json"), (f"\t{P}\n\nfrom notes.md", "no_json"), (f"REPLY = '{P}'", "no_json"),
        (f"<think>\n{P}", "no_json"), (f"<pre>{P}</pre>", "no_json"), (f"<details>\n{P}\n</details>\nstop", "no_json"),
        (f"{P}}}", "no_json"), (f"**{P}**", "no_json"), (f"- {P}", "no_json"), (FENCE.format(P) + "\n\nDone.", "no_json"),
        (f"```json\n{P}", "no_json"), (f"`{P}`", "no_json"), (f'say "use {{ it" and {P}', "no_json"), (FENCE.format(P) + '\n{"cost_usd": 0.1}', "no_json"),
        (f"> {D}\n\n{P}", "conflict"), (f"The doc says `{D}`.\n\n{P}", "conflict"), (f'"passed": False\n\n{P}', "conflict"),
        (f"The prompt file ends with:\n\n{FENCE.format(P)}", "no_json"), (f"I cannot approve this.\n\n{P}", "conflict"),
        ('{"verdict":"pass","followUpPrompt":"ok","passed":false}', "conflict"), (f"<file>\n{P}", "no_json"),
        ("null", "no_json"), ("true", "no_json"), ('["pass"]', "no_json"), (json.dumps(P), "no_json"), ("[]", "no_json"),
        (P[:-5], "malformed"), (P.replace('"', "'"), "malformed"), ("{verdict: pass}", "malformed"),
        (P.replace('"', "“"), "malformed"), (P.replace('"', '\\"'), "malformed"), (f"{{{P}}}", "malformed"),
        (f'{{"result": {P}', "malformed"), (f'[{P}, {{"verdict": "dri', "malformed"), (f"f() {{ return {P} }}", "malformed"),
        ('{"verdict": "drift", "followUpPrompt": "a\nb"}\n' + P, "malformed"), (f"{{'result': {P}}}", "malformed"),
        ('{"verdict":"drift","\\u0076erdict":"pass","followUpPrompt":"a"}', "malformed"), ("the set {a, b}", "malformed"),
        ('{"verdict":"pass","followUpPrompt":"ok","x":1e}', "malformed"), ('{"verdict":\u00a0"pass"}', "malformed"),
        (f'{{"result": {P}}}', "bad_verdict"), (f'{{"type":"assistant","message":{P}}}', "bad_verdict"),
        ('{"Verdict":"pass","followUpPrompt":"a"}', "bad_verdict"), ('{"verdict":"PASS"}\n' + P, "bad_verdict"),
        ('{"verdict":"pass","followUpPrompt":"..."}', "bad_followup"), ('{"verdict":"drift","followUpPrompt":"- …"}', "bad_followup"),
    ],
)  # fmt: skip
def test_what_is_not_an_answer_is_a_violation_that_names_the_defect(text: str, code: str) -> None:
    assert answer(NAME, text) == code


def test_the_last_of_agreeing_objects_gives_the_follow_up() -> None:
    later = '{"verdict": "drift", "followUpPrompt": "fix a and b"}'
    assert review(NAME, f"{D}\n{later}").summary == "fix a and b"


def test_native_structure_is_preferred_to_the_words() -> None:
    parse = load("contracts", NAME)().parse
    drift = {"verdict": "drift", "followUpPrompt": "fix"}
    assert parse(Reply(P, structured=drift)).native == "drift"
    assert parse(Reply("", structured=drift)).text == '{"verdict":"drift","followUpPrompt":"fix"}'
    assert parse(Reply("", structured=D)).native == "drift"
    for structured, code in (
        ({}, "bad_verdict"),
        (P, "malformed"),
        (7, "no_json"),
        ([], "no_json"),
        ({"verdict": 1}, "bad_verdict"),
    ):
        with pytest.raises(ContractViolation) as caught:
            parse(Reply(P, structured=structured))
        assert caught.value.code == code


def test_a_lone_surrogate_can_be_written_out() -> None:
    found = review(NAME, '{"verdict":"drift","followUpPrompt":"bad \\ud800 one"}')
    assert found.findings[0].detail.encode("utf8") == b"bad ? one"
    assert found.summary.encode("utf8")


def test_a_reply_that_was_cut_does_not_pass_but_still_drifts() -> None:
    parse = load("contracts", NAME)().parse
    assert parse(Reply(D, truncated=True)).native == "drift"
    with pytest.raises(ContractViolation) as caught:
        parse(Reply(P, truncated=True))
    assert caught.value.code == "malformed"


def test_a_pass_behind_more_quotations_than_can_be_checked_is_refused() -> None:
    assert not passes(NAME, f"`{D}`\n" + "`x`\n" * 16_000 + f"\n{P}")
    assert answer(NAME, "`x`\n" * 1_000 + f"\n{P}") == "pass"


def test_the_message_names_the_real_defect() -> None:
    with pytest.raises(ContractViolation, match="duplicate key 'verdict'"):
        review(NAME, '{"verdict":"drift","verdict":"pass"}')
    with pytest.raises(ContractViolation, match="found null"):
        review(NAME, '{"verdict":null}')


TEXT = st.text(st.sampled_from("ab \\\"'{}[]`<>!-#\n*:é\ud83d\ude00"), max_size=30)
OBJECTS = st.fixed_dictionaries(
    {"verdict": st.sampled_from(["pass", "drift"]), "followUpPrompt": TEXT.map("x{}".format)}
)
QUOTED = st.one_of(
    st.sampled_from([P, D]).map(lambda text: f"The file says `{text}` there."),
    st.sampled_from([P, D]).map(lambda text: f"```python\nX = {text}\n```"),
    st.sampled_from([P, D]).map(lambda text: f"````\n```\n{text}\n```\n````"),
    st.sampled_from([P, D]).map(lambda text: f"> {text}"),
    st.sampled_from([P, D]).map(lambda text: f"    {text}"),
    st.sampled_from([P, D]).map(lambda text: f"<!-- {text}\n-->"),
)
NOISE = st.lists(st.one_of(WORDS, QUOTED), max_size=5).map("\n\n".join)


@given(st.lists(WORDS, max_size=5).map("\n\n".join), OBJECTS, st.sampled_from([None, 2, 4]))
def test_words_before_an_object_change_nothing(
    before: str, value: dict[str, str], indent: int | None
) -> None:
    text = f"{before}\n\nThat is all.\n\n{json.dumps(value, indent=indent)}\n"
    assert answer(NAME, text) == value["verdict"]


@given(NOISE, NOISE)
def test_a_drift_counts_wherever_it_stands(before: str, after: str) -> None:
    assert answer(NAME, f"{before}\n\n{D}\n\n{after}") in ("drift", "conflict")


def test_a_denial_that_can_be_read_in_a_malformed_answer_is_marked() -> None:
    for text in (
        '{"verdict": "drift"}',
        '{"verdict": "CHANGES_REQUESTED"}',
        f"{D[:-3]}",
        f"{D}\n\nNo.\n\n{P}",
    ):
        with pytest.raises(ContractViolation) as caught:
            review(NAME, text)
        assert caught.value.denied, text
    for text in ("", '{"verdict": "ok"}', P[:-3], f"{P}\nDone."):
        with pytest.raises(ContractViolation) as caught:
            review(NAME, text)
        assert not caught.value.denied, text


@given(NOISE)
def test_quotations_alone_never_pass(text: str) -> None:
    assert not passes(NAME, f"{text}\n\nI could not finish the review.")


@given(NOISE, NOISE, st.permutations([P, D]))
def test_objects_that_contradict_each_other_never_pass(before: str, between: str, pair: list[str]) -> None:
    assert answer(NAME, f"{before}\n\n{pair[0]}\n\n{between}\n\n{pair[1]}") == "conflict"


@given(
    st.lists(
        st.sampled_from(
            [P, D, '"', "{", "}", "[", "]", "`", "```\n", "\n", "> ", "<!--", "-->", "x", ", ", "\\"]
        )
    )
)
def test_a_pass_always_rests_on_a_whole_passing_object(parts: list[str]) -> None:
    text = "".join(parts)
    if passes(NAME, text):
        assert P in text


@given(st.integers(1, len(P) - 1))
def test_a_cut_object_never_passes(length: int) -> None:
    assert not passes(NAME, P[:length])
    assert not passes(NAME, f"Well:\n{P[length:]}")
