import pytest
import program
from program import PhoneBook


def test_removed_number_can_be_given_again():
    phones = PhoneBook()
    phones.add("ada", "111 222")
    phones.add("ada", "333 444")
    phones.remove("ada")
    phones.add("bob", "111222")
    assert phones.owner("111222") == "bob"
    assert phones.starting_with("3") == []
    assert phones.owners == {"111222": "bob"}


def test_others_stay():
    phones = PhoneBook()
    phones.add("ada", "111")
    phones.add("bob", "222")
    phones.remove("ada")
    assert phones.starting_with("") == ["bob"]
    with pytest.raises(KeyError):
        phones.remove("ada")


def test_short_numbers():
    assert program.normalise("112") == "112"
    assert program.normalise("+4912") == "004912"
    for number in ("11", "", "a-b-1-2"):
        with pytest.raises(ValueError):
            program.normalise(number)
