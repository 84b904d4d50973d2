import pytest
from program import fill, justify, wrap


def test_wrap():
    assert wrap("the quick brown fox", 12) == ["the quick", "brown fox"]


def test_wrap_exact():
    assert wrap("aaa bbb ccc", 7) == ["aaa bbb", "ccc"]


def test_long_word():
    assert wrap("a extraordinary b", 5) == ["a", "extraordinary", "b"]


def test_empty():
    assert wrap("  ", 10) == []
    with pytest.raises(ValueError):
        wrap("x", 0)


def test_justify():
    assert justify("a b c", 8) == "a   b  c"
    assert justify("one", 5) == "one  "


def test_fill():
    assert fill("aa bb", 6, "> ") == "> aa\n> bb"
