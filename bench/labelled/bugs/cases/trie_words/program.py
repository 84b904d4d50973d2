"""A prefix tree of words."""


class Node:
    def __init__(self):
        self.children = {}
        self.is_word = False


class Trie:
    def __init__(self, words=()):
        self.root = Node()
        self.size = 0
        for word in words:
            self.add(word)

    def add(self, word):
        node = self.root
        for letter in word:
            node = node.children.setdefault(letter, Node())
        if not node.is_word:
            node.is_word = True
            self.size += 1

    def _walk_to(self, prefix):
        node = self.root
        for letter in prefix:
            node = node.children.get(letter)
            if node is None:
                return None
        return node

    def __contains__(self, word):
        node = self._walk_to(word)
        return node is not None and node.is_word

    def completions(self, prefix):
        """All words with this prefix, in alphabetical order."""
        start = self._walk_to(prefix)
        if start is None:
            return []
        return self._collect(start, prefix)

    def _collect(self, node, text):
        found = [text] if node.is_word else []
        for letter in sorted(node.children):
            found.extend(self._collect(node.children[letter], text + letter))
            return found
