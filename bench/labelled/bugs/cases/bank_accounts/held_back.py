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
