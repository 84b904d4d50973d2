"""Cycles in a graph of imports: strongly connected parts, and the shortest cycle through each member."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Set

Graph = Mapping[str, tuple[str, ...]]
MAX_CYCLES = 30


def knots(graph: Graph) -> list[tuple[str, ...]]:
    """The strongly connected parts of two or more, by Tarjan; iterative, since graphs can be deep."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    found: list[tuple[str, ...]] = []
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(sorted(graph[root])))]
        _enter(root, index, low, stack, on_stack)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in graph:
                    continue
                if target not in index:
                    _enter(target, index, low, stack, on_stack)
                    work.append((target, iter(sorted(graph[target]))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found += _leave(node, stack, on_stack)
    return sorted(found)


def _enter(
    node: str, index: dict[str, int], low: dict[str, int], stack: list[str], on_stack: set[str]
) -> None:
    index[node] = low[node] = len(index)
    stack.append(node)
    on_stack.add(node)


def _leave(node: str, stack: list[str], on_stack: set[str]) -> Iterator[tuple[str, ...]]:
    part = []
    while True:
        member = stack.pop()
        on_stack.discard(member)
        part.append(member)
        if member == node:
            break
    if len(part) > 1:
        yield tuple(sorted(part))


def cycles(graph: Graph, knot: tuple[str, ...], through: Set[str]) -> list[tuple[str, ...]]:
    """Cycles that show how a part hangs together: the shortest through each of these members, once each.

    Each begins with its smallest member, so that the same cycle is always written the same way.
    """
    inside = set(knot)
    found = {_turned(cycle) for node in knot if node in through and (cycle := _shortest(graph, node, inside))}
    return sorted(found, key=lambda cycle: (len(cycle), cycle))[:MAX_CYCLES]


def _shortest(graph: Graph, start: str, inside: set[str]) -> tuple[str, ...]:
    came_from = {start: ""}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for target in sorted(graph[node]):
            if target == start and node != start:
                return _way(came_from, node)
            if target in inside and target not in came_from:
                came_from[target] = node
                waiting.append(target)
    return ()


def _way(came_from: dict[str, str], node: str) -> tuple[str, ...]:
    way = []
    while node:
        way.append(node)
        node = came_from[node]
    return tuple(reversed(way))


def _turned(cycle: tuple[str, ...]) -> tuple[str, ...]:
    at = cycle.index(min(cycle))
    return cycle[at:] + cycle[:at]
