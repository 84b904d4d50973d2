STEPS = {
    "double": "total = total * 2",
    "halve": "total = total / 2",
}


def execute(code, variables):
    state = dict(variables, total=1)
    program = STEPS.get(code, code)
    exec(program, state)
    state.pop("__builtins__", None)
    return state
