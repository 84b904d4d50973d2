import pytest
from program import Student, honours, letter


def test_letters():
    assert [letter(points) for points in (95, 90, 89, 60, 12)] == ["A", "A", "B", "D", "F"]


def test_average():
    student = Student("ada", {"x": [50, 70], "y": [90]})
    assert student.average() == 80
    assert student.average({"y": 3}) == 85


def test_range():
    with pytest.raises(ValueError):
        Student("ada").enter("x", 101)


def test_students_are_apart():
    ada, bob = Student("ada"), Student("bob")
    ada.enter("x", 100)
    bob.enter("x", 40)
    assert ada.best("x") == 100
    assert bob.best("x") == 40


def test_honours():
    assert honours([Student("z", {"x": [99]}), Student("b", {"x": [85]}), Student("c", {"x": [1]})]) == ["b", "z"]
