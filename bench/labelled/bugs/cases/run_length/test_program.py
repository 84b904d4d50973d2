import pytest
from program import BadEncoding, decode, encode, ratio, runs


def test_one_letter():
    assert decode("3a") == "aaa"
    assert decode("ab12c") == "ab" + "c" * 12


def test_runs():
    assert runs("aaabcc") == [("a", 3), ("b", 1), ("c", 2)]


def test_encode():
    assert encode("aaabcc") == "3ab2c"


def test_empty():
    assert encode("") == ""
    assert decode("") == ""
    assert ratio("") == 1.0


def test_bad():
    with pytest.raises(BadEncoding):
        encode("a1")
    with pytest.raises(BadEncoding):
        decode("a3")
