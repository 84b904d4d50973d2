import pytest
from program import CsvError, read, split_row


def test_single_field():
    assert split_row("hello") == ["hello"]
    assert split_row("") == [""]


def test_trailing_empty():
    assert split_row("a,") == ["a", ""]
    assert split_row(",") == ["", ""]


def test_other_separator():
    assert split_row("1;2,3;44", ";") == ["1", "2,3", "44"]


def test_read_plain():
    assert read("k,value\n1,one\n\n2,two\n") == [{"k": "1", "value": "one"}, {"k": "2", "value": "two"}]


def test_text_after_quote():
    with pytest.raises(CsvError):
        split_row('"a"b,c')
