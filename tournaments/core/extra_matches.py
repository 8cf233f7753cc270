"""Labels of rounds of tiebreaker matches, and whether their results still count; no query."""

from collections.abc import Iterable, Sequence

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from rules.advancement.outcome import StageOutcome
from rules.results import PlayerId
from rules.stages.base import TiebreakerRound
from rules.standings.table import Standings
from rules.ties.decisions import TiebreakerSeries, group_rounds_into_series, sets_decided_by_draw
from tournaments.core.event_state import StageFacts
from tournaments.core.rows import AnyMatch, AnyRound, RoundRow
from tournaments.models import Match, Report

MOST_NAMED = 3  # tied sets named in one label


def tiebreaker_series(stage: StageFacts, extra: TiebreakerRound) -> TiebreakerSeries:
    """Return the series of tiebreaker rounds that contains ``extra``.

    All are between the same players.
    """
    found = group_rounds_into_series(stage.state.tiebreaker_rounds)
    return next(one for one in found if any(each is extra for each in one.rounds))


def tied_sets_in_round(stage: StageFacts, round_: AnyRound) -> tuple[TiebreakerRound, ...]:
    """Return the sets of tied players, with matches, of a tiebreaker round."""
    return tuple(extra for other, extra in stage.extra_sets if other.pk == round_.pk)


def tied_set_of_match(stage: StageFacts, round_: AnyRound, match: AnyMatch) -> TiebreakerRound:
    """Return the set of tied players to which a match of a tiebreaker round belongs."""
    found = tied_sets_in_round(stage, round_)
    of_match = (e for e in found if any(p.number == match.number for p, _result in e.played))
    return next(of_match, found[0])


def tiebreaker_round_label(stage: StageFacts, round_: AnyRound) -> str:
    """Return a tiebreaker round's label: "Tiebreaker matches: Group B, places 2–3".

    With more than three tied sets only their number follows.
    """
    found = tied_sets_in_round(stage, round_)
    if len(found) > MOST_NAMED:
        return ": ".join((_("Tiebreaker matches"), str(len(found))))
    words = "; ".join(_with_round(stage, extra) for extra in found)
    return ": ".join((_("Tiebreaker matches"), words))


def tied_set_label(stage: StageFacts, extra: TiebreakerRound) -> str:
    """Return the label of one tied set's tiebreaker matches, with the round's number."""
    return ": ".join((_("Tiebreaker matches"), _with_round(stage, extra)))


def tied_set_text(stage: StageFacts, level: Sequence[PlayerId]) -> str:
    """Return what tied players play for: "Group B, places 2–3".

    ``level``: numbers of these players. "Tied players" if they are not adjacent in the standings
    any more.
    """
    values = _place_values(stage, level)
    if "rank" in values:
        return _("Rank %(rank)s in different groups") % values
    group = _("Group %(name)s") % {"name": values["group"]} if "group" in values else ""
    places = _("places %(first)s–%(last)s") % values if "first" in values else ""
    return capfirst(", ".join(filter(None, (group, places)))) or _("Tied players")


def is_tie_relevant(outcome: StageOutcome, level: Iterable[PlayerId]) -> bool:
    """Return whether any of these players are still tied at places that matter.

    ``outcome``: the stage's, from present results. ``level``: numbers of the players.
    """
    tables = (*outcome.standings.values(), *outcome.compared.values())
    players = set(level)
    return any(players.issuperset(tied) for table in tables for tied in sets_decided_by_draw(table))


def needless_tiebreaker_rounds(
    stage: StageFacts, before: StageOutcome, after: StageOutcome
) -> tuple[tuple[RoundRow, ...], tuple[RoundRow, ...]]:
    """Return tiebreaker rounds that decide something ``before`` but not ``after``.

    As (rounds without reported results, rounds with some).
    """
    lost = [
        item
        for item in stage.extra_rounds
        if _any_counts(before, item) and not _any_counts(after, item)
    ]
    reported = [item for item in lost if any(map(_has_reported_result, stage.matches_of(item)))]
    return tuple(item for item in lost if item not in reported), tuple(reported)


def is_cross_group_match(stage: StageFacts, round_: AnyRound, match: AnyMatch) -> bool:
    """Return whether a tiebreaker match is between players of different groups.

    ``round_``: the tiebreaker round of the match.
    """
    return _common_group(stage, tied_set_of_match(stage, round_, match).level) is None


def _any_counts(outcome: StageOutcome, round_: AnyRound) -> bool:
    """Return whether any tied set of an extra round still has something to decide."""
    return any(is_tie_relevant(outcome, level) for level in round_.level_sets)


def _has_reported_result(match: AnyMatch) -> bool:
    if match.state != Match.State.FINAL:
        return match.state != Match.State.OPEN
    return match.decision is not None and match.decision.kind != Report.Kind.AUTOMATIC


def _with_round(stage: StageFacts, extra: TiebreakerRound) -> str:
    values, where = _round_of(stage, extra), tied_set_text(stage, extra.level)
    if values["all"] == 1:
        return where
    return " · ".join((where, _("round %(made)s of %(all)s") % values))


def _round_of(stage: StageFacts, extra: TiebreakerRound) -> dict[str, object]:
    series = tiebreaker_series(stage, extra)
    number = next(i for i, each in enumerate(series.rounds, start=1) if each is extra)
    return {"made": number, "all": series.total}


def _place_values(stage: StageFacts, level: Sequence[PlayerId]) -> dict[str, object]:
    """Return ``first`` and ``last`` place of the players and their ``group``, or ``rank`` compared.

    Without ``group`` where the stage has only one; without places if the players are no longer
    adjacent in the table.
    """
    for name, table in stage.outcome.standings.items():
        if span := _adjacent_places(table, level):
            places: dict[str, object] = {"first": span[0], "last": span[-1]}
            return places | _group_value(stage, name)
    for rank, table in stage.outcome.compared.items():
        if span := _adjacent_places(table, level):
            if len(stage.plan.groups) > 1:
                return {"rank": rank}
            # Ranks of a play-in's losers follow those of its qualifiers.
            return {"first": rank + span[0] - 1, "last": rank + span[-1] - 1}
    home = _common_group(stage, level)
    return _group_value(stage, home) if home else {}


def _group_value(stage: StageFacts, group: str) -> dict[str, object]:
    return {"group": group} if len(stage.plan.groups) > 1 else {}


def _common_group(stage: StageFacts, level: Iterable[PlayerId]) -> str | None:
    """Return the group that contains all of these players, None if there is none."""
    players = set(level)
    seats = stage.state.seats.items()
    return next((group for group, seated in seats if players.issubset(seated)), None)


def _adjacent_places(table: Standings, level: Sequence[PlayerId]) -> range | None:
    """Return the places of these players if they are adjacent in the table, else None."""
    places = [at for at, row in enumerate(table.rows, start=1) if row.player in level]
    together = len(places) == len(level) and places[-1] - places[0] == len(level) - 1
    return range(places[0], places[-1] + 1) if together else None
