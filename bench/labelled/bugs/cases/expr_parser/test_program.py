import pytest
from program import SyntaxProblem, evaluate, tokens


def test_tokens():
    assert tokens("1.5+(2)") == [1.5, "+", "(", 2.0, ")"]


def test_precedence():
    assert evaluate("2 + 3 * 4") == 14
    assert evaluate("(2 + 3) * 4") == 20


def test_subtract_chain():
    assert evaluate("10 - 3 - 2") == 5


def test_unary_minus():
    assert evaluate("-3 * -2") == 6


def test_errors():
    for text in ["1 +", "(1", "1 2", "x"]:
        with pytest.raises(SyntaxProblem):
            evaluate(text)
