"""A phone book that can be searched both ways."""


class Duplicate(Exception):
    pass


def normalise(number):
    """Digits only; a leading + becomes 00."""
    text = number.strip()
    if text.startswith("+"):
        text = "00" + text[1:]
    digits = "".join(letter for letter in text if letter.isdigit())
    if len(digits) < 3:
        raise ValueError(f"not a number: {number}")
    return digits


class PhoneBook:
    def __init__(self):
        self.numbers = {}
        self.owners = {}

    def add(self, name, number):
        number = normalise(number)
        if number in self.owners:
            raise Duplicate(number)
        self.numbers.setdefault(name, []).append(number)
        self.owners[number] = name

    def owner(self, number):
        return self.owners.get(normalise(number))

    def remove(self, name):
        for number in self.numbers.pop(name):
            self.owners.pop(name, None)

    def rename(self, old, new):
        numbers = self.numbers.pop(old)
        self.numbers.setdefault(new, []).extend(numbers)
        for number in numbers:
            self.owners[number] = new

    def starting_with(self, digits):
        return sorted({name for number, name in self.owners.items() if number.startswith(digits)})
