import pytest
from program import BadSetting, Settings


def test_text():
    settings = Settings({"APP_NAME": "demo"}, "APP_")
    assert settings.text("NAME") == "demo"
    assert settings.text("OTHER", "x") == "x"


def test_number():
    assert Settings({"PORT": "80"}).number("PORT") == 80
    assert Settings({}).number("PORT", 8080) == 8080


def test_not_a_number():
    with pytest.raises(BadSetting) as caught:
        Settings({"PORT": "http"}).number("PORT")
    assert caught.value.reason == "is not a number"


def test_limits():
    with pytest.raises(BadSetting):
        Settings({"PORT": "70000"}).number("PORT", high=65535)
    assert Settings({"PORT": "1"}).number("PORT", low=1) == 1


def test_items():
    assert Settings({"L": "a, b,,c "}).items("L") == ["a", "b", "c"]
    assert Settings({}).items("L") == []
