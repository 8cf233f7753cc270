"""Rounds of extra matches: what they are called, and whether they count."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from rules.extra_matches import ExtraSeries, series_of
from rules.outcome import StageOutcome
from rules.results import PlayerId
from rules.stages.base import ExtraRound
from rules.standings import Standings
from rules.ties import asked_last
from tournaments.models import Match, Report, Round
from tournaments.selectors.facts import StageFacts


def extra_state(stage: StageFacts, item: Round) -> ExtraRound:
    """Return an extra round as the rules see it."""
    known = zip(stage.extra_rounds, stage.state.extra, strict=True)
    return next(extra for other, extra in known if other.pk == item.pk)


def series_with(stage: StageFacts, extra: ExtraRound) -> ExtraSeries:
    """Return the series that a round belongs to."""
    found = series_of(stage.state.extra)
    return next(one for one in found if any(each is extra for each in one.rounds))


def extra_label(stage: StageFacts, item: Round) -> str:
    """Return what an extra round is called, by the places that it is about."""
    extra = extra_state(stage, item)
    series = series_with(stage, extra)
    number = next(i for i, each in enumerate(series.rounds, start=1) if each is extra)
    values = {"round": number, "total": series.total} | _where(stage.outcome, extra.level)
    if series.total == 1:
        if "rank" in values:
            return _("Extra match among those on rank %(rank)s") % values
        if "first" in values:
            return _("Extra match for place %(first)s") % values
        return _("Extra match")
    if "rank" in values:
        words = _("Extra matches among those on rank %(rank)s, round %(round)s of %(total)s")
    elif "first" in values:
        words = _("Extra matches for places %(first)s to %(last)s, round %(round)s of %(total)s")
    else:
        words = _("Extra matches, round %(round)s of %(total)s")
    return words % values


def extra_counts(outcome: StageOutcome, level: Iterable[PlayerId]) -> bool:
    """Say whether extra matches of these players have something to decide, as results stand."""
    tables = (*outcome.standings.values(), *outcome.compared.values())
    players = set(level)
    return any(players.issuperset(tied) for table in tables for tied in asked_last(table))


def idle_rounds(
    stage: StageFacts, before: StageOutcome, after: StageOutcome
) -> tuple[tuple[Round, ...], tuple[Round, ...]]:
    """Return the extra rounds that count and would no more: those without results, and the rest."""
    lost = [
        item
        for item in stage.extra_rounds
        if extra_counts(before, item.level) and not extra_counts(after, item.level)
    ]
    told = [item for item in lost if any(map(_told, stage.matches_of(item)))]
    return tuple(item for item in lost if item not in told), tuple(told)


def across_groups(stage: StageFacts, item: Round) -> bool:
    """Say whether players of different groups meet in an extra round."""
    level = set(item.level)
    return not any(level.issubset(seats) for seats in stage.state.seats.values())


def _told(match: Match) -> bool:
    if match.state != Match.State.FINAL:
        return match.state != Match.State.OPEN
    return match.decision is not None and match.decision.kind != Report.Kind.AUTOMATIC


def _where(outcome: StageOutcome, level: Sequence[PlayerId]) -> dict[str, int]:
    """Return the first and the last place of the players in their table, or the rank compared."""
    for table in outcome.standings.values():
        if span := _span(table, level):
            return {"first": span[0], "last": span[-1]}
    for rank, table in outcome.compared.items():
        if _span(table, level):
            return {"rank": rank}
    return {}


def _span(table: Standings, level: Sequence[PlayerId]) -> range | None:
    """Return the places of players who stand together in a table."""
    places = [at for at, row in enumerate(table.rows, start=1) if row.player in level]
    together = len(places) == len(level) and places[-1] - places[0] == len(level) - 1
    return range(places[0], places[-1] + 1) if together else None
