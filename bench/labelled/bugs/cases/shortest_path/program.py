"""Shortest paths by Dijkstra's algorithm."""

import heapq


class NoPath(Exception):
    pass


class Graph:
    def __init__(self):
        self.edges = {}

    def connect(self, start, end, weight, both=True):
        if weight < 0:
            raise ValueError("negative weight")
        self.edges.setdefault(start, {})[end] = weight
        self.edges.setdefault(end, {})
        if both:
            self.edges[end][start] = weight

    def distances(self, source):
        best = {source: 0}
        previous = {}
        queue = [(0, source)]
        while queue:
            distance, node = heapq.heappop(queue)
            if distance > best[node]:
                continue
            for neighbour, weight in self.edges.get(node, {}).items():
                candidate = max(distance, weight)
                if neighbour not in best or candidate < best[neighbour]:
                    best[neighbour] = candidate
                    previous[neighbour] = node
                    heapq.heappush(queue, (candidate, neighbour))
        return best, previous

    def path(self, source, target):
        best, previous = self.distances(source)
        if target not in best:
            raise NoPath(f"{source} to {target}")
        nodes = [target]
        while nodes[-1] != source:
            nodes.append(previous[nodes[-1]])
        return best[target], nodes[::-1]
