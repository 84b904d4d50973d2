from program import Folder, common_readers, readable


def test_own_rules():
    folder = Folder("a", private=True)
    folder.allow("ada")
    assert folder.may_read("ada")
    assert not folder.may_read("bob")


def test_inherits():
    top = Folder("top")
    top.allow("ada")
    assert Folder("sub", top).may_read("ada")


def test_private_does_not_inherit():
    top = Folder("top")
    top.allow("ada")
    assert not Folder("sub", top, private=True).may_read("ada")


def test_deny_below():
    top = Folder("top")
    top.allow("ada")
    sub = Folder("sub", top)
    sub.deny("ada")
    assert not sub.may_read("ada")
    assert readable([top, sub], "ada") == ["top"]


def test_path():
    assert Folder("b", Folder("a")).path == "a/b"
