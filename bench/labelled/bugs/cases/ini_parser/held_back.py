import pytest
from program import IniError, get_bool, parse


def test_windows_line_ends():
    assert parse("[a]\r\nx=1\r\ny = two\r\n") == {"a": {"x": "1", "y": "two"}}


def test_tab_behind_bool():
    assert get_bool(parse("[a]\nx = true\t\n"), "a", "x")


def test_empty_value():
    assert parse("[a]\nx=   \n") == {"a": {"x": ""}}


def test_inner_blanks_stay():
    assert parse("[a]\nx = a  b \n")["a"]["x"] == "a  b"


def test_open_section():
    with pytest.raises(IniError):
        parse("[a\nx=1")
