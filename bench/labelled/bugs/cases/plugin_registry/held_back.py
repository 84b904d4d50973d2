from program import Plugin, Registry


def test_disable_one():
    registry = Registry()
    registry.register("a")(lambda value: value + "a")
    registry.register("b")(lambda value: value + "b")
    registry.plugins["a"].configure(enabled=False)
    assert [plugin.name for plugin in registry.active()] == ["b"]
    assert registry.apply("") == "b"


def test_defaults_stay():
    Plugin("x", None).configure(order=3, enabled=False)
    assert Plugin("y", None).settings == {"enabled": True, "order": 100}
    assert Plugin.defaults == {"enabled": True, "order": 100}
