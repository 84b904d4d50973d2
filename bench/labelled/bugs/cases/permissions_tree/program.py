"""Access to folders, inherited from parents."""


class Folder:
    def __init__(self, name, parent=None, private=False):
        self.name = name
        self.parent = parent
        self.private = private
        self.allowed = set()
        self.denied = set()

    @property
    def path(self):
        if self.parent is None:
            return self.name
        return f"{self.parent.path}/{self.name}"

    def allow(self, user):
        self.denied.discard(user)
        self.allowed.add(user)

    def deny(self, user):
        self.allowed.discard(user)
        self.denied.add(user)

    def may_read(self, user):
        """Own rules first; a folder that is not private follows its parent."""
        if user in self.allowed:
            return True
        if user in self.denied:
            return False
        if self.parent is not None or not self.private:
            return self.parent.may_read(user)
        return False


def readable(folders, user):
    return [folder.path for folder in folders if folder.may_read(user)]


def common_readers(folders, users):
    return sorted(user for user in users if all(folder.may_read(user) for folder in folders))
