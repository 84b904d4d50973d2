import pytest
from program import build_tree, code_table, decode, encode


def test_two_letters():
    assert code_table(build_tree({"a": 1, "b": 5})) == {"a": "0", "b": "1"}


def test_one_letter():
    bits, table = encode("aaa")
    assert bits == "000"
    assert decode(bits, table) == "aaa"


def test_round_trip():
    bits, table = encode("abracadabra")
    assert decode(bits, table) == "abracadabra"


def test_short_codes_for_frequent_letters():
    assert len(encode("a" + "b" * 4 + "c" * 4 + "d" * 4)[0]) == 26
    assert len(encode("a" * 2 + "b" * 6 + "c" * 6 + "d" * 6)[0]) == 40


def test_bad():
    with pytest.raises(ValueError):
        build_tree({})
    with pytest.raises(ValueError):
        decode("1", {"a": "0"})
