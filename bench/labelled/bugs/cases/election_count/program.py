"""Count ballots."""

from collections import Counter


class NoVotes(Exception):
    pass


def first_choices(ballots, standing):
    counts = Counter({name: 0 for name in standing})
    for ballot in ballots:
        for name in ballot:
            if name in standing:
                counts[name] += 1
                break
    return counts


def plurality(ballots):
    """The name with most first choices, alphabetically first of several."""
    counts = Counter(ballot[0] for ballot in ballots if ballot)
    if not counts:
        raise NoVotes
    most = max(counts.values())
    return min(name for name, count in counts.items() if count == most)


def instant_runoff(ballots):
    """The winner when the weakest is struck off until somebody has a majority, and the rounds."""
    standing = {name for ballot in ballots for name in ballot}
    if not standing:
        raise NoVotes
    rounds = []
    while True:
        counts = first_choices(ballots, standing)
        rounds.append(dict(counts))
        leader = max(sorted(counts), key=counts.get)
        if counts[leader] * 2 >= sum(counts.values()) or len(standing) == 1:
            return leader, rounds
        weakest = min(sorted(counts, reverse=True), key=counts.get)
        standing.discard(weakest)
