"""Who descends from whom."""


class Family:
    def __init__(self):
        self.parents = {}
        self.born = {}

    def add(self, name, born, *parents):
        for parent in parents:
            if parent not in self.born:
                raise KeyError(parent)
            if self.born[parent] >= born:
                raise ValueError(f"{parent} is too young")
        self.born[name] = born
        self.parents[name] = list(parents)

    def children(self, name):
        return sorted(child for child, parents in self.parents.items() if name in parents)

    def ancestors(self, name):
        found = set()
        for parent in self.parents[name]:
            found.add(parent)
            found |= self.ancestors(parent)
        return found

    def is_descendant(self, name, elder):
        for parent in self.parents[name]:
            if parent == elder or self.is_descendant(parent, elder):
                return True
        return False

    def common_ancestors(self, first, second):
        """Youngest first."""
        shared = self.ancestors(first) & self.ancestors(second)
        return sorted(shared, key=lambda name: (-self.born[name], name))

    def generations(self, name):
        return 1 + max((self.generations(parent) for parent in self.parents[name]), default=0)
