import string

import pytest
import program
from program import caesar, vigenere


@pytest.mark.parametrize("amount", [0, 1, 13, 25, 26, -5, 100])
def test_back_and_forth(amount):
    text = string.ascii_letters + " 123"
    assert caesar(caesar(text, amount), -amount) == text
    assert sorted(caesar(text, amount)) == sorted(text)


def test_capital_z():
    assert caesar("Z", 0) == "Z"
    assert caesar("Y", 1) == "Z"
    assert vigenere("ZEBRA", "b") == "AFCSB"


def test_crack_every_amount():
    for amount in range(26):
        assert program.crack(program.caesar("the end", amount), "the end") == amount
