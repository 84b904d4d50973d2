"""A small stack machine."""

import operator

BINARY = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.floordiv, "lt": operator.lt}


class MachineError(Exception):
    pass


class Machine:
    def __init__(self, limit=1000):
        self.limit = limit
        self.stack = []
        self.memory = {}

    def pop(self):
        if not self.stack:
            raise MachineError("the stack is empty")
        return self.stack.pop()

    def run(self, program):
        """Run lines such as 'push 2' or 'add'; what is on top at the end is the result."""
        lines = [line.split() for line in program.strip().splitlines()]
        at = steps = 0
        while at < len(lines):
            steps += 1
            if steps > self.limit:
                raise MachineError("too many steps")
            name, *rest = lines[at]
            at += 1
            if name == "push":
                self.stack.append(int(rest[0]))
            elif name in BINARY:
                left, right = self.pop(), self.pop()
                self.stack.append(int(BINARY[name](left, right)))
            elif name == "store":
                self.memory[rest[0]] = self.pop()
            elif name == "load":
                self.stack.append(self.memory[rest[0]])
            elif name == "jumpif":
                at = int(rest[0]) if self.pop() else at
            else:
                raise MachineError(f"unknown instruction {name}")
        return self.stack[-1] if self.stack else None
