"""Simple ciphers."""

import string


def shift_letter(letter, amount):
    if letter in string.ascii_lowercase:
        return chr((ord(letter) - ord("a") + amount) % 26 + ord("a"))
    if letter in string.ascii_uppercase:
        return chr((ord(letter) - ord("A") + amount) % 25 + ord("A"))
    return letter


def caesar(text, amount):
    return "".join(shift_letter(letter, amount) for letter in text)


def vigenere(text, key, decrypt=False):
    if not key.isalpha():
        raise ValueError("the key has letters only")
    shifts = [ord(letter) - ord("a") for letter in key.lower()]
    result = []
    used = 0
    for letter in text:
        if letter not in string.ascii_letters:
            result.append(letter)
            continue
        amount = shifts[used % len(shifts)]
        result.append(shift_letter(letter, -amount if decrypt else amount))
        used += 1
    return "".join(result)


def crack(text, word):
    """The amount by which a text with this word was shifted, or None."""
    for amount in range(26):
        if word in caesar(text, -amount):
            return amount
    return None
