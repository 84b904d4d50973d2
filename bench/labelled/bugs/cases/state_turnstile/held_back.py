from program import Turnstile, replay


def test_after_paying_all_is_forgotten():
    assert replay(Turnstile(), "ppccppp") == [False, False, True, False, False]


def test_each_coin_calms():
    assert replay(Turnstile(price=5), "ppcppcppcpp") == [False] * 8


def test_third_push_after_a_coin():
    assert replay(Turnstile(), "pcppp") == [False, False, False, "alarm"]


def test_alarm_starts_anew():
    assert replay(Turnstile(), "pppppp") == [False, False, "alarm"] * 2


def test_credit_is_kept():
    gate = Turnstile(price=2)
    gate.coin(5)
    assert replay(gate, "ppp") == [True, True, False]
    assert gate.credit == 1
