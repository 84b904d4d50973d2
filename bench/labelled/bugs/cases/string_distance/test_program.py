from program import common_prefix, distance, suggestions


def test_distance():
    assert distance("kitten", "sitting") == 3
    assert distance("", "abc") == 3
    assert distance("same", "same") == 0


def test_prefix():
    assert common_prefix("status", "start") == "sta"
    assert common_prefix("a", "b") == ""


def test_suggest_completion():
    assert suggestions("sta", ["status", "commit", "start-server"]) == ["start-server", "status"]


def test_suggest_near():
    assert suggestions("comit", ["commit", "push"]) == ["commit"]


def test_suggest_nothing():
    assert suggestions("xyzzy", ["commit", "push"]) == []
