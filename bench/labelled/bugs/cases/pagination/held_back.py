import pytest
from program import Paginator


@pytest.mark.parametrize(("count", "size", "pages"), [(1, 10, 1), (10, 10, 1), (11, 10, 2), (19, 10, 2), (21, 10, 3), (7, 1, 7), (100, 7, 15)])
def test_counts(count, size, pages):
    assert Paginator(range(count), size).page_count == pages


def test_iteration_shows_every_item():
    paginator = Paginator(range(17), 4)
    assert [item for page in paginator for item in page.items] == list(range(17))
    assert not list(paginator)[-1].has_next


def test_no_empty_last_page():
    assert all(page.items for page in Paginator(range(12), 4))


def test_default_and_least_size():
    assert Paginator(range(25)).page_count == 3
    for size in (0, -1):
        with pytest.raises(ValueError):
            Paginator([], size)
    for index in (-1, 3):
        with pytest.raises(IndexError):
            Paginator(range(3)).page_of(index)
