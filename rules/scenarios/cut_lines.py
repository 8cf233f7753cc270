"""Who would go on if a table ended as it stands, and who does for certain by points alone."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction

from rules.results import PlayerId
from rules.scenarios.advancing_places import AdvancingRanks
from rules.scenarios.verdicts import Verdict


class Zone(StrEnum):
    """A player's side of the cut line: MAYBE on a rank compared with that of other groups."""

    THROUGH = "through"
    MAYBE = "maybe"
    OUT = "out"


def zones(
    players: Sequence[PlayerId], group: str, leads: AdvancingRanks, withdrawn: Collection[PlayerId]
) -> dict[PlayerId, Zone]:
    """Return the zone of each player of a group, given best first; empty if nobody goes on.

    Players who have withdrawn keep their rank but hold no place: the next one takes it.
    """
    sure, compared = leads.sure[group], leads.ranks(group)
    if not sure and not compared:
        return {}
    found: dict[PlayerId, Zone] = {}
    place = 0
    for player in players:
        if player in withdrawn:
            found[player] = Zone.OUT
            continue
        place += 1
        if place in sure:
            found[player] = Zone.THROUGH
        else:
            found[player] = Zone.MAYBE if place in compared else Zone.OUT
    return found


def is_out_by_points(
    made: Mapping[PlayerId, int | Fraction], player: PlayerId, group: str, leads: AdvancingRanks
) -> bool:
    """Return whether a player to whom no match is left is certainly out, by points made so far.

    ``made`` are those of each player of the group who has not withdrawn; nobody loses points.
    """
    reach = {each: (points, points) for each, points in made.items()}
    return certain_by_points(reach, group, leads).get(player) is Verdict.OUT


def certain_by_points(
    reach: Mapping[PlayerId, tuple[int | Fraction, int | Fraction]],
    group: str,
    leads: AdvancingRanks,
) -> dict[PlayerId, Verdict]:
    """Return the players certainly through or out, where points are the first criterion.

    ``reach`` are the fewest and the most points at the end of each player who has not withdrawn.
    Others may be certain too: matches between players are not looked at.
    """
    sure = leads.sure[group]
    leading = sure | leads.ranks(group)
    if not leading:
        return {}
    last = max(leading)
    places = range(1, len(reach) + 1)
    safe = next((place - 1 for place in places if place not in sure), len(reach))
    least = sorted(low for low, _high in reach.values())
    most = sorted(high for _low, high in reach.values())
    found: dict[PlayerId, Verdict] = {}
    for player, (low, high) in reach.items():
        ahead = len(least) - bisect_right(least, high)
        level = len(most) - bisect_left(most, low) - 1
        if ahead >= last:
            found[player] = Verdict.OUT
        elif level < safe:
            found[player] = Verdict.THROUGH
    return found
