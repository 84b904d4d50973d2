from program import Node, outline


def tree():
    return Node("root", 1, [Node("a", 2), Node("b", 3, [Node("c", 4)])])


def test_total_and_height():
    assert tree().total() == 10
    assert tree().height() == 3


def test_leaf_path():
    assert Node("x").paths() == ["/x"]


def test_paths():
    assert tree().paths() == ["/root/a", "/root/b/c"]


def test_find():
    assert tree().find("c").size == 4
    assert tree().find("z") is None


def test_outline():
    assert outline(tree()) == ["root", "  a", "  b", "    c"]
