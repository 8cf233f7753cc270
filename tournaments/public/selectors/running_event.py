"""The page of a running event: round, tables, groups, latest results."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.wording import translate
from rules.brackets import BracketPart
from rules.criteria.of_tables import find_criterion
from rules.plans import ComparedRankPlace
from rules.results import MatchEnding, PlayerId, Winner
from rules.scenarios.verdicts import CutSide, cut_sides
from rules.stages.base import bracket_matches
from rules.stages.knockout import bracket_progress
from rules.standings.table import Marks, Standing, Standings, marks_by_player
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.kept_places import standings_across_groups
from tournaments.core.labels import (
    best_placed_label,
    ending_text,
    group_label,
    ordinal,
    round_label,
    stage_and_round_label,
)
from tournaments.core.replays import matches_at_current_tables
from tournaments.core.rows import AnyReport, EntryRow, MatchAddress, MatchRow
from tournaments.diagrams.selectors.drawn_brackets import remaining_bracket
from tournaments.matches.words import result_with_ending, score_texts, seats_won
from tournaments.models import Match, Report
from tournaments.standings.selectors.proofs import format_value
from tournaments.standings.selectors.rank_details import (
    compared_rank_text,
    count_complete_rounds,
    first_advance_text,
    last_round_with_result,
    stage_advancing_ranks,
)

MOST_GROUPS = 8
SHORT = 10
"""Rows of a table that is shown whole; of a longer one the best ``TOP``."""
TOP = 8
MOST_MARKS = 5
SECOND = frozenset({"score_difference", "game_win", "opponents_match_win", "opponents_points"})
"""Criteria that a small table shows beside points: the one that the event asks first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortStandingsRow:
    """A player's row in the short standings of an event's page.

    ``marks`` are the latest results, ``to_play`` the number of empty marks after them. ``zone`` is
    "through", "maybe", "out", or "". ``cut`` labels the line below the row, "" for none; ``level``:
    the players on both sides of it are tied.
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
class ComparedRankTable:
    """Players with the same rank in different groups; ``words`` say how many advance."""

    caption: str
    words: str
    rows: tuple[ShortStandingsRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortStandings:
    """The short standings of a stage.

    ``compared``: ranks compared across groups; ``links``: (label, anchor) instead of tables if
    there are many groups. ``held``: later results are hidden; ``open``: results of an unfinished
    round count.
    """

    tables: tuple[dict[str, Any], ...]
    compared: tuple[ComparedRankTable, ...]
    links: tuple[tuple[str, str], ...] = ()
    held: bool = False
    open: bool = False


def short_standings(facts: EventFacts, stage: StageFacts) -> ShortStandings:
    """Return the short standings of a stage, empty for a bracket; no query."""
    if not stage.kind.has_table:
        return ShortStandings(tables=(), compared=())
    groups = stage.outcome.standings
    if len(groups) > MOST_GROUPS:
        links = tuple(
            (group_label(stage.plan, name), _anchor(stage, index))
            for index, name in enumerate(groups, start=1)
        )
        return ShortStandings(tables=(), compared=(), links=links)
    marks = stage_result_marks(stage)
    keys = _numeric_columns(facts)
    tables = tuple(
        _table(facts, stage, index, name, standings, marks, keys)
        for index, (name, standings) in enumerate(groups.items(), start=1)
    )
    compared = tuple(_rank_comparisons(facts, stage, marks, keys))
    held = bool(stage.held)
    open_ = not held and count_complete_rounds(stage) < len(stage.regular_rounds)
    return ShortStandings(tables=tables, compared=compared, held=held, open=open_)


def stage_result_marks(stage: StageFacts) -> Mapping[PlayerId, Marks]:
    """Return {player: results in a stage, oldest first}."""
    return marks_by_player(result for played in stage.state.rounds for _pairing, result in played)


def _numeric_columns(facts: EventFacts) -> tuple[str, ...]:
    numeric = [key for key in facts.event.criteria if find_criterion(key).value is not None]
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
    leads, every = stage_advancing_ranks(stage), standings.rows
    words = {rank: compared_rank_text(stage, rank) for rank in leads.ranks(name)}
    last = len(leads.sure[name])
    if last:
        words[last] = first_advance_text(last)
    order = [row.player for row in every]
    place = _places(order, stage.state.withdrawn)
    zone_of = cut_sides(order, name, leads, stage.state.withdrawn)
    through = [at for at, player in enumerate(order) if zone_of.get(player) is CutSide.THROUGH]
    top = through[-1] + 1 if through else 0
    shown = every if len(every) <= SHORT else every[: max(TOP, min(top + 1, SHORT))]
    begun = last_round_with_result(stage) > 0
    labels = [find_criterion(key) for key in keys]
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
    zone: CutSide | None,
    cut: str = "",
    level: bool = False,
) -> ShortStandingsRow:
    """Return a row; ``level`` says whether it is the last that goes on, of results so far."""
    row = every[at]
    beside = [other.rank for other in (*every[max(0, at - 1) : at], *every[at + 1 : at + 2])]
    return ShortStandingsRow(
        rank=row.rank,
        shared=row.rank in beside,
        entry=facts.entries[row.player],
        marks=marks.get(row.player, ())[-MOST_MARKS:],
        to_play=_to_play(stage, len(marks.get(row.player, ()))),
        values=tuple(format_value(row.values[key], key) for key in keys),
        zone=str(zone or ""),
        cut=cut,
        level=level and at + 1 < len(every) and every[at + 1].rank == row.rank,
    )


def _to_play(stage: StageFacts, played: int) -> int:
    total = min(stage.total_rounds, MOST_MARKS)
    return max(0, total - min(played, MOST_MARKS))


def _zone(at: int, count: int, begun: bool) -> CutSide | None:
    """Return the side of the line of a row, of which the first ``count`` advance."""
    if not begun:
        return None
    return CutSide.THROUGH if at < count else CutSide.OUT


def _rank_comparisons(
    facts: EventFacts,
    stage: StageFacts,
    marks: Mapping[PlayerId, Marks],
    keys: Sequence[str],
) -> list[ComparedRankTable]:
    """Return the comparisons of ranks across groups from which some players advance."""
    found, begun = [], last_round_with_result(stage) > 0
    for rank, standings in sorted(standings_across_groups(stage).items()):
        places = [
            place
            for place in stage.plan.places
            if isinstance(place, ComparedRankPlace)
            and place.rank == rank
            and place.name in stage.used
        ]
        if not places or len(places[0].groups) < 2:
            continue
        count, every = len(places), standings.rows
        known = [key for key in keys if find_criterion(key).across]
        label = _("Who advances")
        words = f"{label}: {count} / {len(every)}"
        rows = tuple(
            _row(facts, stage, every, at, marks, known, zone=_zone(at, count, begun))
            for at in range(len(every))
        )
        found.append(ComparedRankTable(caption=best_placed_label(1, rank), words=words, rows=rows))
    return found


def running_event(facts: EventFacts) -> dict[str, Any] | None:
    """Return the template context of a running event's present stage and round.

    None if no stage is open. ``facts`` must be loaded without drafts; at most one query beyond
    them.
    """
    return cached_value(facts, ("now", get_language()), lambda: _running_event(facts))


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
        "where": stage_and_round_label(
            translate(stage.plan.label), round_label(stage, last) if last else ""
        ),
        "round": last,
        "tiles": match_tiles(facts, stage, matches_at_current_tables(stage)) if last else None,
        "small": short_standings(facts, stage),
        "latest": cached_value(facts, "latest", lambda: tuple(_latest_results(facts))),
        "left": _rounds_left(stage),
        "rest": remaining_bracket(facts, stage),
    }


def _rounds_left(stage: StageFacts) -> int:
    """Return how many rounds are to come: a second final only once the first has asked for it."""
    left = max(0, stage.total_rounds - len(stage.regular_rounds))
    if not left or not stage.kind.two_brackets or not stage.plan.second_final:
        return left
    final = next(match for match in bracket_matches(stage.plan) if match.part is BracketPart.FINAL)
    return left if bracket_progress(stage.state)[final.number].decided else left - 1


ALL_SHOWN, MOST = 16, 64
"""Most tables of which all are drawn, and most of which all unfinished ones are;
of more tables only those that need a confirmation or a decision are drawn."""
LATEST = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class TileSide:
    """A player in a match tile; ``score`` is "" or a dash until there is one."""

    entry: EntryRow
    score: str
    won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTile:
    """A match as a tile; ``words`` are its state, ``at`` addresses the match's page.

    ``look`` is "over", "waits" (for a confirmation or a judge) or "on".
    """

    table: int
    look: str
    words: str
    sides: tuple[TileSide, ...]
    at: MatchAddress


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTiles:
    """The matches of a round as tiles, and the number of tables in each state.

    ``drawn`` may leave out tables; ``all`` counts them all.
    """

    drawn: tuple[MatchTile, ...]
    all: int
    over: int
    reported: int
    disputed: int

    @property
    def playing(self) -> int:
        """Return the number of tables without any report."""
        return self.all - self.over - self.reported - self.disputed

    @property
    def missing(self) -> int:
        """Return the number of tables without a final result."""
        return self.all - self.over

    @property
    def counts(self) -> tuple[str, ...]:
        """Return the number of tables in each state, in words, without states that have none."""
        words = (
            (self.over, _("Finished")),
            (self.reported, _("Reported")),
            (self.disputed, _("Disputed")),
            (self.playing, _("Playing")),
        )
        return tuple(f"{label}: {count}" for count, label in words if count)

    @property
    def parts(self) -> tuple[str, ...]:
        """Return for each table whether it is finished, waits or is missing; empty for many."""
        if self.all > ALL_SHOWN:
            return ()
        waiting = self.reported + self.disputed
        return (*["full"] * self.over, *["half"] * waiting, *[""] * self.playing)

    @property
    def percent(self) -> int:
        """Return the share of finished tables."""
        return round(100 * self.over / self.all) if self.all else 0


def match_tiles(facts: EventFacts, stage: StageFacts, matches: Sequence[MatchRow]) -> MatchTiles:
    """Return the matches of a round as tiles, by table; no query.

    Beyond ``ALL_SHOWN`` tables only undecided matches have a tile, beyond ``MOST`` only reported
    and disputed ones.
    """
    at_tables = sorted((m for m in matches if m.table is not None), key=lambda m: m.table or 0)
    entries = facts.entries_by_pk
    ordinals = {item.pk: item.ordinal for item in stage.rounds}
    count = len(at_tables)
    waits = (Match.State.REPORTED, Match.State.DISPUTED)
    drawn = [
        match
        for match in at_tables
        if count <= ALL_SHOWN
        or match.state in waits
        or (count <= MOST and match.state != Match.State.FINAL)
    ]
    states = [match.state for match in at_tables]
    return MatchTiles(
        drawn=tuple(_tile(match, entries, ordinals) for match in drawn),
        all=count,
        over=states.count(Match.State.FINAL),
        reported=states.count(Match.State.REPORTED),
        disputed=states.count(Match.State.DISPUTED),
    )


def _tile(match: MatchRow, entries: dict[int, EntryRow], ordinals: dict[int, int]) -> MatchTile:
    decision = match.decision if match.state == Match.State.FINAL else None
    pair = [entries[key] for key in match.seats]
    scores = _marks(match, decision) or ("",) * len(pair) if decision else ("–",) * len(pair)
    won = seats_won(decision, len(pair))
    looks = {Match.State.FINAL: "over", Match.State.OPEN: "on"}
    return MatchTile(
        table=match.table or 0,
        look=looks.get(Match.State(match.state), "waits"),
        words=_result_in_words(match, [str(entry) for entry in pair]),
        sides=tuple(
            TileSide(entry=entry, score=score, won=first)
            for entry, score, first in zip(pair, scores, won, strict=False)
        ),
        at=(ordinals[match.round_id], match.number),
    )


def _marks(match: MatchRow, decision: AnyReport) -> tuple[str, ...]:
    """Return the score of both players; at a multiplayer table the places, as ordinals."""
    scores = score_texts(decision)
    if match.size < 3:
        return scores
    return tuple(ordinal(int(place)) if place.isdigit() else place for place in scores)


def _result_in_words(match: MatchRow, names: Sequence[str]) -> str:
    if match.state == Match.State.REPORTED:
        return _("Reported")
    if match.state == Match.State.DISPUTED:
        return _("Disputed")
    if match.state != Match.State.FINAL:
        more = match.extra_minutes
        return _("+%(minutes)s min") % {"minutes": more} if more else _("Playing")
    decision = match.decision
    if (
        decision is None
        or decision.ended_by in (MatchEnding.PLAYED, MatchEnding.TIME)
        or len(names) < 2
    ):
        return _("Finished")
    return (
        result_with_ending(decision, *names) if decision.winner != Winner.NONE else _("Both lose")
    )


def _latest_results(facts: EventFacts) -> Iterable[dict[str, Any]]:
    """``score`` is how the match ended where it has no score."""
    entries = facts.entries_by_pk
    played = {
        match.decision.pk: match
        for stage in facts.stages
        for match in stage.matches
        if match.state == Match.State.FINAL and match.decision and match.size > 1
    }
    ordinals = {item.pk: item.ordinal for item in facts.rounds}
    newest = sorted(played, reverse=True)[:LATEST]
    moments = dict(Report.objects.filter(pk__in=newest).order_by().values_list("pk", "at"))
    for key in newest:
        match = played[key]
        tile = _tile(match, entries, ordinals)
        if key in moments and len(tile.sides) > 1:
            score = "–".join(filter(None, (side.score for side in tile.sides)))
            if not score and match.decision is not None:
                lost = [str(side.entry) for side in tile.sides if not side.won]
                score = ending_text(match.decision.ended_by, lost[0] if len(lost) == 1 else "")
            yield {"at": moments[key], "sides": tile.sides, "score": score, "match": tile.at}
