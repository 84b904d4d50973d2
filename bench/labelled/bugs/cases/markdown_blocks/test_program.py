from program import heading, inline, render


def test_inline():
    assert inline("a **b** *c* `d`") == "a <strong>b</strong> <em>c</em> <code>d</code>"


def test_link_and_escape():
    assert inline("1 < 2 [x](y)") == '1 &lt; 2 <a href="y">x</a>'


def test_heading():
    assert heading("## Title ##") == "<h2>Title</h2>"
    assert heading("#Title") is None


def test_paragraph_then_heading():
    assert render("one\ntwo\n# Head") == "<p>one two</p>\n<h1>Head</h1>"


def test_last_paragraph():
    assert render("# Head\n\nbody") == "<h1>Head</h1>\n<p>body</p>"
