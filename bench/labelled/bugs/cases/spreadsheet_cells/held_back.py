import pytest
from program import column_name, column_number, expand, total


@pytest.mark.parametrize("number", [1, 25, 26, 27, 52, 53, 700, 702, 703, 18278])
def test_round_trip(number):
    assert column_number(column_name(number)) == number


def test_single_cell():
    assert expand("Z9") == ["Z9"]
    assert total({"AB10": 5}, "AB10") == 5
    assert column_number("ZZ") == 702
