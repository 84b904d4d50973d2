from program import area, bounding_box, contains


def test_boxes():
    assert bounding_box([(7, 7)]) == (7, 7, 7, 7)
    assert bounding_box([(0, 0), (4, 0), (4, 4), (0, 4)]) == (0, 0, 4, 4)
    assert bounding_box([(2, -1), (-3, 8)]) == (-3, -1, 2, 8)


def test_concave():
    arrow = [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)]
    assert area(arrow) == 10
    assert not contains(arrow, (2, 3))
    assert contains(arrow, (0.5, 2))


def test_triangles():
    triangle = [(0, 0), (3, 0), (0, 3)]
    assert area(triangle) == 4.5
    tilted = [(1, 2), (7, 4), (3, 9)]
    assert [contains(tilted, point) for point in [(3, 4), (5, 5), (2, 6), (6, 6), (1, 4), (3, 2)]] == [True, True, False, False, False, False]
