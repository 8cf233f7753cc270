"""Standings counted once more, straight from the results."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from rules.results import Points, Result, Winner
from rules.standings import Standings
from tournaments.mapping import points_of
from tournaments.selectors.facts import EventFacts, StageFacts
from tournaments.verification.finding import Finding


def check_standings(facts: EventFacts) -> Iterator[Finding]:
    """Yield rows whose matches or points are not those of the results, or without a reason."""
    points = points_of(facts.event)
    for stage in [each for each in facts.stages if each.groups]:
        for group, standings in stage.outcome.standings.items():
            results = stage.state.results_of(group)
            yield from _rows(stage, standings, results, points)
            yield from _order(stage, group, standings)


def _rows(
    stage: StageFacts,
    standings: Standings,
    results: tuple[Result, ...],
    points: Points,
) -> Iterator[Finding]:
    for row in standings.rows:
        own = [r for r in results if row.player in (r.a, r.b) and r.counts]
        counted = (len(own), sum(_points(r, row.player, points) for r in own))
        shown = (row.played, row.values.get("points", counted[1]))
        if counted != shown:
            words = _("Stage %(stage)s, player %(player)s: shown %(shown)s, counted %(counted)s.")
            values = {
                "stage": stage.stage.number,
                "player": row.player,
                "shown": "/".join(map(str, shown)),
                "counted": "/".join(map(str, counted)),
            }
            yield Finding("standings", words % values)


def _points(result: Result, player: object, points: Points) -> int:
    if result.winner is Winner.DRAW:
        return points.draw
    own = Winner.A if result.a == player else Winner.B
    return points.win if result.winner is own else points.loss


def _order(stage: StageFacts, group: str, standings: Standings) -> Iterator[Finding]:
    """Yield a table whose ranks run back, or in which a step has no reason."""
    ranks = [row.rank for row in standings.rows]
    first = ranks[0] if ranks else 1
    reasons = all(row.proof is not None for row in standings.rows if row.rank != first)
    if ranks != sorted(ranks) or not reasons:
        words = _("Stage %(stage)s, group %(group)s: the order is not explained.")
        values = {"stage": stage.stage.number, "group": group}
        yield Finding("order", words % values)
