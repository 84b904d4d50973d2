import pytest
from program import Invoice


def test_quantity():
    invoice = Invoice("ada").add("pen", 200, 3)
    assert invoice.net == 600
    assert invoice.tax == 120
    assert invoice.total == 720


def test_single_item():
    assert Invoice("ada").add("desk", 15000).net == 15000


def test_discount():
    assert Invoice("ada", 10).add("pen", 100, 10).total == 1080


def test_bad_discount():
    with pytest.raises(ValueError):
        Invoice("ada", 101)


def test_empty():
    assert Invoice("ada").total == 0


def test_rates():
    assert Invoice("a").add("x", 10, 1, 7).add("y", 20, 2, 7).by_rate() == {7: 50}
