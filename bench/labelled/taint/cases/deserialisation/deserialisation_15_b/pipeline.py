import yaml


class Pipeline:
    def __init__(self, steps):
        self.steps = steps

    @classmethod
    def from_text(cls, text):
        data = yaml.load(text, Loader=yaml.CSafeLoader)
        return cls(data.get("steps", []))
