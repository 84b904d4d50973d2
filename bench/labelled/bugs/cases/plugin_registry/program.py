"""A registry of plugins with settings."""


class Plugin:
    defaults = {"enabled": True, "order": 100}

    def __init__(self, name, run):
        self.name = name
        self.run = run
        self.settings = self.defaults

    def configure(self, **settings):
        unknown = set(settings) - set(self.settings)
        if unknown:
            raise KeyError(", ".join(sorted(unknown)))
        self.settings.update(settings)
        return self


class Registry:
    def __init__(self):
        self.plugins = {}

    def register(self, name):
        if name in self.plugins:
            raise ValueError(f"{name} is registered already")

        def decorate(function):
            self.plugins[name] = Plugin(name, function)
            return function

        return decorate

    def active(self):
        chosen = [plugin for plugin in self.plugins.values() if plugin.settings["enabled"]]
        return sorted(chosen, key=lambda plugin: (plugin.settings["order"], plugin.name))

    def apply(self, value):
        for plugin in self.active():
            value = plugin.run(value)
        return value
