from program import apply, diff, summary


def test_same():
    assert diff(["a", "b"], ["a", "b"]) == [(" ", "a"), (" ", "b")]


def test_removed():
    assert diff(["a", "b", "c"], ["a", "c"]) == [(" ", "a"), ("-", "b"), (" ", "c")]


def test_appended():
    assert diff(["a"], ["a", "b", "c"]) == [(" ", "a"), ("+", "b"), ("+", "c")]


def test_replaced():
    assert diff(["x", "y"], ["z"]) == [("-", "x"), ("-", "y"), ("+", "z")]


def test_summary():
    assert summary([("+", "a"), ("-", "b"), (" ", "c"), ("+", "d")]) == (2, 1)


def test_apply():
    assert apply([("+", "a"), ("-", "b"), (" ", "c")]) == ["a", "c"]
