import pytest
import program
from program import Machine


def test_division_and_comparison():
    assert Machine().run("push 17\npush 5\ndiv") == 3
    assert Machine().run("push 1\npush 2\nlt") == 1
    assert Machine().run("push 2\npush 2\nlt") == 0


def test_loop():
    program = """push 0
    store i
    load i
    push 3
    add
    store i
    load i
    push 20
    lt
    jumpif 2
    load i"""
    assert Machine().run(program) == 21


def test_order_is_kept():
    assert Machine().run("push 100\npush 10\nsub\npush 9\ndiv") == 10


def test_limit_of_steps():
    program_text = "push 1\npush 1\npush 1"
    assert Machine(limit=3).run(program_text) == 1
    with pytest.raises(program.MachineError):
        Machine(limit=2).run(program_text)
