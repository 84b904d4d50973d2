import pytest
from program import Duplicate, PhoneBook, normalise


def book():
    result = PhoneBook()
    result.add("ada", "+49 30 123")
    result.add("bob", "030/777")
    result.add("ada", "555-1")
    return result


def test_normalise():
    assert normalise(" +49 (30) 12") == "00493012"
    with pytest.raises(ValueError):
        normalise("x1")


def test_owner():
    assert book().owner("0049-30-123") == "ada"
    assert book().owner("999") is None


def test_duplicate():
    with pytest.raises(Duplicate):
        book().add("cy", "030777")


def test_remove():
    phones = book()
    phones.remove("ada")
    assert phones.owner("5551") is None


def test_rename():
    phones = book()
    phones.rename("ada", "bob")
    assert phones.owner("5551") == "bob"
    assert len(phones.numbers["bob"]) == 3
