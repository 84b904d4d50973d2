"""A turnstile: coins unlock, people push through."""


class Alarm(Exception):
    pass


class Turnstile:
    def __init__(self, price=2, patience=3):
        self.price = price
        self.patience = patience
        self.credit = 0
        self.passed = 0
        self.refused = 0

    @property
    def locked(self):
        return self.credit < self.price

    def coin(self, value=1):
        if value <= 0:
            raise ValueError("not a coin")
        self.credit += value
        self.refused = 0

    def push(self):
        """Whether somebody got through; too many useless pushes in a row sound the alarm."""
        if self.locked:
            self.refused += 1
            if self.refused >= self.patience:
                self.refused = 0
                raise Alarm(f"{self.patience} useless pushes")
            return False
        self.credit -= self.price
        self.passed += 1
        return True


def replay(turnstile, events):
    """A letter for each event: c for a coin, p for a push; gives back what the pushes did."""
    results = []
    for event in events:
        if event == "c":
            turnstile.coin()
        elif event == "p":
            try:
                results.append(turnstile.push())
            except Alarm:
                results.append("alarm")
        else:
            raise ValueError(event)
    return results
