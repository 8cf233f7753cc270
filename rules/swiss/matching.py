"""Minimum-cost perfect matching of a small graph, by rustworkx; integer costs only."""

from collections.abc import Iterable

import rustworkx

from rules.swiss.field import Pair

Edge = tuple[int, int, int]
"""Two nodes and the cost of matching them, an integer of at most about 90 bits."""


def perfect_matching(nodes: int, edges: Iterable[Edge]) -> list[Pair] | None:
    """Return a minimum-cost perfect matching, None if there is none.

    Deterministic for the same edges in the same order; each pair has the smaller node first.
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
