import pytest
from program import Paginator


def test_even_pages():
    assert Paginator(range(20), 5).page_count == 4


def test_partial_last_page():
    paginator = Paginator(range(23), 5)
    assert paginator.page_count == 5
    assert paginator.page(5).items == [20, 21, 22]


def test_empty_has_one_page():
    assert Paginator([]).page_count == 1
    assert Paginator([]).page(1).items == []


def test_flags():
    page = Paginator(range(20), 10).page(1)
    assert page.has_next
    assert not page.has_previous


def test_no_such_page():
    with pytest.raises(IndexError):
        Paginator(range(3), 3).page(2)


def test_page_of():
    assert Paginator(range(20), 5).page_of(5) == 2
