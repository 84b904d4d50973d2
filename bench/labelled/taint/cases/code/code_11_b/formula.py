import re

SHAPE = re.compile(r"salary \* (\d+(?:\.\d+)?)")


class Formula:
    def __init__(self, text):
        self.text = text

    def apply(self, **values):
        found = SHAPE.fullmatch(self.text)
        factor = float(found.group(1)) if found else 0.0
        return round(values["salary"] * factor, 2)
