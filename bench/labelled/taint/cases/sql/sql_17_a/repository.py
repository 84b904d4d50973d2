import sqlite3


class MemberRepository:
    def __init__(self, path):
        self.db = sqlite3.connect(path)

    def by_team(self, team, limit=10):
        query = f"SELECT id FROM members WHERE team = '{team}' LIMIT {limit}"
        return [row[0] for row in self.db.execute(query)]
