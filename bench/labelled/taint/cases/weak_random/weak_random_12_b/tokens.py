import random

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


class TokenFactory:
    def __init__(self, length):
        self.length = length
        self.pick = random.choice

    def create(self):
        return "".join(self.pick(ALPHABET) for _ in range(self.length))
