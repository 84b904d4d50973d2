import pytest
from program import Family


def family():
    result = Family()
    result.add("eve", 1900)
    result.add("max", 1902)
    result.add("ida", 1930, "eve", "max")
    result.add("tom", 1935, "eve")
    result.add("kim", 1960, "ida")
    return result


def test_children():
    assert family().children("eve") == ["ida", "tom"]


def test_ancestors():
    assert family().ancestors("kim") == {"ida", "eve", "max"}


def test_descendant_by_first_parent():
    assert family().is_descendant("kim", "eve")


def test_descendant_by_second_parent():
    assert family().is_descendant("ida", "max")


def test_common():
    assert family().common_ancestors("kim", "tom") == ["eve"]
    assert family().generations("kim") == 3


def test_errors():
    with pytest.raises(KeyError):
        Family().add("x", 1, "y")
    with pytest.raises(ValueError):
        family().add("x", 1890, "eve")
