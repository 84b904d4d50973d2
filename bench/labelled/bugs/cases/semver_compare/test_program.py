import pytest
from program import newest, ordered, parse


def test_parse():
    assert parse("v1.2.3-rc.1+build5") == (1, 2, 3, "rc.1")


def test_bad():
    with pytest.raises(ValueError):
        parse("1.2")


def test_numbers_not_text():
    assert ordered(["1.10.0", "1.9.0"]) == ["1.9.0", "1.10.0"]


def test_release_after_pre():
    assert ordered(["1.0.0", "1.0.0-rc.1"]) == ["1.0.0-rc.1", "1.0.0"]


def test_pre_numbers():
    assert ordered(["1.0.0-rc.10", "1.0.0-rc.9", "1.0.0-rc.2"]) == ["1.0.0-rc.2", "1.0.0-rc.9", "1.0.0-rc.10"]


def test_newest():
    assert newest(["1.0.0", "2.0.0-beta", "1.1.0"]) == "1.1.0"
    assert newest(["1.0.0-a"]) is None
