import pytest
from program import Plugin, Registry


def registry():
    result = Registry()
    result.register("double")(lambda value: value * 2)
    result.register("add")(lambda value: value + 1)
    return result


def test_apply_by_name():
    assert registry().apply(5) == 12


def test_twice():
    with pytest.raises(ValueError):
        registry().register("add")


def test_unknown_setting():
    with pytest.raises(KeyError):
        Plugin("x", None).configure(colour="red")


def test_configure_gives_back():
    plugin = Plugin("x", None)
    assert plugin.configure(order=100) is plugin


def test_order_of_one_plugin():
    plugins = registry()
    plugins.plugins["double"].configure(order=1)
    assert plugins.apply(5) == 11
    plugins.plugins["double"].configure(order=100)
