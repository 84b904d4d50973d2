from program import TrafficLight


def test_run_past_amber():
    assert TrafficLight("amber").run(3) == "red"
    assert TrafficLight().run(60) == "red"
    assert TrafficLight().run(60 * 7 + 31) == "red_amber"


def test_log():
    light = TrafficLight("amber")
    light.handle("tick")
    light.handle("fault")
    assert light.log == ["amber", "red", "blinking"]


def test_blinking_does_not_end():
    assert TrafficLight("blinking").run(1000) == "blinking"
