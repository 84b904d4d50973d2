import pytest
from program import convert, ratio


@pytest.mark.parametrize(("value", "source", "target", "result"), [(12, "in", "ft", 1), (1, "mi", "m", 1609.344), (90, "min", "h", 1.5), (1, "t", "g", 1e6), (3, "cm", "mm", 30)])
def test_conversions(value, source, target, result):
    assert convert(value, source, target) == pytest.approx(result)


def test_ratio():
    assert ratio("time", "h", "min") == pytest.approx(60)


def test_temperatures():
    assert convert(33, "F", "C") == pytest.approx(5 / 9)
    assert convert(20, "C", "C") == 20
    assert convert(70, "F", "F") == 70
    assert convert(-40, "C", "F") == -40
