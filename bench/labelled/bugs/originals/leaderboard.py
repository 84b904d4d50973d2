"""Scores of players."""


class Leaderboard:
    def __init__(self):
        self.scores = {}
        self.played = {}

    def report(self, player, points):
        if points < 0:
            raise ValueError("points cannot be negative")
        self.scores[player] = self.scores.get(player, 0) + points
        self.played[player] = self.played.get(player, 0) + 1

    def ranking(self):
        """Players from best to worst; equal ones by name."""
        by_name = sorted(self.scores)
        return sorted(by_name, key=self.scores.get, reverse=True)

    def top(self, count):
        return self.ranking()[:count]

    def rank(self, player):
        """1 for the best; equal scores share a rank."""
        if player not in self.scores:
            raise KeyError(player)
        own = self.scores[player]
        return 1 + sum(score > own for score in self.scores.values())

    def average(self, player):
        return self.scores[player] / self.played[player]

    def table(self):
        width = max((len(player) for player in self.scores), default=0)
        return [f"{self.rank(p)}. {p:<{width}} {self.scores[p]:>5}" for p in self.ranking()]
