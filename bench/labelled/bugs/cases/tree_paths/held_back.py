from program import Node


def test_deep_and_wide():
    leaves = [Node(str(number)) for number in range(3)]
    top = Node("t", 0, [Node("u", 0, [Node("v", 0, leaves)]), Node("w")])
    assert top.paths() == ["/t/u/v/0", "/t/u/v/1", "/t/u/v/2", "/t/w"]


def test_prefix():
    assert Node("a", 0, [Node("b")]).paths("~") == ["~/a/b"]


def test_one_child():
    assert all(isinstance(path, str) for path in Node("a", 0, [Node("b", 0, [Node("c")])]).paths())
