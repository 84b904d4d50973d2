import pytest
import program
from program import fill, wrap


def test_one_line_exactly():
    assert wrap("ab cd", 5) == ["ab cd"]
    assert wrap("ab cd", 4) == ["ab", "cd"]


def test_never_wider():
    text = "it was the best of times it was the worst of times"
    for width in range(5, 30):
        lines = wrap(text, width)
        assert all(len(line) <= width for line in lines)
        for left, right in zip(lines, lines[1:]):
            assert len(left) + 1 + len(right.split()[0]) > width


def test_fill_exact():
    assert fill("aa bb cc", 7, "  ") == "  aa bb\n  cc"


def test_narrow_and_two_words():
    assert wrap("a b", 1) == ["a", "b"]
    with pytest.raises(ValueError):
        wrap("a b", 0)
    assert program.justify("a b", 6) == "a    b"
