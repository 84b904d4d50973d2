import os

LANGUAGES = frozenset({"en", "nl", "de"})


class Library:
    def __init__(self, root):
        self.root = root

    def read(self, language, key):
        if language not in LANGUAGES:
            language = "en"
        parts = (self.root, language, "%s.txt" % ("reset" if key == "reset" else "welcome"))
        with open(os.path.join(*parts), encoding="utf-8") as handle:
            return handle.read()
