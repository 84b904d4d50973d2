import os

LANGUAGES = frozenset({"en", "nl", "de"})


class Library:
    def __init__(self, root):
        self.root = root

    def read(self, language, key):
        parts = (self.root, language, "%s.txt" % key)
        with open(os.path.join(*parts), encoding="utf-8") as handle:
            return handle.read()
