"""The order of the features in ``docs/where.md`` is that of their imports."""

import re
from collections.abc import Iterator
from copy import deepcopy
from graphlib import CycleError, TopologicalSorter

import grimp
import pytest

from tests.architecture.test_boundaries import ROOT, import_graph

PAGE = ROOT / "docs" / "where.md"
LEFT_OUT = {"tournaments.apps", "tournaments.urls", "tournaments.migrations"}
"""The first two load all others by their names, so that they seem to import none."""


def levels(whole: grimp.ImportGraph) -> Iterator[str]:
    """Yield the children of ``tournaments`` by level, from bottom to top.

    Each imports one of the line before, and only from the lines before.
    """
    graph = deepcopy(whole)
    children = graph.find_children("tournaments") - LEFT_OUT
    for each in children:
        graph.squash_module(each)
    sorter = TopologicalSorter(
        {
            each: graph.find_modules_directly_imported_by(each) & (children - {each})
            for each in children
        }
    )
    sorter.prepare()
    while sorter.is_active():
        level = sorter.get_ready()
        yield ", ".join(sorted(each.removeprefix("tournaments.") for each in level))
        sorter.done(*level)


def test_the_page_lists_the_features_in_the_order_of_their_imports() -> None:
    text = PAGE.read_text(encoding="utf-8")
    (listed,) = re.findall(r"^## The order of features$.*?^```\n(.*?)^```$", text, re.M | re.S)
    assert listed.splitlines() == list(levels(import_graph()))


def test_a_further_import_moves_a_feature_up() -> None:
    graph = grimp.ImportGraph()
    for feature in ("", ".core", ".rounds", ".clock", ".desk", ".urls"):
        graph.add_module(f"tournaments{feature}")

    def add(importer: str, imported: str) -> list[str]:
        graph.add_import(importer=f"tournaments.{importer}", imported=f"tournaments.{imported}")
        return list(levels(graph))

    add("rounds.views", "core.labels")
    add("desk.views", "rounds.views")
    assert add("clock.views", "core.labels") == ["core", "clock, rounds", "desk"]
    assert add("clock.views", "rounds.views") == ["core", "rounds", "clock, desk"]
    with pytest.raises(CycleError):
        add("core.labels", "desk.selectors")
