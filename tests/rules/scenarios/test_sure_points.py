"""With how many points one advances for certain, against the ends that are possible."""

from itertools import product

import pytest

from rules.scenarios.verdicts import points_to_advance

THREE = (3, 1, 0)


@pytest.mark.parametrize(
    ("made", "left", "number", "needed"),
    [
        ((9, 9, 6, 6), 1, 2, 10),
        ((12, 12, 3, 3), 1, 2, None),  # both are there
        ((6, 6, 6, 6), 2, 2, None),  # the third may make as many as anybody
        ((9, 6, 6, 6), 2, 1, 13),
        ((9, 9), 1, 2, None),  # all advance
        ((9, 9, 6, 6), 1, 0, None),
    ],
)
def test_the_points_that_are_enough(made, left, number, needed) -> None:
    reach = {player: (points, points + 3 * left) for player, points in enumerate(made)}
    assert points_to_advance(reach, range(1, number + 1), THREE) == needed


def test_whoever_has_them_is_through_in_every_end_and_fewer_are_not_enough() -> None:
    made, number = (7, 6, 4, 4, 3), 2
    reach = {player: (points, points + 3) for player, points in enumerate(made)}
    needed = points_to_advance(reach, (1, 2), THREE)
    assert needed is not None
    missed = set()
    for won in product(THREE, repeat=len(made)):
        ends = [points + more for points, more in zip(made, won, strict=True)]
        for points in ends:
            if sum(other >= points for other in ends) > number:
                missed.add(points)
    assert max(missed) < needed
    ends = {points + more for points in made for more in THREE}
    assert not any(max(missed) < points < needed for points in ends)


def test_ranks_that_do_not_begin_at_the_first_say_nothing() -> None:
    assert points_to_advance({1: (0, 9), 2: (0, 6), 3: (0, 3)}, (2,), THREE) is None
