import pytest
from program import decode, encode, ratio, runs


@pytest.mark.parametrize("text", ["a", "ab", "aab", "abb", "zzzzzzzzzzzz", "abcabc", "aabbaabb", "  xx  "])
def test_round_trip(text):
    assert decode(encode(text)) == text
    assert sum(length for _, length in runs(text)) == len(text)


def test_ratio():
    assert ratio("aaaa") == 0.5
    assert ratio("abab") == 1
