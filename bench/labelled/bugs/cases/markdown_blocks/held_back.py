from program import render


def test_list_at_the_end():
    assert render("- a\n- **b**") == "<ul><li>a</li><li><strong>b</strong></li></ul>"


def test_list_between():
    assert render("x\n\n- a\n- b\n\ny\n") == "<p>x</p>\n<ul><li>a</li><li>b</li></ul>\n<p>y</p>"


def test_no_text():
    assert render("") == ""
    assert render("\n\n") == ""


def test_nothing_twice():
    assert render("p\n\n") == "<p>p</p>"
