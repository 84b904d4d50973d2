import pytest
from program import CellError, column_name, column_number, expand, parse, total


def test_numbers():
    assert column_number("A") == 1
    assert column_number("AA") == 27


def test_names():
    assert column_name(1) == "A"
    assert column_name(26) == "Z"
    assert column_name(28) == "AB"


def test_parse():
    assert parse("b12") == (2, 12)


def test_bad():
    for name in ["", "A", "1", "A0", "A1B"]:
        with pytest.raises(CellError):
            parse(name)


def test_area():
    assert expand("A1:B2") == ["A1", "B1", "A2", "B2"]
    assert total({"A1": 3, "A3": 4, "B1": 9}, "A1:A3") == 7


def test_backwards_is_empty():
    assert expand("B2:A1") == []
