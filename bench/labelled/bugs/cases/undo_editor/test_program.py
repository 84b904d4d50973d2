import pytest
from program import Editor, NothingToUndo


def test_insert_and_delete():
    editor = Editor("abc")
    editor.insert(1, "XY")
    assert editor.text == "aXYbc"
    editor.delete(0, 2)
    assert editor.text == "Ybc"


def test_undo_redo():
    editor = Editor("a")
    editor.insert(1, "b")
    editor.undo()
    assert editor.text == "a"
    editor.redo()
    assert editor.text == "ab"


def test_edit_after_undo_ends_redo():
    editor = Editor("a")
    editor.insert(1, "b")
    editor.undo()
    editor.insert(1, "c")
    with pytest.raises(NothingToUndo):
        editor.redo()


def test_nothing():
    with pytest.raises(NothingToUndo):
        Editor().undo()
    with pytest.raises(NothingToUndo):
        Editor().redo()


def test_bounds():
    with pytest.raises(IndexError):
        Editor("abc").insert(4, "x")
