import pytest
import program
from program import Student, honours


def test_new_student_has_nothing():
    Student("ada").enter("x", 100)
    assert Student("bob").marks == {}
    assert Student("bob").average() == 0.0


def test_three():
    students = [Student(name) for name in "abc"]
    for points, student in zip((90, 50, 85), students):
        student.enter("t", points)
    assert honours(students) == ["a", "c"]
    assert [student.marks for student in students] == [{"t": [90]}, {"t": [50]}, {"t": [85]}]


def test_ends_of_the_range():
    student = program.Student("a")
    student.enter("x", 0)
    student.enter("x", 100)
    assert student.marks == {"x": [0, 100]}
    for points in (-1, 101):
        with pytest.raises(ValueError):
            student.enter("x", points)
