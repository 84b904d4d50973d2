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
