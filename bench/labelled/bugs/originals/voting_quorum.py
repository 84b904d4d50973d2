"""Motions, members and a quorum."""


class NotAllowed(Exception):
    pass


class Motion:
    def __init__(self, members, quorum=0.5):
        self.members = set(members)
        self.quorum = quorum
        self.votes = {}
        self.open = True

    def vote(self, member, choice):
        if not self.open:
            raise NotAllowed("the vote is over")
        if member not in self.members:
            raise NotAllowed(f"{member} is no member")
        if choice not in ("yes", "no", "abstain"):
            raise ValueError(choice)
        self.votes[member] = choice

    def count(self, choice):
        return sum(vote == choice for vote in self.votes.values())

    @property
    def turnout(self):
        return len(self.votes) / len(self.members)

    def close(self):
        """The outcome: passed, rejected or void."""
        self.open = False
        if self.turnout < self.quorum:
            return "void"
        return "passed" if self.count("yes") > self.count("no") else "rejected"
