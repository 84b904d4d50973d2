"""Round-robin tournaments."""


def rounds(teams):
    """Lists of pairs; with an odd number of teams one pauses in each round."""
    field = list(teams)
    if len(set(field)) != len(field):
        raise ValueError("a team is named twice")
    if len(field) % 2:
        field.append(None)
    half = len(field) // 2
    result = []
    for _ in range(len(field) - 1):
        pairs = zip(field[:half], reversed(field[half:]))
        result.append([pair for pair in pairs if None not in pair])
        field = [field[0], field[-1], *field[1:-1]]
    return result


class Table:
    def __init__(self, teams):
        self.points = dict.fromkeys(teams, 0)
        self.goals = dict.fromkeys(teams, 0)

    def result(self, home, away, home_goals, away_goals):
        self.goals[home] += home_goals - away_goals
        self.goals[away] += away_goals - home_goals
        if home_goals == away_goals:
            self.points[home] += 1
            self.points[away] += 1
        else:
            self.points[home if home_goals > away_goals else away] += 3

    def standing(self):
        return sorted(self.points, key=lambda team: (-self.points[team], -self.goals[team], team))
