import pytest
from program import Account, InsufficientFunds, total, transfer


def test_deposit():
    account = Account("ada", 10)
    account.deposit(5)
    assert account.balance == 15
    assert account.history == [("deposit", 5)]


def test_withdraw_everything():
    account = Account("ada", 40)
    account.withdraw(40)
    assert account.balance == 0


def test_too_much():
    account = Account("ada", 40)
    with pytest.raises(InsufficientFunds):
        account.withdraw(41)
    assert account.balance == 40


def test_transfer():
    ada, bob = Account("ada", 100), Account("bob")
    transfer(ada, bob, 30)
    assert (ada.balance, bob.balance) == (70, 30)
    assert total([ada, bob]) == 100


def test_bad_amounts():
    with pytest.raises(ValueError):
        Account("ada").deposit(0)
    with pytest.raises(ValueError):
        Account("ada").withdraw(-1)
