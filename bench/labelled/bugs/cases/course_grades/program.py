"""Grades of students."""

LETTERS = [(90, "A"), (80, "B"), (70, "C"), (60, "D"), (0, "F")]


class Student:
    def __init__(self, name, marks={}):
        self.name = name
        self.marks = marks

    def enter(self, test, points):
        if not 0 <= points <= 100:
            raise ValueError("points are from 0 to 100")
        self.marks.setdefault(test, []).append(points)

    def best(self, test):
        return max(self.marks[test])

    def average(self, weights=None):
        """The weighted mean of the best marks; tests without a weight count once."""
        if not self.marks:
            return 0.0
        weights = weights or {}
        total = sum(weights.get(test, 1) for test in self.marks)
        return sum(self.best(test) * weights.get(test, 1) for test in self.marks) / total


def letter(points):
    for minimum, name in LETTERS:
        if points >= minimum:
            return name
    raise ValueError(points)


def honours(students, minimum=85):
    return sorted(student.name for student in students if student.average() >= minimum)
