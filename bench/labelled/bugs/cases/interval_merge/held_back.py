from program import gaps, intersect, normalise, total_length


def test_chain():
    assert normalise([(0, 3), (2, 5), (4, 9), (8, 8)]) == [(0, 9)]


def test_touching():
    assert normalise([(0, 2), (2, 4)]) == [(0, 4)]


def test_nested_then_more():
    assert normalise([(0, 10), (1, 2), (3, 12), (20, 21)]) == [(0, 12), (20, 21)]
    assert total_length([(0, 10), (1, 2), (3, 12)]) == 12
    assert gaps([(0, 10), (1, 2), (15, 16)]) == [(10, 15)]


def test_merging_into_a_later_one():
    assert normalise([(0, 1), (5, 8), (6, 7), (7, 9)]) == [(0, 1), (5, 9)]


def test_intersect_overlapping_inputs():
    assert intersect([(0, 5), (4, 8)], [(1, 7), (2, 3)]) == [(1, 7)]
