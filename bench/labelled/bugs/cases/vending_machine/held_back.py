import pytest
from program import Machine


@pytest.mark.parametrize(("price", "paid"), [(50, [50]), (50, [100]), (50, [200, 200]), (65, [200]), (5, [20]), (120, [200, 100, 5])])
def test_nothing_is_lost(price, paid):
    machine = Machine()
    machine.stock("X", price, 1)
    for coin in paid:
        machine.insert(coin)
    assert sum(machine.buy("X")) == sum(paid) - price
    assert machine.inserted == 0
    assert machine.slots["X"][1] == 0
