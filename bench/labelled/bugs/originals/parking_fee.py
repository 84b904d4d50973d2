"""Fees of a car park in cents."""

RATES = {"car": 250, "motorbike": 100, "bus": 900}


class UnknownVehicle(KeyError):
    pass


def started_hours(minutes):
    return -(-minutes // 60)


def fee(kind, minutes, member=False):
    """The first 15 minutes are free; a day costs at most eight hours; members pay half."""
    if kind not in RATES:
        raise UnknownVehicle(kind)
    if minutes < 0:
        raise ValueError("time runs forward")
    if minutes <= 15:
        return 0
    days, rest = divmod(minutes, 24 * 60)
    hours = days * 8 + min(8, started_hours(rest))
    amount = hours * RATES[kind]
    if member:
        amount //= 2
    return amount


class Ticket:
    def __init__(self, kind, entered):
        self.kind = kind
        self.entered = entered
        self.paid_at = None

    def pay(self, now, member=False):
        amount = fee(self.kind, now - self.entered, member)
        self.paid_at = now
        return amount

    def may_leave(self, now):
        """Within ten minutes after paying."""
        return self.paid_at is not None and now - self.paid_at <= 10
