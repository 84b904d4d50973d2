from program import Family


def test_agrees_with_ancestors():
    family = Family()
    family.add("a", 1)
    family.add("b", 1)
    family.add("c", 2)
    family.add("d", 3, "a", "b")
    family.add("e", 4, "c", "d")
    family.add("f", 5, "c")
    family.add("g", 6, "f", "e")
    for name in family.born:
        for elder in family.born:
            assert family.is_descendant(name, elder) is (elder in family.ancestors(name))


def test_no_parent_of_the_same_year():
    family = Family()
    family.add("a", 5)
    try:
        family.add("b", 5, "a")
    except ValueError:
        assert "b" not in family.born
    else:
        raise AssertionError
