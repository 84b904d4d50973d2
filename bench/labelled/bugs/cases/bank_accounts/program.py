"""Accounts with an overdraft."""


class InsufficientFunds(Exception):
    pass


class Account:
    def __init__(self, owner, balance=0, overdraft=0):
        self.owner = owner
        self.balance = balance
        self.overdraft = overdraft
        self.history = []

    @property
    def available(self):
        return self.balance + self.overdraft

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("deposit must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount <= 0:
            raise ValueError("withdrawal must be positive")
        if amount >= self.available:
            raise InsufficientFunds(f"{self.owner} has {self.available}")
        self.balance -= amount
        self.history.append(("withdraw", amount))


def transfer(source, target, amount):
    source.withdraw(amount)
    target.deposit(amount)


def total(accounts):
    return sum(account.balance for account in accounts)
