from program import suggestions


def test_completions_before_near_ones():
    assert suggestions("pus", ["pull", "push-all", "bus"]) == ["push-all", "bus", "pull"]


def test_capital_letters():
    assert suggestions("RE", ["restore-everything", "commit"]) == ["restore-everything"]


def test_typed_more_than_the_word():
    assert suggestions("commits-now", ["commit"]) == []
    assert suggestions("pushes", ["push", "pulled"]) == ["push"]
