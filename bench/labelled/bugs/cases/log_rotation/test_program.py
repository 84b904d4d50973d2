import pytest
from program import group, parse_name, renames, to_delete

NAMES = ["app.log", "app.log.2", "app.log.1", "app.log.10", "web.log", "notes.txt"]


def test_parse():
    assert parse_name("app.log.12") == ("app", 12)
    assert parse_name("app.log") == ("app", 0)
    assert parse_name("notes.txt") is None


def test_group():
    assert group(NAMES) == {"app": ["app.log", "app.log.1", "app.log.2", "app.log.10"], "web": ["web.log"]}


def test_delete():
    assert to_delete(NAMES, 2) == ["app.log.10", "app.log.2"]


def test_nothing_to_delete():
    assert to_delete(NAMES, 5) == []
    with pytest.raises(ValueError):
        to_delete(NAMES, 0)


def test_renames():
    assert renames(["a.log", "a.log.1"], "a") == [("a.log.1", "a.log.2"), ("a.log", "a.log.1")]
    assert renames([], "a") == []
