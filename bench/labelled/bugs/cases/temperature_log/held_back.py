import pytest
import program
from program import average, averages, parse


def test_fractions():
    assert average(parse("a 1 0.1\na 2 0.3")) == pytest.approx(0.2)
    assert average(parse("a 1 -1\na 2 0")) == pytest.approx(-0.5)
    assert averages(parse("a 1 1\nb 1 1.5\na 2 2")) == {"a": pytest.approx(1.5), "b": pytest.approx(1.5)}


def test_three():
    assert average(parse("a 1 1\na 2 1\na 3 2")) == pytest.approx(4 / 3)


def test_hottest_hour():
    assert program.hottest_hour(parse("a 3 20\na 1 25\na 2 25\na 4 19")) == 1
    assert program.parse("a 1 5 # x # y")[0].degrees == 5
