import pytest
from program import Editor, NothingToUndo


def test_all_kinds_of_edits_end_redo():
    for edit in (lambda e: e.delete(0, 1), lambda e: e.replace("a", "z"), lambda e: e.insert(0, "!")):
        editor = Editor("aa")
        editor.insert(0, "x")
        editor.undo()
        edit(editor)
        with pytest.raises(NothingToUndo):
            editor.redo()


def test_replace_of_nothing_keeps_redo():
    editor = Editor("aa")
    editor.insert(0, "x")
    editor.undo()
    assert not editor.replace("q", "z")
    editor.redo()
    assert editor.text == "xaa"


def test_two_undos_two_redos():
    editor = Editor("")
    editor.insert(0, "a")
    editor.insert(1, "b")
    editor.undo()
    editor.undo()
    editor.redo()
    editor.redo()
    assert editor.text == "ab"


def test_limit():
    editor = Editor("", limit=2)
    for letter in "abcd":
        editor.insert(len(editor.text), letter)
    editor.undo()
    editor.undo()
    assert editor.text == "ab"
    with pytest.raises(NothingToUndo):
        editor.undo()
