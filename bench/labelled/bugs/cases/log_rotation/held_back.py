from program import to_delete


def test_keep_one():
    assert to_delete(["a.log", "a.log.1", "b.log.3", "b.log.2"], 1) == ["a.log.1", "b.log.3"]


def test_keep_three_of_four():
    names = [f"x.log.{number}" for number in range(1, 5)]
    assert to_delete(names, 3) == ["x.log.4"]
    assert to_delete(names, 4) == []
