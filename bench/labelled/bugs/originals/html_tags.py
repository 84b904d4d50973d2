"""Find things in simple html."""

import re

TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^>]*)>")
ATTRIBUTE = re.compile(r'([a-zA-Z-]+)\s*=\s*"([^"]*)"')
VOID = {"br", "hr", "img", "input", "meta"}


def tags(text):
    """Triples of the name, whether it closes, and the attributes."""
    found = []
    for match in TAG.finditer(text):
        attributes = {name.lower(): value for name, value in ATTRIBUTE.findall(match.group(3))}
        found.append((match.group(2).lower(), bool(match.group(1)), attributes))
    return found


def links(text):
    result = []
    for name, closing, attributes in tags(text):
        if name == "a" and not closing and "href" in attributes:
            result.append(attributes["href"])
    return result


def find_by_id(text, wanted):
    for name, closing, attributes in tags(text):
        if not closing and attributes.get("id") == wanted:
            return name
    return None


def is_balanced(text):
    stack = []
    for name, closing, _ in tags(text):
        if name in VOID:
            continue
        if not closing:
            stack.append(name)
        elif not stack or stack.pop() != name:
            return False
    return not stack


def strip_tags(text):
    return re.sub(r"\s+", " ", TAG.sub(" ", text)).strip()
