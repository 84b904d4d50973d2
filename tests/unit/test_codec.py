"""Indented JSON is the text the standard library makes, only sooner; and it is as strict."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnish import codec

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.text(st.characters())
    | st.sampled_from([0.5, -1.25, 3.0, "NaN", "Infinity,", "a\nNaN", "\x7f", "\udcff", "é\u2028\U0001f600"])
)
PLAIN = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
)


@settings(deadline=None)
@given(PLAIN, st.integers(1, 3))
def test_indented_text_is_what_the_standard_library_writes(value: object, indent: int) -> None:
    wanted = json.dumps(value, ensure_ascii=True, allow_nan=False, indent=indent)
    assert codec.dumps(value, indent=indent) == wanted


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("indent", [None, 2])
def test_what_is_no_number_is_refused_however_it_is_written(number: float, indent: int | None) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        codec.dumps({"a": [1, number, 2]}, indent=indent)


def test_keys_are_put_in_order_at_every_depth() -> None:
    assert codec.dumps({"b": [{"d": 1, "c": 2}], "a": 0}, sort_keys=True) == '{"a":0,"b":[{"c":2,"d":1}]}'
