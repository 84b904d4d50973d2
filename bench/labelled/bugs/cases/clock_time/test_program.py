import pytest
from program import Clock


def test_text():
    assert str(Clock(7, 5)) == "07:05"
    assert str(Clock(25, 70)) == "02:10"


def test_parse():
    assert Clock.parse("17:05") == Clock(17, 5)
    assert Clock.parse("5:05 PM") == Clock(17, 5)
    assert Clock.parse("12:30 am") == Clock(0, 30)


def test_bad():
    for text in ["24:00", "13:00 pm", "1:60", "1:00 xm"]:
        with pytest.raises(ValueError):
            Clock.parse(text)


def test_plus():
    assert Clock(23, 50).plus(20) == Clock(0, 10)
    assert Clock(0, 5).plus(-10) == Clock(23, 55)


def test_until():
    assert Clock(8).until(Clock(9, 30)) == 90


def test_until_over_midnight():
    assert Clock(23).until(Clock(1)) == 120
