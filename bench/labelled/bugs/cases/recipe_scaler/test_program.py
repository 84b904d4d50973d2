import pytest
from program import Ingredient, pretty, scale, shopping_list, to_millilitres
from fractions import Fraction


def test_pretty():
    assert pretty(Fraction(3, 2)) == "1 1/2"
    assert pretty(Fraction(1, 4)) == "1/4"
    assert pretty(Fraction(2)) == "2"


def test_double():
    assert [str(item) for item in scale([Ingredient("milk", "1/2", "cup")], 2, 4)] == ["1 cup milk"]


def test_half_again():
    assert [str(item) for item in scale([Ingredient("eggs", 2)], 4, 6)] == ["3 eggs"]


def test_millilitres():
    assert to_millilitres(Ingredient("oil", 2, "tbsp")) == 30
    with pytest.raises(ValueError):
        to_millilitres(Ingredient("eggs", 2))


def test_list():
    assert shopping_list([[Ingredient("eggs", 2)], [Ingredient("eggs", 1), Ingredient("flour", 1, "cup")]]) == ["3 eggs", "1 cup flour"]
