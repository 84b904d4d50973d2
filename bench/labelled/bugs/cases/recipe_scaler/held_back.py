import pytest
import program
from program import Ingredient, scale


@pytest.mark.parametrize(("servings", "wanted", "text"), [(4, 1, "1/2 cup rice"), (3, 2, "1 1/3 cup rice"), (4, 4, "2 cup rice"), (2, 7, "7 cup rice"), (5, 8, "3 1/5 cup rice")])
def test_scale(servings, wanted, text):
    assert str(scale([Ingredient("rice", 2, "cup")], servings, wanted)[0]) == text


def test_no_servings():
    with pytest.raises(ValueError):
        scale([], 0, 1)


def test_units():
    volumes = {unit: program.to_millilitres(Ingredient("x", 1, unit)) for unit in ("ml", "tsp", "tbsp", "cup", "l")}
    assert volumes == {"ml": 1, "tsp": 5, "tbsp": 15, "cup": 240, "l": 1000}
    with pytest.raises(ValueError):
        scale([], 1, 0)
