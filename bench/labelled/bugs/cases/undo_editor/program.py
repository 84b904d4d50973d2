"""A line of text with undo and redo."""


class NothingToUndo(Exception):
    pass


class Editor:
    def __init__(self, text="", limit=100):
        self.text = text
        self.limit = limit
        self._past = []
        self._future = []

    def _change(self, text):
        self._past.append(self.text)
        del self._past[:-self.limit]
        self.text = text

    def insert(self, position, piece):
        if not 0 <= position <= len(self.text):
            raise IndexError(position)
        self._change(self.text[:position] + piece + self.text[position:])

    def delete(self, start, end):
        if not 0 <= start <= end <= len(self.text):
            raise IndexError((start, end))
        self._change(self.text[:start] + self.text[end:])

    def replace(self, old, new):
        if old and old in self.text:
            self._change(self.text.replace(old, new))
            return True
        return False

    def undo(self):
        if not self._past:
            raise NothingToUndo
        self._future.append(self.text)
        self.text = self._past.pop()

    def redo(self):
        if not self._future:
            raise NothingToUndo
        self._past.append(self.text)
        self.text = self._future.pop()
