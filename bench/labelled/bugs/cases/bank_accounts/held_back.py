import pytest
from program import Account, InsufficientFunds, transfer


def test_overdraft_to_the_limit():
    account = Account("ada", 10, overdraft=50)
    account.withdraw(60)
    assert account.balance == -50
    with pytest.raises(InsufficientFunds):
        account.withdraw(1)


def test_one_over_overdraft():
    account = Account("ada", 10, overdraft=50)
    with pytest.raises(InsufficientFunds):
        account.withdraw(61)
    assert account.history == []


def test_transfer_all():
    ada, bob = Account("ada", 7), Account("bob", 1)
    transfer(ada, bob, 7)
    assert (ada.balance, bob.balance) == (0, 8)


def test_smallest_amounts():
    account = Account("ada", 5)
    account.deposit(1)
    account.withdraw(1)
    assert account.history == [("deposit", 1), ("withdraw", 1)]
    for amount in (0, -1):
        with pytest.raises(ValueError):
            account.deposit(amount)
        with pytest.raises(ValueError):
            account.withdraw(amount)
