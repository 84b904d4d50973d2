import pytest
from program import Cart, UnknownVoucher


def test_subtotal():
    cart = Cart()
    cart.add("pen", 150, 2)
    cart.add("pen", 150)
    assert cart.subtotal() == 450


def test_percent():
    cart = Cart()
    cart.add("book", 2000)
    cart.use("TENOFF")
    assert cart.total() == 2000 - 200 + 490


def test_amount():
    cart = Cart()
    cart.add("book", 2000)
    cart.use("FIVER")
    assert cart.total() == 2000 - 500 + 490


def test_shipping():
    cart = Cart()
    cart.add("chair", 5000)
    assert cart.shipping_cost() == 0
    assert Cart().total() == 0


def test_unknown():
    with pytest.raises(UnknownVoucher):
        Cart().use("X")
