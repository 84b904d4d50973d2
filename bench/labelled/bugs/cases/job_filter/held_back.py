from program import Board


def test_all_needs_count():
    jobs = Board()
    jobs.add("a")
    jobs.add("b")
    jobs.add("c", ["a", "b"])
    jobs.move("a", "done")
    jobs.move("b", "running")
    assert jobs.ready() == []
    jobs.move("b", "done")
    assert jobs.ready() == ["c"]


def test_failed_is_not_done():
    jobs = Board()
    jobs.add("a")
    jobs.add("b", ["a"])
    jobs.move("a", "failed")
    assert jobs.ready() == []


def test_running_is_not_ready():
    jobs = Board()
    jobs.add("a")
    jobs.move("a", "running")
    assert jobs.ready() == []


def test_blocked_are_waiting():
    jobs = Board()
    jobs.add("a")
    jobs.add("b", ["a"])
    jobs.add("c", ["a"])
    jobs.add("d")
    jobs.move("a", "failed")
    jobs.move("b", "running")
    assert jobs.blocked() == ["c"]
