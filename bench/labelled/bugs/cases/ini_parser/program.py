"""Read and write ini files."""


class IniError(ValueError):
    def __init__(self, number, message):
        super().__init__(f"line {number}: {message}")
        self.number = number


def parse(text):
    sections = {}
    current = None
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.lstrip()
        if not line or line[0] in "#;":
            continue
        if line.startswith("["):
            name = line.rstrip()
            if not name.endswith("]"):
                raise IniError(number, "section is not closed")
            current = sections.setdefault(name[1:-1].strip(), {})
            continue
        if current is None:
            raise IniError(number, "option outside of a section")
        key, found, value = line.partition("=")
        if not found:
            raise IniError(number, "no = in option")
        current[key.strip().lower()] = value.lstrip()
    return sections


def get_bool(sections, section, key, default=False):
    text = sections.get(section, {}).get(key)
    if text is None:
        return default
    if text.lower() in ("1", "yes", "true", "on"):
        return True
    if text.lower() in ("0", "no", "false", "off"):
        return False
    raise ValueError(f"not a boolean: {text}")


def dump(sections):
    blocks = []
    for name, options in sections.items():
        lines = [f"[{name}]"] + [f"{key} = {value}" for key, value in options.items()]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)
