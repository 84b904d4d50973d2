"""Parse command lines without a library."""


class UsageError(Exception):
    pass


class Spec:
    def __init__(self, flags=(), options=()):
        self.flags = set(flags)
        self.options = set(options)


def parse(spec, arguments):
    """Flags, option values and positional arguments; -- ends the options."""
    values = dict.fromkeys(spec.flags, False)
    positional = []
    index = 0
    while index < len(arguments):
        word = arguments[index]
        if word == "--":
            positional.extend(arguments[index:])
            break
        if not word.startswith("--"):
            positional.append(word)
            index += 1
            continue
        name, equals, value = word[2:].partition("=")
        if name in spec.flags:
            if equals:
                raise UsageError(f"--{name} takes no value")
            values[name] = True
        elif name in spec.options:
            if not equals:
                if index + 1 >= len(arguments):
                    raise UsageError(f"--{name} needs a value")
                index += 1
                value = arguments[index]
            values[name] = value
        else:
            raise UsageError(f"unknown option --{name}")
        index += 1
    return values, positional


def usage(program, spec):
    parts = [f"[--{name}]" for name in sorted(spec.flags)]
    parts += [f"[--{name} VALUE]" for name in sorted(spec.options)]
    return " ".join([program, *parts])
