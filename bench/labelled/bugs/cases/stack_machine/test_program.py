import pytest
from program import Machine, MachineError


def test_add_and_multiply():
    assert Machine().run("push 2\npush 3\nadd\npush 4\nmul") == 20


def test_subtract():
    assert Machine().run("push 10\npush 4\nsub") == 6


def test_memory():
    assert Machine().run("push 7\nstore x\nload x\nload x\nadd") == 14


def test_errors():
    with pytest.raises(MachineError):
        Machine().run("add")
    with pytest.raises(MachineError):
        Machine().run("dance")
    with pytest.raises(MachineError):
        Machine(limit=50).run("push 1\njumpif 0")


def test_nothing():
    assert Machine().run("push 1\nstore a") is None
