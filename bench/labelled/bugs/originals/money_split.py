"""Amounts of money in whole cents."""

from decimal import ROUND_HALF_UP, Decimal


def parse_amount(text):
    """'12.34' or '12' or '-0.5' as cents."""
    value = Decimal(text.strip().replace(",", ""))
    return int((value * 100).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def format_amount(cents, symbol=""):
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{symbol}{whole:,}.{rest:02d}"


def split(cents, people):
    """Shares that differ by at most one cent and add up; the first people pay the odd cents."""
    if people < 1:
        raise ValueError("nobody to pay")
    share = cents // people
    left_over = cents % people
    return [share + 1 if index < left_over else share for index in range(people)]


def split_by_weight(cents, weights):
    total = sum(weights)
    shares = [cents * weight // total for weight in weights]
    missing = cents - sum(shares)
    for index in range(missing):
        shares[index] += 1
    return shares
