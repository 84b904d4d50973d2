import pytest
from program import from_roman, is_canonical, to_roman


def test_to_roman():
    assert to_roman(1994) == "MCMXCIV"
    assert to_roman(3) == "III"


def test_from_roman_subtracts():
    assert from_roman("IV") == 4
    assert from_roman("XC") == 90


def test_from_roman_repeats():
    assert from_roman("III") == 3
    assert from_roman("MMXX") == 2020


def test_rejects():
    with pytest.raises(ValueError):
        from_roman("ABC")
    with pytest.raises(ValueError):
        to_roman(0)


def test_canonical():
    assert is_canonical("XIV")
