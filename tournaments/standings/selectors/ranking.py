"""The final ranking, as far as it is known while the event runs, the records of players, each
player's figures over the tables of an event, and the page of the standings.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.wording import translate
from rules.criteria.base import Criterion
from rules.criteria.of_tables import find_criterion
from rules.results import MatchEnding, PlayerId, Result, Winner
from rules.scenarios import Prospect, Verdict
from rules.scenarios.final_places import (
    FinalPlaces,
    places_below_cut,
    places_in_bracket,
    places_in_standings,
)
from rules.stages.base import is_complete
from rules.standings.table import Marks, Record, Standing, marks_by_player, record_from_marks
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.kept_places import reassignment_texts
from tournaments.core.labels import format_record, match_round_label, rank_ordinal, shared_ranks
from tournaments.core.mapping import match_defaults, match_result, report_score
from tournaments.core.rows import AnyEntry, EntryRow, MatchRow, RoundRow
from tournaments.core.visibility import event_restoration, restoration_notice
from tournaments.matches.words import score_texts
from tournaments.models import Event, Match, Stage
from tournaments.players.selectors.returns import players_with_rounds_left
from tournaments.prospects.selectors import public_prospects
from tournaments.standings.selectors.rows import (
    OnePlayerRow,
    latest_standing,
    latest_standing_as_of_text,
    uncounted_rounds,
)
from tournaments.standings.selectors.standings import (
    earlier_standings,
    stage_standings,
    standings_sidebar,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRow(OnePlayerRow):
    """A row of the final standings; ``shared``: others have, or will have, the rank.

    In a running play-in, ``rank`` is an eliminated player's best possible rank, ``last`` the worst.
    ``cells`` are (result, CSS class) of each closed stage.
    """

    rank: int
    last: int
    shared: bool
    entry: AnyEntry
    cells: tuple[tuple[str, str], ...] = ()
    record: str = ""

    @property
    def places(self) -> FinalPlaces:
        """Return the rank, or those that are still possible, as the rules tell it."""
        return FinalPlaces(self.rank, self.last, self.shared)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPage:
    """The final standings as far as known, best first.

    ``podium``: rows with ranks 1 to 3, empty while any rank is open; ``still_in``: number of
    players whose rank is open.
    """

    rows: tuple[RankingRow, ...]
    podium: tuple[RankingRow, ...]
    still_in: int

    @property
    def has_clubs(self) -> bool:
        """Return whether any player has a club."""
        return any(row.entry.club for row in self.rows)


def ranking_page(facts: EventFacts) -> RankingPage:
    """Return the final standings as far as known.

    While the event runs these are the players who are out, or whose final rank is certain. No query
    beyond ``facts``.
    """
    if facts.plan is None:
        return RankingPage(rows=(), podium=(), still_in=0)
    classes = facts.ranking
    places = places_for_ranking(facts)
    rank = facts.plan.players - sum(len(level) for level in classes) + 1
    known: dict[PlayerId, FinalPlaces] = {}
    for level in classes:
        alike = FinalPlaces(rank, rank, len(level) > 1)
        known |= {player: places.get(player, alike) for player in level}
        rank += len(level)
    known |= {player: left for player, left in places.items() if player not in known}
    rows = [
        RankingRow(rank=left.first, last=left.last, shared=left.shared, entry=facts.entries[player])
        for player, left in known.items()
    ]
    rows.sort(key=lambda row: (row.rank, row.last))
    still_in = facts.plan.players - len(rows)
    podium = () if still_in else tuple(row for row in rows if row.rank <= 3)
    return RankingPage(rows=tuple(rows), podium=podium, still_in=still_in)


def places_for_ranking(facts: EventFacts) -> Mapping[PlayerId, FinalPlaces]:
    """Return {player: final places} that the open stage adds to the final standings.

    In a bracket these are the players without a match left, else those with only one possible
    place. No query.
    """
    stage = facts.open_stage
    found = possible_places(facts)
    if stage is None or stage.kind.has_bracket:
        return found
    return {player: left for player, left in found.items() if left.one}


def possible_places(facts: EventFacts) -> Mapping[PlayerId, FinalPlaces]:
    """Return {player: possible final places} of players who are out of the open stage.

    Assumes that nobody drops. No query.
    """
    stage = facts.open_stage
    if stage is None:
        return {}
    return cached_value(facts, "places_left", lambda: dict(_places_left(facts, stage)))


def _places_left(facts: EventFacts, stage: StageFacts) -> Mapping[PlayerId, FinalPlaces]:
    state, above, order = stage.state, _players_above(facts, stage), facts.final_order
    if stage.kind.has_bracket:
        ended = is_complete(state)
        return {} if ended else places_in_bracket(state, above, stage.used, order)
    known = public_prospects(facts)
    if not is_complete(state):
        out = _out_of_table(facts, stage, known)
        found = {one.player: places_in_standings(state, one, above, order) for one in out}
        return {player: left for player, left in found.items() if left is not None}
    if not known or not stage.outcome.lots_needed:
        return {}
    return places_below_cut(state, stage.outcome, known, above, order)


def _out_of_table(
    facts: EventFacts, stage: StageFacts, known: Mapping[PlayerId, Prospect]
) -> Iterator[Prospect]:
    """Yield what is known of those who are certainly out and play no more."""
    playing = {facts.numbers[key] for match in stage.missing for key in match.seats}
    for player in frozenset(stage.state.players) - players_with_rounds_left(stage) - playing:
        prospect = known.get(player)
        if prospect is not None and prospect.verdict is Verdict.OUT:
            yield prospect


def _players_above(facts: EventFacts, stage: StageFacts) -> int:
    """Return the number of players who advance without sitting in the open stage."""
    sitting = set(stage.state.players)
    out = sum(player not in sitting for level in facts.ranking for player in level)
    return (facts.plan.players if facts.plan else 0) - out - len(sitting)


def records_by_player(facts: EventFacts) -> Mapping[PlayerId, Record]:
    """Return {player: record over all stages}, cached with the facts; no query.

    A bye counts as won, a missed round as lost; tiebreaker matches don't count. Rounds with hidden
    standings count, as their results are public.
    """
    return cached_value(facts, "records", lambda: _records(facts))


def record_beside_points(facts: EventFacts, number: PlayerId) -> tuple[Record, str]:
    """Return (record, "after round 3") that matches the points of a player's latest row.

    Rounds that the points don't count yet are not in the record; the text is "" if all count. No
    query.
    """
    record, told = records_by_player(facts)[number], latest_standing(facts, number)
    later = uncounted_rounds(told) if told is not None else ()
    if told is None or not later:
        return record, ""
    left = record_from_marks(_marks_of(facts, told.stage, later).get(number, ()))
    return Record(
        *(count - out for count, out in zip(record, left, strict=True))
    ), latest_standing_as_of_text(told)


def _marks_of(
    facts: EventFacts, stage: StageFacts, rounds: tuple[RoundRow, ...]
) -> Mapping[PlayerId, Marks]:
    key = ("marks of", *(item.pk for item in rounds))
    return cached_value(facts, key, lambda: marks_by_player(_results(facts, stage, rounds)))


def _records(facts: EventFacts) -> Mapping[PlayerId, Record]:
    every = (_results(facts, stage, stage.regular_rounds) for stage in facts.stages)
    marks = marks_by_player(chain.from_iterable(every))
    return {player: record_from_marks(marks.get(player, ())) for player in facts.entries}


def _results(facts: EventFacts, stage: StageFacts, rounds: Iterable[RoundRow]) -> Iterator[Result]:
    """Yield the results of some rounds of a stage, those held back too."""
    keys = (item.pk for item in stage.regular_rounds)
    known = dict(zip(keys, stage.state.rounds, strict=True))
    for item in rounds:
        if item.pk in stage.held:
            matches = stage.matches_of(item)
            yield from (match_result(match, item.number, facts.numbers) for match in matches)
        else:
            yield from (result for _pairing, result in known[item.pk])


ADDED_UP = ("points", "wins", "score_for", "score_difference")
"""Criteria whose values of several stages can be added."""


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """A player's record and values by tiebreaker.

    ``rank`` is None unless the event has exactly one standings table.
    """

    record: Record
    values: dict[str, Fraction] = field(default_factory=dict)
    rank: FinalPlaces | None = None


def begun_ranked_stages(facts: EventFacts) -> list[StageFacts]:
    """Return the stages that have begun and whose players are ranked by tiebreakers."""
    begun = (stage for stage in facts.stages if stage.stage.state != Stage.State.PENDING)
    return [
        stage
        for stage in begun
        if stage.kind.has_table and stage.kind.own_order(stage.state) is None
    ]


def seated_players(stage: StageFacts) -> list[PlayerId]:
    """Return the numbers of the players with a seat in a stage; [] before it begins."""
    return [one for seats in stage.state.seats.values() for one in seats if one is not None]


def ranking_figures(facts: EventFacts) -> tuple[Mapping[PlayerId, PlayerFigures], list[Criterion]]:
    """Return ({player: figures}, tiebreakers with a column).

    The figures are of the only stage with standings, else sums over all such stages; without such a
    stage they are just the records.
    """
    criteria = [one for one in map(find_criterion, facts.event.criteria) if one.column is not None]
    stages = begun_ranked_stages(facts)
    if not stages:
        return {
            number: PlayerFigures(made) for number, made in records_by_player(facts).items()
        }, []
    if len(stages) == 1:
        return {
            row.player: PlayerFigures(
                Record(row.won, row.drawn, row.lost),
                dict(row.values),
                FinalPlaces(row.rank, row.rank, row.rank in shared),
            )
            for standings in stages[0].outcome.standings.values()
            for shared in (shared_ranks(standings),)
            for row in standings.rows
        }, criteria
    shown = [one for one in criteria if one.key in ADDED_UP]
    return {
        player: PlayerFigures(
            Record(
                *(
                    sum(each)
                    for each in zip(*((row.won, row.drawn, row.lost) for row in own), strict=True)
                )
            ),
            {one.key: sum((row.values[one.key] for row in own), Fraction(0)) for one in shown},
        )
        for player, own in _rows_of_tables(facts).items()
    }, shown


def counted_stages_text(facts: EventFacts, columns: str) -> str:
    """Return a label of the stages that `ranking_figures` counts, "" if all stages.

    ``columns`` are the labels of the figures.
    """
    stages = begun_ranked_stages(facts)
    if len(facts.stages) == 1 or not stages:
        return ""
    if len(stages) > 1:
        return _("%(columns)s: all stages with standings") % {"columns": columns}
    return f"{columns}: {translate(stages[0].plan.label)}"


def _rows_of_tables(facts: EventFacts) -> dict[PlayerId, list[Standing]]:
    found: dict[PlayerId, list[Standing]] = {}
    for stage in begun_ranked_stages(facts):
        for standings in stage.outcome.standings.values():
            for row in standings.rows:
                found.setdefault(row.player, []).append(row)
    return found


def order_players(
    facts: EventFacts, found: Mapping[PlayerId, PlayerFigures]
) -> list[tuple[FinalPlaces | None, EntryRow]]:
    """Return (final places or None, player) of all players, best first.

    Players whose final place is open fill the gaps, sorted by ``found``, their current figures. If
    there is only one standings table, its current ranks are used.
    """
    table = begun_ranked_stages(facts)
    alone = not facts.ranking and len(table) == 1 and len(table[0].plan.groups) == 1
    placed = [row for row in ranking_page(facts).rows if not (alone and row.entry.number in found)]
    ranked = {row.entry.number for row in placed}
    seated = {player for stage in facts.stages for player in seated_players(stage)}
    waiting = [
        entry
        for number, entry in facts.entries.items()
        if number not in ranked and (number in seated or not seated)
    ]

    def order(entry: EntryRow) -> tuple[object, ...]:
        own = found.get(entry.number)
        if own is None or not seated:
            return (0, entry.number)
        return (
            own.rank.first if own.rank else 0,
            -own.values.get("points", 0),
            -own.record.won,
            entry.number,
        )

    open_ = [
        (found[one.number].rank if alone and one.number in found else None, one)
        for one in sorted(waiting, key=order, reverse=True)
    ]
    rows: list[tuple[FinalPlaces | None, EntryRow]] = []
    for row in placed:
        while open_ and len(rows) + 1 < row.rank:
            rows.append(open_.pop())
        rows.append((row.places, facts.entries[row.entry.number]))
    return [*rows, *reversed(open_)]


NOT_COUNTED = (MatchEnding.VOID, MatchEnding.BYE)
OF_POINTS = ("points", "promotion")
"""Scores that tell by how much a match was won; that of games only says who won it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStatistic:
    """A statistic of the event, such as the number of matches, with its label ``words``."""

    value: str
    words: str


def standings_page(facts: EventFacts, ordinal: int = 0) -> dict[str, Any]:
    """Return the template context of the standings page: final, and by stage.

    ``ordinal`` is the number of an earlier round to display standings after, 0 for now. No query
    beyond ``facts``, one for a finished event.
    """
    earlier = earlier_standings(facts, ordinal) if ordinal else None
    # Tables place nobody before their stage is closed; brackets, whoever is out.
    placed = any(
        each.stage.state == Stage.State.CLOSED
        or (each.stage.state == Stage.State.OPEN and not each.kind.has_table)
        for each in facts.stages
    )
    final = final_standings(facts) if earlier is None and placed else None
    stages = (earlier,) if earlier else stage_standings(facts)
    stages = tuple(stage for stage in stages if stage.tables)
    finished = facts.event.state == Event.State.FINISHED
    restored = event_restoration(facts.event) if finished else None
    return {
        "final": final if final and final["rows"] else None,
        "stages": stages,
        "beside": None if earlier else standings_sidebar(facts),
        "kept": () if earlier else reassignment_texts(facts),
        "earlier": earlier is not None,
        "restored": restored and restoration_notice(facts.event, restored),
    }


def final_standings(facts: EventFacts) -> dict[str, Any]:
    """Return the template context of the final standings, as far as known.

    ``winner`` is None while the first rank is shared or open; ``look`` are the podium's CSS
    classes; ``figures`` are statistics of a finished event. No query beyond ``facts``.
    """
    return cached_value(facts, ("final", get_language()), lambda: _final_standings(facts))


def _final_standings(facts: EventFacts) -> dict[str, Any]:
    page, finished = ranking_page(facts), facts.event.state == Event.State.FINISHED
    first = [row for row in page.podium if row.rank == 1]
    stages = [each for each in facts.stages if each.stage.state == Stage.State.CLOSED]
    podium = page.podium[:4]
    words = (word for row in podium for word in re.split(r"[\s-]", row.entry.name))
    longest = max(map(len, words), default=0)
    return {
        "winner": first[0].entry if len(first) == 1 else None,
        "podium": podium,
        "look": " stacked small" if longest > 24 else " stacked" if longest > 10 else "",
        "stages": tuple(translate(each.plan.label) for each in stages),
        "rows": tuple(_road_rows(stages, page, facts)),
        "has_clubs": page.has_clubs,
        "still_in": page.still_in,
        "figures": tuple(_event_figures(facts, stages)) if finished else (),
    }


def _road_rows(
    stages: list[StageFacts], page: RankingPage, facts: EventFacts
) -> Iterator[RankingRow]:
    roads = [_results_in_stage(stage, facts) for stage in stages]
    tallies = records_by_player(facts)
    for row in page.rows:
        player = row.entry.number
        own = [road.get(player, "") for road in roads]
        last = max((at for at, words in enumerate(own) if words), default=-1)
        cells = tuple(
            (words, _css_class(at, last, row.rank, bool(words))) for at, words in enumerate(own)
        )
        yield replace(row, cells=cells, record=format_record(tallies[player]))


def _css_class(at: int, last: int, rank: int, played: bool) -> str:
    if at == last:
        return "won" if rank == 1 else "ended"
    if not played:
        return "" if at > last else "skipped"
    return "on"


def _results_in_stage(stage: StageFacts, facts: EventFacts) -> Mapping[PlayerId, str]:
    """Return each player's result in a stage: rank in the group, or last round played."""
    if stage.kind.has_table:
        several = len(stage.plan.groups) > 1
        return {
            row.player: f"{rank} {name}" if several else rank
            for name, standings in stage.outcome.standings.items()
            for shared in (shared_ranks(standings),)
            for row in standings.rows
            for rank in (rank_ordinal(row.rank, shared=row.rank in shared),)
        }
    found: dict[PlayerId, str] = {}
    for item in stage.rounds:
        for match in stage.matches_of(item):
            words = match_round_label(stage, item, match)
            scores = score_texts(match.decision) if match.decision and match.size == 2 else None
            for turned, key in enumerate(match.seats):
                figures = "–".join(reversed(scores) if turned else scores) if scores else ""
                found[facts.numbers[key]] = f"{words} {figures}".strip()
    return found


def _counted_matches(stages: list[StageFacts]) -> Iterator[MatchRow]:
    for stage in stages:
        for match in stage.matches:
            decision = (
                match.decision if match.state == Match.State.FINAL and match.size > 1 else None
            )
            if decision and decision.ended_by not in NOT_COUNTED and decision.winner != Winner.VOID:
                yield match


def _is_drawn(match: MatchRow) -> bool:
    """Return whether several share the first place of a match that counts."""
    decision = match.decision
    if decision is None or match.size == 2:
        return decision is not None and decision.winner == Winner.DRAW
    return (decision.places or []).count(1) > 1


def _event_figures(facts: EventFacts, stages: list[StageFacts]) -> Iterator[EventStatistic]:
    """Yield up to five figures of the event, those on scores only if they tell something."""
    matches = list(_counted_matches(stages))
    decisions = [match.decision for match in matches if match.decision]
    plan = facts.plan
    yield EventStatistic(
        value=str(plan.players if plan else len(facts.entries)), words=_("Players")
    )
    yield EventStatistic(value=str(len(matches)), words=_("Matches"))
    yield EventStatistic(value=str(len(facts.rounds)), words=_("Rounds"))
    scores = [score for decision in decisions if (score := report_score(decision))]
    drawn = sum(map(_is_drawn, matches))
    if decisions:
        yield EventStatistic(
            value=f"{round(100 * drawn / len(decisions))}\u00a0%", words=_("Drawn")
        )
    if scores and match_defaults(facts.event).score in OF_POINTS:
        widest = max(scores, key=lambda score: abs(score[0] - score[1]))
        yield EventStatistic(value=f"{max(widest)}–{min(widest)}", words=_("Biggest win"))
    elif decisions:
        each = Fraction(sum(match.size for match in matches), max(1, plan.players if plan else 1))
        yield EventStatistic(value=number_format(float(each), 1), words=_("Matches per player"))
