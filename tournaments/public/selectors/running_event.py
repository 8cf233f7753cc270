"""The page of a running event: round, tables, groups, latest results."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.wording import translate
from rules.brackets import Part
from rules.criteria.of_tables import criterion_of
from rules.plans import NthAmong
from rules.results import PlayerId
from rules.scenarios.verdicts import Zone, zones
from rules.stages.kind import shape_of
from rules.stages.knockout import progress_of
from rules.standings.table import Marks, Standing, Standings, all_marks
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.kept_places import compared_in
from tournaments.core.labels import best_placed, group_label, round_label, stage_and_round
from tournaments.core.replays import at_tables
from tournaments.core.rows import EntryRow
from tournaments.core.values_cache import cached
from tournaments.diagrams.selectors.drawn_brackets import rest_of
from tournaments.public.selectors.tiles import latest_results, tiles_of
from tournaments.standings.selectors.proofs import number
from tournaments.standings.selectors.rank_details import (
    best_words,
    first_words,
    leads_in,
    rounds_with_results,
    whole_rounds,
)

MOST_GROUPS = 8
SHORT = 10
"""Rows of a table that is shown whole; of a longer one the best ``TOP``."""
TOP = 8
MOST_MARKS = 5
SECOND = frozenset({"score_difference", "game_win", "opponents_match_win", "opponents_points"})
"""Criteria that a small table shows beside points: the one that the event asks first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallRow:
    """A player: ``zone`` is through, maybe, out or "" where nobody advances; ``marks`` of results.

    ``cut`` are the words of the line below the row, empty for most: below those who go through and
    below a rank compared with that of other groups; ``level``: the two beside the line share a
    rank. Before the first result there is neither zone nor line.
    """

    rank: int
    shared: bool
    entry: EntryRow
    marks: Marks
    to_play: int
    values: tuple[str, ...]
    zone: str
    cut: str
    level: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOfRank:
    """Players on one rank of several groups, compared; the first ``places`` advance."""

    caption: str
    words: str
    rows: tuple[SmallRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTables:
    """The tables, the comparisons across groups, and links to groups that are not drawn.

    ``held``: the standings are held back, so later results don't count; ``open``: those of a round
    that is still played count already.
    """

    tables: tuple[dict[str, Any], ...]
    compared: tuple[BestOfRank, ...]
    links: tuple[tuple[str, str], ...] = ()
    held: bool = False
    open: bool = False


def small_tables(facts: EventFacts, stage: StageFacts) -> SmallTables:
    """Return the tables of a stage; none for a bracket. No query."""
    if not stage.kind.has_table:
        return SmallTables(tables=(), compared=())
    groups = stage.outcome.standings
    if len(groups) > MOST_GROUPS:
        links = tuple(
            (group_label(stage.plan, name), _anchor(stage, index))
            for index, name in enumerate(groups, start=1)
        )
        return SmallTables(tables=(), compared=(), links=links)
    marks = marks_of(stage)
    keys = _numeric_columns(facts)
    tables = tuple(
        _table(facts, stage, index, name, standings, marks, keys)
        for index, (name, standings) in enumerate(groups.items(), start=1)
    )
    compared = tuple(_rank_comparisons(facts, stage, marks, keys))
    held = bool(stage.held)
    open_ = not held and whole_rounds(stage) < len(stage.regular_rounds)
    return SmallTables(tables=tables, compared=compared, held=held, open=open_)


def marks_of(stage: StageFacts) -> Mapping[PlayerId, Marks]:
    """Return each player's results in a stage, the oldest first."""
    return all_marks(result for played in stage.state.rounds for _pairing, result in played)


def _numeric_columns(facts: EventFacts) -> tuple[str, ...]:
    numeric = [key for key in facts.event.criteria if criterion_of(key).value is not None]
    second = next((key for key in numeric if key in SECOND), None)
    first = numeric[:1]
    return (*first, *((second,) if second and second not in first else numeric[1:2]))


def _anchor(stage: StageFacts, index: int) -> str:
    return f"s{stage.stage.number}-g{index}"


def _table(
    facts: EventFacts,
    stage: StageFacts,
    index: int,
    name: str,
    standings: Standings,
    marks: Mapping[PlayerId, Marks],
    keys: Sequence[str],
) -> dict[str, Any]:
    """A group; ``anchor`` is that of its table in the standings, ``more`` the rows left out."""
    leads, every = leads_in(stage), standings.rows
    words = {rank: best_words(stage, rank) for rank in leads.ranks(name)}
    last = len(leads.sure[name])
    if last:
        words[last] = first_words(last)
    order = [row.player for row in every]
    place = _places(order, stage.state.withdrawn)
    zone_of = zones(order, name, leads, stage.state.withdrawn)
    through = [at for at, player in enumerate(order) if zone_of.get(player) is Zone.THROUGH]
    top = through[-1] + 1 if through else 0
    shown = every if len(every) <= SHORT else every[: max(TOP, min(top + 1, SHORT))]
    begun = rounds_with_results(stage) > 0
    labels = [criterion_of(key) for key in keys]
    return {
        "anchor": _anchor(stage, index),
        "caption": group_label(stage.plan, name),
        "columns": tuple((translate(each.short), translate(each.label)) for each in labels),
        "rows": tuple(
            _row(
                facts,
                stage,
                every,
                at,
                marks,
                keys,
                zone=zone_of.get(row.player) if begun else None,
                cut=words.get(place.get(row.player, 0), "")
                if begun and at + 1 < len(every)
                else "",
                level=begun and at + 1 == top,
            )
            for at, row in enumerate(shown)
        ),
        "more": len(every) - len(shown),
    }


def _places(order: Sequence[PlayerId], withdrawn: Collection[PlayerId]) -> dict[PlayerId, int]:
    """Return the places of the players who have not left, given best first."""
    staying = [player for player in order if player not in withdrawn]
    return {player: place for place, player in enumerate(staying, start=1)}


def _row(
    facts: EventFacts,
    stage: StageFacts,
    every: Sequence[Standing],
    at: int,
    marks: Mapping[PlayerId, Marks],
    keys: Sequence[str],
    *,
    zone: Zone | None,
    cut: str = "",
    level: bool = False,
) -> SmallRow:
    """Return a row; ``level`` says whether it is the last that goes on, of results so far."""
    row = every[at]
    beside = [other.rank for other in (*every[max(0, at - 1) : at], *every[at + 1 : at + 2])]
    return SmallRow(
        rank=row.rank,
        shared=row.rank in beside,
        entry=facts.entries[row.player],
        marks=marks.get(row.player, ())[-MOST_MARKS:],
        to_play=_to_play(stage, len(marks.get(row.player, ()))),
        values=tuple(number(row.values[key], key) for key in keys),
        zone=str(zone or ""),
        cut=cut,
        level=level and at + 1 < len(every) and every[at + 1].rank == row.rank,
    )


def _to_play(stage: StageFacts, played: int) -> int:
    total = min(stage.total_rounds, MOST_MARKS)
    return max(0, total - min(played, MOST_MARKS))


def _zone(at: int, count: int, begun: bool) -> Zone | None:
    """Return the side of the line of a row, of which the first ``count`` advance."""
    if not begun:
        return None
    return Zone.THROUGH if at < count else Zone.OUT


def _rank_comparisons(
    facts: EventFacts,
    stage: StageFacts,
    marks: Mapping[PlayerId, Marks],
    keys: Sequence[str],
) -> list[BestOfRank]:
    """Return the comparisons of ranks across groups from which some players advance."""
    found, begun = [], rounds_with_results(stage) > 0
    for rank, standings in sorted(compared_in(stage).items()):
        places = [
            place
            for place in stage.plan.places
            if isinstance(place, NthAmong) and place.rank == rank and place.name in stage.used
        ]
        if not places or len(places[0].groups) < 2:
            continue
        count, every = len(places), standings.rows
        known = [key for key in keys if criterion_of(key).across]
        words = _("%(count)s of %(all)s go through") % {"count": count, "all": len(every)}
        rows = tuple(
            _row(facts, stage, every, at, marks, known, zone=_zone(at, count, begun))
            for at in range(len(every))
        )
        found.append(BestOfRank(caption=best_placed(1, rank), words=words, rows=rows))
    return found


def running_event(facts: EventFacts) -> dict[str, Any] | None:
    """Return the state of play, None between the last stage and the end.

    At most one query beyond ``facts``, which must be loaded without drafts.
    """
    return cached(facts, ("now", get_language()), lambda: _running_event(facts))


def _running_event(facts: EventFacts) -> dict[str, Any] | None:
    """The stage being played and its latest round; ``where`` names both.

    ``left`` are rounds of it that are still to be made for sure, ``rest`` is what is left of its
    bracket, if it has one.
    """
    stage = facts.open_stage
    if stage is None:
        return None
    last = stage.last_round
    return {
        "where": stage_and_round(
            translate(stage.plan.label), round_label(stage, last) if last else ""
        ),
        "round": last,
        "tiles": tiles_of(facts, stage, at_tables(stage)) if last else None,
        "small": small_tables(facts, stage),
        "latest": latest_results(facts),
        "left": _rounds_left(stage),
        "rest": rest_of(facts, stage),
    }


def _rounds_left(stage: StageFacts) -> int:
    """Return how many rounds are to come: a second final only once the first has asked for it."""
    left = max(0, stage.total_rounds - len(stage.regular_rounds))
    if not left or not stage.kind.two_brackets or not stage.plan.second_final:
        return left
    final = next(match for match in shape_of(stage.plan) if match.part is Part.FINAL)
    return left if progress_of(stage.state)[final.number].decided else left - 1
