from program import find_by_id, is_balanced


def test_find_behind_closing():
    assert find_by_id('<i></i><b></b><h1 id="t">', "t") == "h1"


def test_first_of_two():
    assert find_by_id('<x></x><i id="t"></i><b id="t">', "t") == "i"


def test_find_last_of_many():
    text = "".join(f'<p id="n{number}"></p>' for number in range(9)) + '<section id="end">'
    assert find_by_id(text, "end") == "section"
    assert not is_balanced(text)


def test_closing_tags_do_not_count():
    assert find_by_id('</i id="t"><b id="t">', "t") == "b"
