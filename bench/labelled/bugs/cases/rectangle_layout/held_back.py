from program import Rect


def test_inside():
    inner = Rect(2, 3, 1, 5)
    assert Rect(0, 0, 10, 10).overlap(inner).as_tuple() == inner.as_tuple()
    assert inner.overlap(Rect(0, 0, 10, 10)).as_tuple() == inner.as_tuple()


def test_tall_strip():
    common = Rect(0, 0, 3, 100).overlap(Rect(1, 10, 50, 50))
    assert common.as_tuple() == (1, 10, 2, 50)
    assert (common.right, common.bottom) == (3, 60)


def test_empty_rectangles():
    assert Rect(1, 1, 0, 0).area == 0
    assert Rect(0, 0, 5, 5).overlap(Rect(2, 2, 0, 3)) is None
