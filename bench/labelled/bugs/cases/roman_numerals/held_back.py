import pytest
from program import from_roman, is_canonical, to_roman


@pytest.mark.parametrize("number", [1, 2, 8, 9, 14, 44, 99, 388, 400, 944, 1666, 2999, 3999])
def test_round_trip(number):
    assert from_roman(to_roman(number)) == number


def test_not_canonical():
    assert not is_canonical("IIII")
    assert from_roman(" vii ") == 7
