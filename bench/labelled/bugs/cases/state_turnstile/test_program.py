import pytest
from program import Alarm, Turnstile, replay


def test_locked_at_first():
    assert Turnstile().locked
    assert replay(Turnstile(), "p") == [False]


def test_pay_and_pass():
    gate = Turnstile()
    assert replay(gate, "ccpp") == [True, False]
    assert gate.passed == 1


def test_alarm():
    assert replay(Turnstile(), "ppp") == [False, False, "alarm"]
    with pytest.raises(Alarm):
        Turnstile(patience=1).push()


def test_coin_calms():
    assert replay(Turnstile(), "ppcpp") == [False, False, False, False]


def test_bad():
    with pytest.raises(ValueError):
        Turnstile().coin(0)
    with pytest.raises(ValueError):
        replay(Turnstile(), "x")
