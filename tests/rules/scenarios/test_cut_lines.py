"""Zones of a table, and what points alone make certain."""

from itertools import product

import pytest

from rules.scenarios.verdicts import (
    AdvancingRanks,
    Verdict,
    Zone,
    certain_by_points,
    is_out_by_points,
    zones,
)

THROUGH, MAYBE, OUT = Zone.THROUGH, Zone.MAYBE, Zone.OUT


def leads(sure: int, compared: int = 0) -> AdvancingRanks:
    ranks = {compared: (("A", "B"), 1)} if compared else {}
    return AdvancingRanks(
        sure={"A": frozenset(range(1, sure + 1))}, compared=ranks, uneven=frozenset()
    )


def test_a_zone_ends_with_the_ranks_that_go_on() -> None:
    assert zones([5, 6, 7, 8], "A", leads(2, 3), ()) == {5: THROUGH, 6: THROUGH, 7: MAYBE, 8: OUT}
    assert zones([5, 6], "A", leads(0), ()) == {}


def test_who_has_withdrawn_holds_no_place() -> None:
    found = zones([5, 6, 7, 8], "A", leads(2), {5})
    assert found == {5: OUT, 6: THROUGH, 7: THROUGH, 8: OUT}


@pytest.mark.parametrize("places", [1, 2, 3])
@pytest.mark.parametrize(
    "reach",
    [
        {1: (6, 9), 2: (3, 6), 3: (3, 6), 4: (0, 3)},
        {1: (6, 6), 2: (6, 6), 3: (3, 9), 4: (0, 3)},
        {1: (9, 9), 2: (4, 7), 3: (1, 4), 4: (0, 0)},
        {1: (0, 3), 2: (0, 3), 3: (0, 3)},
    ],
)
def test_certain_holds_in_every_end(reach: dict[int, tuple[int, int]], places: int) -> None:
    """Ties may go either way, so who shares the last place is certain of nothing."""
    found = certain_by_points(reach, "A", leads(places))
    ends = list(product(*(range(low, high + 1) for low, high in reach.values())))
    for player, verdict in found.items():
        for end in ends:
            points = dict(zip(reach, end, strict=True))
            ahead = sum(points[one] > points[player] for one in reach if one != player)
            level = sum(points[one] >= points[player] for one in reach if one != player)
            assert level < places if verdict is Verdict.THROUGH else ahead >= places
    for player in reach.keys() - found.keys():
        worst = max(
            sum(end[at] >= points for at, one in enumerate(reach) if one != player)
            for end in ends
            for points in [end[list(reach).index(player)]]
        )
        best = min(
            sum(end[at] > points for at, one in enumerate(reach) if one != player)
            for end in ends
            for points in [end[list(reach).index(player)]]
        )
        assert worst >= places > best


def test_a_compared_rank_keeps_a_player_in() -> None:
    reach = {1: (6, 6), 2: (3, 3), 3: (0, 0)}
    assert certain_by_points(reach, "A", leads(1, 2)) == {1: Verdict.THROUGH, 3: Verdict.OUT}
    assert certain_by_points(reach, "A", leads(0)) == {}


def test_with_fewer_left_than_places_everybody_is_through() -> None:
    reach = {2: (0, 9), 3: (0, 9), 4: (3, 9)}
    assert set(certain_by_points(reach, "A", leads(4)).values()) == {Verdict.THROUGH}


@pytest.mark.parametrize(("own", "out"), [(2, True), (3, False), (4, False)])
def test_who_has_played_all_is_out_once_enough_have_more_points(own, out):
    assert is_out_by_points({1: 6, 2: 3, 3: own, 4: 0}, 3, "A", leads(2)) is out


def test_nobody_is_out_where_nobody_goes_on():
    assert not is_out_by_points({1: 6, 2: 0}, 2, "A", leads(0))
