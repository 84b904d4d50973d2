from program import contains, gaps, intersect, normalise, total_length


def test_disjoint_stay():
    assert normalise([(5, 6), (1, 2)]) == [(1, 2), (5, 6)]


def test_empty_intervals_go():
    assert normalise([(3, 3), (4, 2)]) == []


def test_overlap_merges():
    assert normalise([(1, 4), (3, 8)]) == [(1, 8)]


def test_nested():
    assert normalise([(1, 10), (2, 3)]) == [(1, 10)]


def test_length():
    assert total_length([(0, 2), (5, 6)]) == 3


def test_gaps_and_contains():
    assert gaps([(0, 2), (5, 6)]) == [(2, 5)]
    assert contains([(0, 2)], 1)
    assert not contains([(0, 2)], 2)


def test_intersect():
    assert intersect([(0, 5)], [(3, 9)]) == [(3, 5)]
