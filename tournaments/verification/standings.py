"""Check of standings, counted again from the results by independent code."""

from collections.abc import Iterator
from fractions import Fraction

from django.utils.translation import gettext as _

from rules.results import SEAT_WINNERS, PlayerId, Points, Result, Winner
from rules.stages.kind import is_of_tables
from rules.standings.table import Standings
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.mapping import points_of, result_of
from tournaments.verification.finding import Finding
from tournaments.verification.table_standings import check_cut_order, check_table_standings


def check_standings(facts: EventFacts) -> Iterator[Finding]:
    """Yield rows whose figures do not follow from the results, and ranks without a proof."""
    points = points_of(facts.event)
    for stage in [each for each in facts.stages if each.groups]:
        for group, standings in stage.outcome.standings.items():
            results = _results(facts, stage, group)
            if is_of_tables(stage.plan):
                yield from _at_tables(stage, group, standings, results)
                continue
            yield from _wrong_rows(stage, standings, results, points)
            yield from _wrong_opponents_points(stage, group, standings, results)
            yield from _wrong_order(stage, group, standings)


def _at_tables(
    stage: StageFacts, group: str, standings: Standings, results: tuple[Result, ...]
) -> Iterator[Finding]:
    yield from check_table_standings(stage, standings, results)
    if stage.kind.own_order(stage.state) is None:
        yield from _wrong_order(stage, group, standings)
    else:
        yield from check_cut_order(stage, standings)


def _results(facts: EventFacts, stage: StageFacts, group: str) -> tuple[Result, ...]:
    """Return the results of a group from its matches, without extra matches."""
    own = {each.pk for each in stage.groups if each.name == group}
    return tuple(
        result_of(match, item.number, facts.numbers)
        for item in stage.regular_rounds
        for match in stage.matches_of(item)
        if match.group_id in own
    )


def _wrong_rows(
    stage: StageFacts, standings: Standings, results: tuple[Result, ...], points: Points
) -> Iterator[Finding]:
    for row in standings.rows:
        own = [r for r in results if row.player in r.seats and r.counts]
        counted = _counted_figures(own, row.player, points)
        shown = {key: row.values.get(key, number) for key, number in counted.items()}
        shown["played"] = Fraction(row.played)
        if counted != shown:
            words = _("Stage %(stage)s, player %(player)s: shown %(shown)s, counted %(counted)s.")
            values = {
                "stage": stage.stage.number,
                "player": row.player,
                "shown": "/".join(map(str, shown.values())),
                "counted": "/".join(map(str, counted.values())),
            }
            yield Finding("standings", words % values)


def _counted_figures(own: list[Result], player: PlayerId, points: Points) -> dict[str, Fraction]:
    """Return matches played, points, score and score difference of a player."""
    pairs = [r for r in own if len(r.seats) == 2]
    made = sum(r.score_of(player) or 0 for r in pairs)
    conceded = sum(r.score_of(one) or 0 for r in pairs for one in r.seats if one != player)
    return {
        "played": Fraction(len(own)),
        "points": Fraction(sum(_points(r, player, points) for r in own), points.parts),
        "score_for": Fraction(made),
        "score_difference": Fraction(made - conceded),
    }


def _points(result: Result, player: PlayerId, points: Points) -> int:
    if result.winner is Winner.DRAW:
        return points.draw
    own = SEAT_WINNERS[result.seats.index(player)]
    return points.win if result.winner is own else points.loss


def _wrong_opponents_points(
    stage: StageFacts, group: str, standings: Standings, results: tuple[Result, ...]
) -> Iterator[Finding]:
    """Yield rows of a finished round robin with wrong opponents' points.

    As everybody met everybody once a leg, they are legs × (all points - own points).
    """
    whole = stage.kind.all_meet and stage.rounds_done and all(r.counts for r in results)
    total = sum(row.values.get("points", Fraction(0)) for row in standings.rows)
    for row in standings.rows if whole else ():
        would = stage.stage.legs * (total - row.values.get("points", Fraction(0)))
        found = row.values.get("opponents_points", would)
        if "points" in row.values and found != would:
            words = _("Stage %(stage)s, player %(player)s: shown %(shown)s, counted %(counted)s.")
            values = {
                "stage": stage.stage.number,
                "player": row.player,
                "shown": found,
                "counted": would,
            }
            yield Finding("opponents", words % values)


def _wrong_order(stage: StageFacts, group: str, standings: Standings) -> Iterator[Finding]:
    """Yield a table with decreasing ranks, or with a rank after the first without a proof."""
    ranks = [row.rank for row in standings.rows]
    first = ranks[0] if ranks else 1
    reasons = all(row.proof is not None for row in standings.rows if row.rank != first)
    if ranks != sorted(ranks) or not reasons:
        words = _("Stage %(stage)s, group %(group)s: the order is not explained.")
        values = {"stage": stage.stage.number, "group": group}
        yield Finding("order", words % values)
