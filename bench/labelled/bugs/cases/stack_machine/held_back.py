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
