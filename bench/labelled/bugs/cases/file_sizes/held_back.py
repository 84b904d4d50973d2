import pytest
from program import human, parse


@pytest.mark.parametrize(("size", "text"), [(1100, "1.1 KB"), (1024 * 1024 + 512 * 1024, "1.5 MB"), (int(2.25 * 1024 ** 3), "2.2 GB"), (1024 ** 5 * 3, "3072.0 TB"), (1024, "1.0 KB")])
def test_human(size, text):
    assert human(size) == text


def test_near():
    for size in (1500, 123456, 98765432):
        assert parse(human(size)) == pytest.approx(size, rel=0.05)
