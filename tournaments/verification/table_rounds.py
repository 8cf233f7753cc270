"""Checks of rounds at tables: sizes, byes, cost and seats.

Source: tables, 11. The tables themselves are never compared, as a later search may find better
ones; what they cost is counted again by code of its own.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from math import lcm

from django.utils.translation import gettext as _

from rules.results import PlayerId
from rules.stages.base import StageState
from rules.stages.byes import awarded_byes
from rules.stages.kind import is_of_tables, kind_of
from rules.stages.stage_snapshot import before_round, is_by_hand, paired_matches
from rules.stages.tables import seed_of, small_of, table_entrants
from rules.tables.chance import lot_of
from rules.tables.exact import MOST
from rules.tables.field import Cost, Entrant, Small
from rules.tables.rounds import make_round
from rules.tables.seat_order import in_seats
from rules.tables.sizes import tables_of
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.rows import RoundRow
from tournaments.models import Round
from tournaments.verification.finding import Finding
from tournaments.verification.historical_results import HistoricalResults

Tables = tuple[tuple[PlayerId, ...], ...]


def makes_tables_by_points(stage: StageFacts) -> bool:
    """Return whether the rounds of a stage are of tables made by points."""
    return is_of_tables(stage.plan) and stage.kind.pairs_by_points


def check_table_rounds(facts: EventFacts) -> Iterator[Finding]:
    """Yield rounds of tables of wrong sizes, with wrong byes, another cost or worse seats.

    No query; two where a round does not follow from the present results.
    """
    for stage in facts.stages:
        if not makes_tables_by_points(stage):
            continue
        for index, item in enumerate(stage.regular_rounds):
            found = [*_wrong_in(stage, stage.state, index, item)]
            if found:
                past = HistoricalResults(facts)
                found = [*_wrong_in(stage, past.at_draft(stage, item.ordinal), index, item)]
            if found:  # others have seats since, but what the tables cost was counted at the draft
                found = [*_wrong_in(stage, past.when_drafted(stage, item.ordinal), index, item)]
            yield from found


def _wrong_in(
    stage: StageFacts, state: StageState, index: int, item: RoundRow
) -> Iterator[Finding]:
    before = before_round(state, index)
    seated = [
        seats for _group, _number, seats in sorted(paired_matches(state, index), key=lambda m: m[1])
    ]
    tables = tuple(seats for seats in seated if len(seats) > 1)
    resting = {seats[0] for seats in seated if len(seats) == 1}
    known = {one.player: one for one in table_entrants(before)}
    cost = _counted_cost(before, tables, known)
    told = item.cost or {}
    if any(told.get(key) != number for key, number in cost._asdict().items()):
        yield _finding(item, "table_cost", _shown(told), " ".join(map(str, cost)))
    if is_by_hand(state, index, draft=item.state == Round.State.DRAFT):
        return
    sizes = stage.kind.sizes_of(stage.plan)
    awarded = awarded_byes(before)
    known = {player: one for player, one in known.items() if player not in awarded}
    wanted = sorted(tables_of(len(known), sizes))
    if sorted(map(len, tables)) != wanted:
        yield _finding(item, "table_sizes", sorted(map(len, tables)), wanted)
        return
    resting -= set(awarded)
    order = sorted(known.values(), key=lambda one: (one.byes, one.points, _lot(before, one.player)))
    rest = {one.player for one in order[: len(known) - sum(wanted)]}
    if resting != rest:
        yield _finding(item, "table_byes", sorted(resting, key=str), sorted(rest, key=str))
    best = [tuple(p.player for p in in_seats(_of(known, t), seed_of(before))) for t in tables]
    if list(tables) != best:
        yield _finding(item, "table_seats", list(tables), best)
    if sum(wanted) <= MOST:
        playing = [one for player, one in known.items() if player not in resting]
        least = make_round(playing, sizes=sizes, small=small_of(stage.plan), seed="").cost
        if least < cost:
            yield _finding(item, "table_cost", " ".join(map(str, cost)), " ".join(map(str, least)))


def _lot(before: StageState, player: PlayerId) -> bytes:
    return lot_of(seed_of(before), player)


def _of(known: dict[PlayerId, Entrant], table: Iterable[PlayerId]) -> list[Entrant]:
    return [known[player] for player in table if player in known]


def _finding(item: RoundRow, check: str, found: object, would: object) -> Finding:
    words = {
        "table_cost": _("Round %(round)s: its tables cost %(found)s, counted %(would)s."),
        "table_sizes": _("Round %(round)s: tables of %(found)s players, expected %(would)s."),
        "table_byes": _("Round %(round)s: byes of %(found)s, expected %(would)s."),
        "table_seats": _("Round %(round)s: seats %(found)s, expected %(would)s."),
    }[check]
    return Finding(check, words % {"round": item.ordinal, "found": found, "would": would})


def _shown(cost: dict[str, object]) -> str:
    return " ".join(str(cost.get(key, "–")) for key in Cost._fields)


def _counted_cost(before: StageState, tables: Tables, known: dict[PlayerId, Entrant]) -> Cost:
    """Return the cost of tables, counted pair by pair."""
    playing = [known[player] for table in tables for player in table if player in known]
    usual, small = _usual(before), small_of(before.plan)
    unit = lcm(*(Fraction(one.points).denominator for one in playing))
    points = {one.player: int(one.points * unit) for one in playing}
    least, most = min(points.values(), default=0), max(points.values(), default=0)
    total = Cost(0, 0, 0, 0, 0)
    for table in tables:
        company = _of(known, table)
        few = company if len(table) < usual else []
        own = Cost(
            sum(one.met.get(other.player, 0) for one, other in combinations(company, 2)),
            sum(frozenset((a, b)) in before.apart for a, b in combinations(table, 2)),
            sum(one.small for one in few),
            sum(_distance(points[one.player], least, most, small) for one in few),
            sum(
                (points[one.player] - points[other.player]) ** 2
                for one, other in combinations(company, 2)
            ),
        )
        total = Cost._make(map(sum, zip(total, own, strict=True)))
    return total


def _distance(points: int, least: int, most: int, small: Small) -> int:
    return {Small.LOW: points - least, Small.HIGH: most - points, Small.ANY: 0}[small]


def _usual(before: StageState) -> int:
    return kind_of(before.plan).sizes_of(before.plan)[0]
