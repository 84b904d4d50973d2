from program import Mismatch, depth, first_mismatch


def test_good():
    assert first_mismatch("f(a[1], {2})") is None
    assert first_mismatch("") is None


def test_wrong_kind():
    assert first_mismatch("(]") == Mismatch(1, "unexpected")


def test_only_closing():
    assert first_mismatch("a)") == Mismatch(1, "unexpected")


def test_open():
    assert first_mismatch("((a)") == Mismatch(0, "not closed")


def test_quoted():
    assert first_mismatch('(")")') is None


def test_depth():
    assert depth("(a(b)(c(d)))") == 3
