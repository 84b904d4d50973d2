"""A line diff by the longest common subsequence."""


def common_lengths(old, new):
    """table[i][j] is the length of the longest common subsequence of old[i:] and new[j:]."""
    table = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            if old[i] == new[j]:
                table[i][j] = table[i + 1][j + 1] + 1
            else:
                table[i][j] = max(table[i + 1][j], table[i][j + 1])
    return table


def diff(old, new):
    """Pairs of a mark (' ', '-' or '+') and a line."""
    table = common_lengths(old, new)
    i = j = 0
    result = []
    while i < len(old) and j < len(new):
        if old[i] == new[j]:
            result.append((" ", old[i]))
            i += 1
            j += 1
        elif table[i + 1][j] >= table[i][j + 1]:
            result.append(("-", old[i]))
            i += 1
        else:
            result.append(("+", new[j]))
            j += 1
    result.extend(("-", line) for line in old[i:])
    result.extend(("+", line) for line in new[i:])
    return result


def apply(changes):
    """The new text of a diff."""
    return [line for mark, line in changes if mark != "-"]


def summary(changes):
    return sum(mark == "+" for mark, _ in changes), sum(mark == "-" for mark, _ in changes)
