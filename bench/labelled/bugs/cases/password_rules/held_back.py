import pytest
from program import is_valid, problems


@pytest.mark.parametrize("text", ["short", "", "nocapitals123", "NODIGITSHERE", "Letmein123", "Aaaaaa12345"])
def test_not_valid(text):
    assert is_valid(text) is False
    assert problems(text)


def test_minimum():
    assert is_valid("Abc1", 4) is True
    assert is_valid("Abc1", 5) is False


def test_at_the_limits():
    assert problems("Abcdefgh1") == ["at least 10 characters"]
    assert problems("Abcdefghi1") == []
    assert problems("Abcdefg111") == []
    assert problems("Abcdef1111") == ["no letter four times in a row"]
