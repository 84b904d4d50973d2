from program import Cart


def test_voucher_worth_more_than_the_cart():
    cart = Cart()
    cart.add("pen", 300)
    cart.use("FIVER")
    assert cart.discount() == 300
    assert cart.total() == 490


def test_voucher_on_much():
    cart = Cart()
    cart.add("chair", 9000)
    cart.use("FIVER")
    assert cart.total() == 8500


def test_empty_with_voucher():
    cart = Cart()
    cart.use("FIVER")
    assert cart.total() == 0


def test_free_shipping():
    cart = Cart()
    cart.add("pen", 100)
    cart.use("SHIPFREE")
    assert cart.total() == 100
