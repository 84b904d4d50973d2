import pytest
from program import EventLog


def test_starts_empty():
    first = EventLog()
    first.record(1, "info", "hello")
    second = EventLog()
    assert second.events == []


def test_minimum():
    log = EventLog([], "warning")
    assert log.record(1, "info", "x") is None
    assert log.record(1, "error", "x") is not None
    assert len(log.events) == 1


def test_unknown_level():
    with pytest.raises(ValueError):
        EventLog([]).record(1, "loud", "x")


def test_between_and_count():
    log = EventLog([])
    for at in (1, 5, 9):
        log.record(at, "info", "x")
    assert [event.at for event in log.between(1, 9)] == [1, 5]
    assert log.count()["info"] == 3


def test_worst():
    log = EventLog([])
    assert log.worst() is None
    log.record(1, "info", "x")
    log.record(2, "error", "y")
    assert log.worst() == "error"
