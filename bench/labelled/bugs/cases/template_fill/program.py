"""Fill in templates like 'Dear {name|friend}'."""

import re

FIELD = re.compile(r"\{(\w+)(?:\.(\w+))?(?:\|([^}]*))?\}")

FILTERS = {"upper": str.upper, "lower": str.lower, "title": str.title}


class MissingField(LookupError):
    pass


class UnknownFilter(Exception):
    pass


def value_of(values, name, default):
    if name in values:
        return str(values[name])
    if default is not None:
        return default
    raise KeyError(name)


def fill(template, values):
    """The template with every field replaced; {name.upper|default}."""

    def replace(match):
        name, modifier, default = match.groups()
        text = value_of(values, name, default)
        if modifier is None:
            return text
        if modifier not in FILTERS:
            raise UnknownFilter(modifier)
        return FILTERS[modifier](text)

    return FIELD.sub(replace, template)


def fill_all(template, rows):
    """One text per row; rows with missing fields are left out."""
    texts = []
    for row in rows:
        try:
            texts.append(fill(template, row))
        except MissingField:
            continue
    return texts


def fields(template):
    return [match.group(1) for match in FIELD.finditer(template)]
