import pytest
from program import format_amount, parse_amount, split, split_by_weight


def test_parse():
    assert parse_amount("12.34") == 1234
    assert parse_amount("1,000") == 100000
    assert parse_amount("-0.5") == -50


def test_format():
    assert format_amount(123456) == "1,234.56"
    assert format_amount(-5, "$") == "-$0.05"


def test_split_even():
    assert split(90, 3) == [30, 30, 30]


def test_split_odd():
    assert split(100, 3) == [34, 33, 33]


def test_split_nobody():
    with pytest.raises(ValueError):
        split(1, 0)


def test_weights():
    assert split_by_weight(100, [1, 1, 1]) == [34, 33, 33]
