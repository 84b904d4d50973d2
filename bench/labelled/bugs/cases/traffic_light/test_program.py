import pytest
from program import IllegalEvent, TrafficLight


def test_starts_red():
    assert TrafficLight().state == "red"
    assert TrafficLight().duration() == 30


def test_whole_cycle():
    light = TrafficLight()
    assert [light.handle("tick") for _ in range(4)] == ["red_amber", "green", "amber", "red"]


def test_fault_and_resume():
    light = TrafficLight("green")
    assert light.handle("fault") == "blinking"
    assert light.handle("resume") == "red"


def test_illegal():
    with pytest.raises(IllegalEvent):
        TrafficLight("green").handle("resume")
    with pytest.raises(IllegalEvent):
        TrafficLight("blinking").handle("tick")


def test_run():
    assert TrafficLight().run(32) == "green"
    assert TrafficLight().run(29) == "red"
