import pytest
from program import CsvError, read, split_row


def test_plain():
    assert split_row("a,b,c1") == ["a", "b", "c1"]


def test_quoted():
    assert split_row('"x,y",""') == ["x,y", ""]


def test_doubled_quote():
    assert split_row('"say ""hi"""') == ['say "hi"']


def test_unclosed():
    with pytest.raises(CsvError):
        split_row('"abc')


def test_read():
    assert read('name,"age"\n"Ada","36"') == [{"name": "Ada", "age": "36"}]
    assert read("") == []
