"""Tokens and values of arithmetic expressions."""

OPERATORS = "+-*/()"


class SyntaxProblem(ValueError):
    pass


def tokens(text):
    result = []
    position = 0
    while position < len(text):
        letter = text[position]
        if letter.isspace():
            position += 1
        elif letter in OPERATORS:
            result.append(letter)
            position += 1
        elif letter.isdigit():
            end = position
            while end < len(text) and (text[end].isdigit() or text[end] == "."):
                end += 1
            result.append(float(text[position:end]))
            position = end
        else:
            raise SyntaxProblem(f"unexpected {letter!r} at {position}")
    return result


class Parser:
    def __init__(self, text):
        self.items = tokens(text)
        self.at = 0

    def peek(self):
        return self.items[self.at] if self.at < len(self.items) else None

    def take(self):
        item = self.peek()
        self.at += 1
        return item

    def expression(self):
        value = self.term()
        while self.peek() in ("+", "-"):
            if self.take() == "+":
                value += self.term()
            else:
                value -= self.term()
        return value

    def term(self):
        value = self.factor()
        while self.peek() in ("*", "/"):
            if self.take() == "*":
                value *= self.factor()
            else:
                value /= self.factor()
        return value

    def factor(self):
        item = self.take()
        if item == "-":
            return -self.factor()
        if item == "(":
            value = self.expression()
            if self.take() != ")":
                raise SyntaxProblem("missing )")
            return value
        if not isinstance(item, float):
            raise SyntaxProblem(f"unexpected {item!r}")
        return item


def evaluate(text):
    parser = Parser(text)
    value = parser.expression()
    if parser.peek() is not None:
        raise SyntaxProblem("text after the end")
    return value
