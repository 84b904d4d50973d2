"""Trees of named nodes."""


class Node:
    def __init__(self, name, size=0, children=()):
        self.name = name
        self.size = size
        self.children = list(children)

    def total(self):
        return self.size + sum(child.total() for child in self.children)

    def height(self):
        return 1 + max((child.height() for child in self.children), default=0)

    def paths(self, prefix=""):
        """The paths of all leaves, from left to right."""
        here = f"{prefix}/{self.name}"
        if not self.children:
            return [here]
        found = []
        for child in self.children:
            found.extend(child.paths(here))
        return found

    def find(self, name):
        if self.name == name:
            return self
        for child in self.children:
            hit = child.find(name)
            if hit is not None:
                return hit
        return None


def outline(node, depth=0):
    lines = ["  " * depth + node.name]
    for child in node.children:
        lines.extend(outline(child, depth + 1))
    return lines
