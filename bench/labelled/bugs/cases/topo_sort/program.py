"""Order tasks by what they depend on."""

from collections import deque


class CycleError(ValueError):
    pass


def _in_degrees(graph):
    degrees = {}
    for task, needs in graph.items():
        degrees.setdefault(task, 0)
        for need in needs:
            degrees.setdefault(need, 0)
            degrees[task] += 1
    return degrees


def _dependants(graph):
    result = {}
    for task, needs in graph.items():
        for need in needs:
            result.setdefault(need, []).append(task)
    return result


def order(graph):
    """Tasks such that each follows all that it needs; ties in alphabetical order."""
    degrees = _in_degrees(graph)
    dependants = _dependants(graph)
    ready = deque(sorted(task for task, degree in degrees.items() if degree == 0))
    result = []
    while ready:
        task = ready.popleft()
        result.append(task)
        for other in sorted(dependants.get(task, [])):
            degrees[other] -= 1
            if degrees[other] == 0:
                ready.append(other)
    return result


def has_cycle(graph):
    try:
        order(graph)
    except CycleError:
        return True
    return False
