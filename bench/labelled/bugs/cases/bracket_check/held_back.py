from program import Mismatch, first_mismatch


def test_one_too_many():
    assert first_mismatch("()[]}") == Mismatch(4, "unexpected")
    assert first_mismatch("}{") == Mismatch(0, "unexpected")


def test_innermost_open_is_named():
    assert first_mismatch("(a[b{c}") == Mismatch(2, "not closed")


def test_crossed():
    assert first_mismatch("([)]") == Mismatch(2, "unexpected")
