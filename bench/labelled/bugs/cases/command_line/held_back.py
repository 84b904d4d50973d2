from program import Spec, parse

SPEC = Spec(flags=["v"], options=["o"])


def test_second_marker_is_an_argument():
    assert parse(SPEC, ["--", "--", "x"]) == ({"v": False}, ["--", "x"])


def test_marker_at_the_end():
    assert parse(SPEC, ["--v", "--"]) == ({"v": True}, [])


def test_value_that_looks_like_a_marker():
    assert parse(SPEC, ["--o", "--", "x"]) == ({"v": False, "o": "--"}, ["x"])
