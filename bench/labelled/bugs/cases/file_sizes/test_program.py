import pytest
from program import human, largest, parse, report


def test_bytes():
    assert human(0) == "0 B"
    assert human(1023) == "1023 B"


def test_whole():
    assert human(2048) == "2.0 KB"
    assert human(3 * 1024 ** 2) == "3.0 MB"


def test_parts():
    assert human(1536) == "1.5 KB"


def test_parse():
    assert parse("1.5 kb") == 1536
    assert parse("12") == 12
    assert parse("7 B") == 7


def test_negative():
    with pytest.raises(ValueError):
        human(-1)


def test_lists():
    assert largest({"a": 1, "b": 9, "c": 9}, 2) == ["b", "c"]
    assert report({"x": 1024}) == ["x: 1.0 KB", "total: 1.0 KB"]
