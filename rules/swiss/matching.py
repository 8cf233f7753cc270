"""Minimum-cost perfect matching of a small graph; the library sees integers only."""

from collections.abc import Iterable

import rustworkx

from rules.swiss.field import Pair

Edge = tuple[int, int, int]
"""Two nodes and what it costs to match them, a whole number of at most some 90 bits."""


def perfect_matching(nodes: int, edges: Iterable[Edge]) -> list[Pair] | None:
    """Return a perfect matching of least cost, None where there is none.

    The same edges in the same order give the same pairs, each with the smaller node first.
    """
    known = list(edges)
    top = max((cost for _a, _b, cost in known), default=0) + 1
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from([(a, b, top - cost) for a, b, cost in known])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < nodes:
        return None
    return sorted((a, b) if a < b else (b, a) for a, b in found)
