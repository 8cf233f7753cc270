"""Check of standings at tables, counted again from the results by independent code.

Source: tables, 3, 4, 6 and 11.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _

from rules.results import PlayerId, Result
from rules.standings.table import Standings
from rules.tables.results import TablePoints, as_table
from tournaments.core.event_state import StageFacts
from tournaments.core.mapping import table_points_of
from tournaments.verification.finding import Finding


class Counted(NamedTuple):
    """What a player made, counted by hand."""

    points: Fraction
    most: Fraction
    byes: int
    met: tuple[PlayerId, ...]
    played: int


def check_table_standings(
    stage: StageFacts, standings: Standings, results: Sequence[Result]
) -> Iterator[Finding]:
    """Yield rows of a stage of tables whose figures or order do not follow from its results."""
    points, usual = table_points_of(stage.event), stage.kind.sizes_of(stage.plan)[0]
    tables = [table for table in map(as_table, results) if table.counts]
    counted = {
        player: _counted(player, tables, points) for player in (r.player for r in standings.rows)
    }
    floor = Fraction(1, usual) if points.floor is None else points.floor
    shares = {player: _share(own, points, floor) for player, own in counted.items()}
    for row in standings.rows:
        own = counted[row.player]
        met = [shares[one] for one in own.met] + [floor] * (
            own.byes * (usual - 1) if points.bye_adds else 0
        )
        others = [counted[one].points for one in own.met]
        would = {
            "points": own.points,
            "own_share": shares[row.player],
            "opponents_share": sum(met, Fraction()) / len(met) if met else Fraction(),
            "opponents_average": sum(others, Fraction()) / len(others) if others else Fraction(),
        }
        shown = {key: row.values.get(key, number) for key, number in would.items()}
        if shown != would or row.played != own.played:
            words = _("Stage %(stage)s, player %(player)s: shown %(shown)s, counted %(counted)s.")
            values = {
                "stage": stage.stage.number,
                "player": row.player,
                "shown": "/".join(map(str, (*shown.values(), row.played))),
                "counted": "/".join(map(str, (*would.values(), own.played))),
            }
            yield Finding("standings", words % values)


def check_cut_order(stage: StageFacts, standings: Standings) -> Iterator[Finding]:
    """Yield a cut whose order is not that of its tables, from the final back."""
    order = [row.player for row in standings.rows]
    would = _cut_order(stage)
    if order != would:
        words = _("Stage %(stage)s, group %(group)s: the order is not explained.")
        yield Finding("order", words % {"stage": stage.stage.number, "group": order})


def _counted(player: PlayerId, tables: Sequence[Result], points: TablePoints) -> Counted:
    made, most, byes, met, played = Fraction(), Fraction(), 0, list[PlayerId](), 0
    for table in tables:
        if player not in table.seats:
            continue
        played += 1
        places = dict(zip(table.seats, table.places or (), strict=True))
        if len(table.seats) == 1:
            rested = places[player] == 1
            byes += rested
            made += points.bye if rested else 0
            most += 0 if rested else _alone_first(points)
            continue
        met += [other for other in table.seats if other != player]
        most += _alone_first(points)
        made += _worth(places[player], [place for place in places.values() if place], points)
    return Counted(made, most, byes, tuple(met), played)


def _alone_first(points: TablePoints) -> int:
    return points.by_place[0] if points.by_place else points.first


def _worth(place: int | None, present: Sequence[int], points: TablePoints) -> Fraction:
    if place is None:
        return Fraction()
    level = Counter(present)[place]
    if not points.by_place:
        alone = points.first if level == 1 else points.drawn
        return Fraction(alone if place == 1 else points.other)
    first = 1 if level == len(present) else place
    numbers = dict(enumerate(points.by_place, start=1))
    return Fraction(sum(numbers.get(at, 0) for at in range(first, first + level)), level)


def _share(own: Counted, points: TablePoints, floor: Fraction) -> Fraction:
    rested = own.byes * points.bye
    made = own.points if points.bye_counts else own.points - rested
    most = own.most + (rested if points.bye_counts else 0)
    return max(floor, made / most) if most else floor


def _cut_order(stage: StageFacts) -> list[PlayerId]:
    """Return the players of a cut, best first, from who is at each step."""
    (seats,) = stage.state.seats.values()
    seeds: dict[PlayerId, int] = {one: at for at, one in enumerate(seats) if one is not None}
    last: dict[PlayerId, int] = defaultdict(int)
    for number, played in enumerate(stage.state.rounds, start=1):
        for pairing, _result in played:
            for player in pairing.seats:
                last[player] = number
    rounds, over = len(stage.state.rounds), stage.state.is_played
    final = stage.state.rounds[-1] if rounds == stage.kind.total_rounds(stage.state) else ()
    held = {player: (at, 0) for player, at in seeds.items()}
    if over and final:
        ((_pairing, result),) = [one for one in final if len(one[0].seats) > 1] or [final[0]]
        told = dict(zip(result.seats, result.places or (2,) * len(result.seats), strict=True))
        first = min(told, key=lambda one: (told[one] or 9, seeds[one]))
        order = sorted(told, key=lambda one: (one != first, told[one] or 9, seeds[one]))
        held |= {player: (-1, at) for at, player in enumerate(order)}
    out_in = {player: last[player] for player in seeds}
    if over and not final and rounds:
        going = {p for pairings in stage.kind.next_round(stage.state) for p in pairings.seats}
        out_in |= dict.fromkeys(going, rounds + 1)
    elif not over:
        out_in |= {player: rounds for player, at in last.items() if at == rounds}
    return sorted(seeds, key=lambda one: (-out_in[one], held[one]))
