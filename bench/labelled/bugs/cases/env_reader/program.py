"""Typed settings from a mapping of texts, such as the environment."""


class BadSetting(Exception):
    def __init__(self, name, reason):
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


class Settings:
    def __init__(self, source, prefix=""):
        self.source = source
        self.prefix = prefix

    def _raw(self, name):
        return self.source.get(self.prefix + name)

    def text(self, name, default=None):
        value = self._raw(name)
        if value is None:
            if default is None:
                raise BadSetting(name, "is not set")
            return default
        return value

    def number(self, name, default=None, low=None, high=None):
        value = self._raw(name)
        if value is None and default is not None:
            return default
        try:
            number = int(self.text(name))
        except TypeError:
            raise BadSetting(name, "is not a number") from None
        if low is not None and number < low:
            raise BadSetting(name, f"is below {low}")
        if high is not None and number > high:
            raise BadSetting(name, f"is above {high}")
        return number

    def items(self, name, separator=","):
        value = self._raw(name) or ""
        return [part.strip() for part in value.split(separator) if part.strip()]
