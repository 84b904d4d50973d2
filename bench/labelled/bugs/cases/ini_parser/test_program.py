import pytest
from program import IniError, dump, get_bool, parse

SAMPLE = "; head\n[main]\nName = demo\npath=/tmp/x = y\n\n[other]\n# none\n"


def test_parse():
    assert parse(SAMPLE) == {"main": {"name": "demo", "path": "/tmp/x = y"}, "other": {}}


def test_blanks_around_value():
    assert parse("[a]\nkey =  some value  \n") == {"a": {"key": "some value"}}


def test_errors_name_the_line():
    with pytest.raises(IniError) as caught:
        parse("[a]\nkey\n")
    assert caught.value.number == 2
    with pytest.raises(IniError):
        parse("key=1")


def test_bool():
    sections = parse("[a]\nx=Yes\ny=off\n")
    assert get_bool(sections, "a", "x")
    assert not get_bool(sections, "a", "y", True)
    assert get_bool(sections, "a", "z", True)


def test_dump_round_trip():
    assert parse(dump(parse(SAMPLE))) == parse(SAMPLE)
