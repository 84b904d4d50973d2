from program import Folder, common_readers, readable


def test_top_without_rules():
    assert Folder("top").may_read("ada") is False


def test_private_in_the_middle():
    top = Folder("top")
    top.allow("ada")
    middle = Folder("mid", top, private=True)
    middle.allow("bob")
    leaf = Folder("leaf", middle)
    assert not leaf.may_read("ada")
    assert leaf.may_read("bob")
    assert readable([top, middle, leaf], "bob") == ["top/mid", "top/mid/leaf"]


def test_common():
    top = Folder("top")
    for user in ("ada", "bob"):
        top.allow(user)
    sub = Folder("sub", top)
    sub.deny("bob")
    assert common_readers([top, sub], ["bob", "ada", "cy"]) == ["ada"]
