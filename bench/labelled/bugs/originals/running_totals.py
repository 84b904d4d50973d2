"""Cash flow: balances after every booking."""


class Booking:
    def __init__(self, day, amount, text=""):
        self.day = day
        self.amount = amount
        self.text = text


def balances(opening, bookings):
    """Pairs of day and balance after each booking, in order of days."""
    result = []
    balance = opening
    for booking in sorted(bookings, key=lambda entry: entry.day):
        balance += booking.amount
        result.append((booking.day, balance))
    return result


def closing(opening, bookings):
    return opening + sum(booking.amount for booking in bookings)


def lowest(opening, bookings):
    """The day of the lowest balance and that balance; day 0 is before all bookings."""
    low_day, low = 0, opening
    for day, balance in balances(opening, bookings):
        if balance < low:
            low_day, low = day, balance
    return low_day, low


def overdrawn_days(opening, bookings):
    return [day for day, balance in balances(opening, bookings) if balance < 0]


def by_text(bookings):
    sums = {}
    for booking in bookings:
        sums[booking.text] = sums.get(booking.text, 0) + booking.amount
    return sums
