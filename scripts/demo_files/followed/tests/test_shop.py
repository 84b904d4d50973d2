from shop.prices import total
from shop.store import Store


def shop():
    store = Store(":memory:")
    store.connection.execute("CREATE TABLE orders (id INTEGER, customer TEXT, price INTEGER)")
    store.connection.execute("INSERT INTO orders VALUES (1, 'Ann', 30), (2, 'Bob', 20), (3, 'Ann', 25)")
    return store


def test_orders_are_those_of_the_customer():
    assert shop().orders_of("Ann") == [(1, 30), (3, 25)]


def test_nobody_has_no_orders():
    assert shop().orders_of("Eve") == []


def test_small_orders_pay_for_shipping():
    assert total([20]) == 25
