import pytest
from program import caesar, crack, vigenere


def test_lower():
    assert caesar("xyz", 3) == "abc"
    assert caesar("abc", -1) == "zab"


def test_upper():
    assert caesar("XYZ", 3) == "ABC"


def test_others_stay():
    assert caesar("a-b c!", 1) == "b-c d!"


def test_vigenere():
    code = vigenere("attack at dawn", "lemon")
    assert code == "lxfopv ef rnhr"
    assert vigenere(code, "lemon", decrypt=True) == "attack at dawn"


def test_crack():
    assert crack(caesar("hello world", 11), "world") == 11
    assert crack("abc", "zzzz") is None


def test_bad_key():
    with pytest.raises(ValueError):
        vigenere("a", "k3y")
