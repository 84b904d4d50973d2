import pytest
from program import Board


def board():
    result = Board()
    result.add("fetch")
    result.add("build", ["fetch"])
    result.add("test", ["fetch", "build"])
    return result


def test_without_needs():
    result = Board()
    result.add("a")
    assert result.ready() == ["a"]


def test_ready_when_needs_are_done():
    jobs = board()
    assert jobs.ready() == ["fetch"]
    jobs.move("fetch", "done")
    assert jobs.ready() == ["build"]


def test_blocked():
    jobs = board()
    jobs.move("fetch", "failed")
    assert jobs.blocked() == ["build", "test"]


def test_progress():
    jobs = board()
    jobs.move("fetch", "done")
    assert jobs.progress() == pytest.approx(1 / 3)
    assert Board().progress() == 1.0


def test_errors():
    with pytest.raises(KeyError):
        Board().add("x", ["y"])
    with pytest.raises(ValueError):
        board().move("fetch", "lost")
