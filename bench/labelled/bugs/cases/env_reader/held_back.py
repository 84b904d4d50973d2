import pytest
import program
from program import BadSetting, Settings


@pytest.mark.parametrize("text", ["", "1.5", "ten", "1 2", "0x"])
def test_bad_numbers(text):
    with pytest.raises(BadSetting) as caught:
        Settings({"N": text}).number("N", default=3, low=0)
    assert caught.value.name == "N"
    assert caught.value.reason == "is not a number"


def test_missing_number_is_said_as_such():
    with pytest.raises(BadSetting) as caught:
        Settings({}).number("N")
    assert caught.value.reason == "is not set"


def test_zero_default():
    assert Settings({}).number("N", default=0) == 0


def test_limits_are_allowed():
    settings = program.Settings({"N": "5"})
    assert settings.number("N", low=5, high=5) == 5
    for limits in ({"low": 6}, {"high": 4}):
        with pytest.raises(BadSetting):
            settings.number("N", **limits)
