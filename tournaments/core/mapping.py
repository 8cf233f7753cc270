"""Map rows and model instances to the values of ``rules``; no query.

The rules identify players by their number in the event.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from decks.stored_formats import base_format
from rules.deckbuilding.formats import MatchDefaults
from rules.matches.match_rules import MatchRules
from rules.matches.settling import marks_by_seat
from rules.plans import FormulaPlan, StagePlan, read_percentage_settings
from rules.results import (
    Marks,
    MatchEnding,
    Outcome,
    PlayerId,
    Points,
    Result,
    SeatMark,
    TieBreak,
    Winner,
    outcome_by_places,
    outcome_by_winner,
)
from rules.stages.base import (
    Pairing,
    Played,
    StageState,
    TiebreakerRound,
    has_multiplayer_tables,
    stage_kind,
)
from rules.stages.knockout import is_third_place_only
from rules.stages.tables import seating_cost
from rules.standings.rank_document import read_stored_points
from rules.tables.results import POINT_PRESETS, TablePoints
from rules.tables.rounds import METHOD, MOST
from tournaments.core.rows import AnyMatch, AnyReport, GroupRow, MatchRow, RoundRow
from tournaments.models import Entry, Event, Match, Report, Stage

Numbers = Mapping[int, int]


def event_points(event: Event) -> Points:
    """Return the event's points for win, draw and loss, and percentage rules."""
    shares = read_percentage_settings((event.plan or {}).get("shares", {}))
    return Points(
        win=event.points_win,
        draw=event.points_draw,
        loss=event.points_loss,
        parts=event.points_parts or 1,
        floor=shares.get("floor", Points.floor),
        draw_share=shares.get("draw"),
        bye_games=int(shares.get("bye_games", 0)),
        forfeit_games=int(shares.get("forfeit_games", 0)),
        byes_left_out=shares.get("byes") == 0,
        dropped_cap=shares.get("dropped"),
    )


def event_table_points(event: Event) -> TablePoints:
    """Return the points for places and byes at the event's multiplayer tables."""
    return read_stored_points(event.table_points) if event.table_points else POINT_PRESETS["win5"]


def match_defaults(event: Event) -> MatchDefaults:
    """Return the card game's rules and defaults for matches.

    A custom deck format has those of the game on which it is based.
    """
    return base_format(event.format_key).match


def stored_plan(event: Event) -> FormulaPlan:
    """Return the plan stored at the start; raises ValueError before the start."""
    return FormulaPlan.from_json(_stored_plan(event))


def is_stage_timed(event: Event, number: int) -> bool:
    """Return whether the event's stage ``number`` (from 1) has a time limit.

    Raises ValueError before the start.
    """
    return bool(_stored_plan(event)["stages"][number - 1].get("timed", True))


def _stored_plan(event: Event) -> dict[str, Any]:
    if event.plan is None:
        raise ValueError(f"{event} has not started, so it has no plan.")
    plan: dict[str, Any] = event.plan
    return plan


def player_number_by_key(entry_id: int | None, numbers: Numbers) -> int | None:
    """Return the player number of an entry's primary key; None for None.

    ``numbers``: player numbers by primary key.
    """
    return None if entry_id is None else numbers[entry_id]


def report_score(report: AnyReport) -> tuple[int, int] | None:
    """Return the score of a report, None if it has none.

    As (first player, second player).
    """
    return _score(report.score_a, report.score_b)


def _score(a: int | None, b: int | None) -> tuple[int, int] | None:
    return None if a is None or b is None else (a, b)


def report_games(report: AnyReport) -> tuple[int, int, int] | None:
    """Return the games of a report; None if they were not counted.

    As (won by the first player, by the second, drawn).
    """
    return _games(report.games_a, report.games_b, report.games_drawn)


def _games(a: int | None, b: int | None, drawn: int | None) -> tuple[int, int, int] | None:
    return None if a is None or b is None else (a, b, drawn or 0)


WINNERS = {str(winner): winner for winner in Winner}
ENDINGS = {str(ending): ending for ending in MatchEnding}


def report_seat_marks(report: AnyReport) -> Marks:
    """Return marks of seats in a table's report: conceded, absent, disqualified."""
    return marks_by_seat({int(seat): SeatMark(mark) for seat, mark in (report.marks or {}).items()})


def match_result(match: MatchRow, round_number: int, numbers: Numbers) -> Result:
    """Return a match's result as the rules need it, without outcome while undecided.

    ``round_number``: in the stage; ``numbers``: player numbers by the entry's primary key.
    """
    seats = tuple([numbers[key] for key in match.seats])
    outcome = (
        outcome_from_report(match.decision, match.size) if match.decision is not None else None
    )
    return Result(seats=seats, round=round_number, outcome=outcome)


def match_pairing(match: MatchRow, group: str, numbers: Numbers) -> Pairing:
    """Return a match's pairing as the rules need it.

    ``group``: name of its group; ``numbers``: player numbers by the entry's primary key.
    """
    return Pairing(
        group=group,
        number=match.number,
        seats=tuple([numbers[key] for key in match.seats]),
        best_of=match.best_of,
        draws=match.draws,
        leg=match.leg,
        missed=match.missed,
        by_hand=match.by_hand,
    )


def stage_state(
    *,
    event: Event,
    stage: Stage,
    plan: StagePlan,
    groups: Iterable[GroupRow],
    rounds: Sequence[RoundRow],
    matches: Mapping[int, Sequence[MatchRow]],
    numbers: Numbers,
    withdrawn: frozenset[PlayerId],
    drawn_at: Sequence[datetime] = (),
    known: Mapping[int, Played],
) -> StageState:
    """Return a stage's state as the rules need it, from its rows.

    ``matches``: by the round's primary key. ``numbers``: player numbers by the entry's primary key.
    ``withdrawn``: players who dropped. ``known``: rounds, by primary key, already converted from
    the same rows. ``drawn_at``: times of the event's random draws among tied players; a tiebreaker
    round overrides those before it.
    """
    groups = tuple(groups)
    names = {group.pk: group.name for group in groups}
    struck = frozenset[PlayerId](
        numbers[seat.entry_id]
        for group in groups
        for seat in group.seats
        if seat.entry_id is not None and seat.struck
    )

    def played(round_: RoundRow, among: Container[PlayerId] | None = None) -> Played:
        return tuple(
            (
                match_pairing(match, names[match.group_id], numbers),
                match_result(match, round_.number, numbers),
            )
            for match in matches.get(round_.pk, ())
            if among is None or numbers[match.seats[0]] in among
        )

    regular = [item for item in rounds if not item.is_extra]
    return StageState(
        plan=plan,
        seats={
            group.name: tuple(player_number_by_key(seat.entry_id, numbers) for seat in group.seats)
            for group in groups
        },
        legs=stage.legs,
        rounds=tuple(known.get(item.pk) or played(item) for item in regular),
        withdrawn=withdrawn,
        struck=struck,
        points=event_points(event),
        table_points=event_table_points(event),
        seed=stage.seed,
        rounds_apart=tuple(frozenset(map(frozenset, item.apart)) for item in regular),
        tiebreaker_rounds=tuple(
            TiebreakerRound(
                level=level,
                played=played(item, level if len(item.level_sets) > 1 else None),
                after=sum(moment <= item.drafted_at for moment in drawn_at),
            )
            for item in rounds
            for level in item.level_sets
        ),
    )


def match_rules(match: Match, event: Event) -> MatchRules:
    """Return the rules that a match's result must meet.

    ``group.stage`` must be loaded. One query for a multiplayer table, to mark players who dropped
    or are absent.
    """
    number = match.group.stage.number
    rules = match_rules_without_marks(match, event, timed=is_stage_timed(event, number))
    if _stored_plan(event)["stages"][number - 1].get("third_place"):
        alone = is_third_place_only(stored_plan(event), number - 1, match.number)
        rules = replace(rules, leads_nowhere=alone)
    return replace(rules, gone=absence_marks(match)) if match.size > 2 else rules


_LEFT = {
    Entry.Status.WITHDRAWN: SeatMark.CONCEDED,
    Entry.Status.DISQUALIFIED: SeatMark.DISQUALIFIED,
}


def absence_marks(match: Match) -> Marks:
    """Return the marks of seats whose players dropped or are absent; one query.

    Empty once the match's result is final.
    """
    if match.state == Match.State.FINAL:
        return ()
    left = {
        seat: SeatMark.ABSENT
        if player.number in match.absent
        else _LEFT[Entry.Status(player.status)]
        for seat, player in enumerate(match.players, start=1)
        if player.status in _LEFT or player.number in match.absent
    }
    return marks_by_seat(left)


def match_rules_without_marks(match: AnyMatch, event: Event, *, timed: bool) -> MatchRules:
    """Return the rules that a match's result must meet; no query.

    Players who dropped or are absent are not marked. ``timed``: the stage has a time limit.
    """
    play = match_defaults(event)
    return MatchRules(
        best_of=match.best_of,
        draws=match.draws and play.draws,
        score=play.score,
        timed=timed,
        target=play.target or 0,
        size=match.size,
    )


def is_multiplayer_report(report: AnyReport) -> bool:
    """Return whether a report is of a multiplayer table."""
    return not report.winner


def outcome_from_report(report: AnyReport, seats: int) -> Outcome:
    """Return the outcome stored in a report of a match with so many seats."""
    if seats > 2:
        places = None if report.places is None else tuple(report.places)
        return outcome_by_places(
            places, report_seat_marks(report), ENDINGS[report.ended_by], seats=seats
        )
    return _outcome_of_two(
        report.winner,
        report.ended_by,
        seats,
        report.score_a,
        report.score_b,
        tuple(report.games),
        report.games_a,
        report.games_b,
        report.games_drawn,
        report.tie_break,
        report.by_decision,
    )


@lru_cache(maxsize=8192)
def _outcome_of_two(
    winner: str,
    ended_by: str,
    seats: int,
    score_a: int | None,
    score_b: int | None,
    games: tuple[str, ...],
    games_a: int | None,
    games_b: int | None,
    games_drawn: int | None,
    tie_break: str,
    by_decision: bool,
) -> Outcome:
    """Return an outcome; the few that matches end with are made once, not for each match."""
    return outcome_by_winner(
        WINNERS[winner],
        ENDINGS[ended_by],
        seats=seats,
        score=_score(score_a, score_b),
        games=games,
        games_won=_games(games_a, games_b, games_drawn),
        tie_break=TieBreak(tie_break) if tie_break else None,
        by_decision=by_decision,
    )


def report_from_outcome(outcome: Outcome, **more: Any) -> Report:
    """Return an unsaved Report of an outcome; the inverse of `outcome_from_report`.

    ``more``: values of other columns.
    """
    if len(outcome.places) > 2:
        return Report(
            winner="",
            places=list(outcome.places) if outcome.counts else None,
            marks={str(seat): str(mark) for seat, mark in outcome.marks} or None,
            ended_by=outcome.ended_by,
            **more,
        )
    score, games = outcome.score or (None, None), outcome.games_won or (None, None, None)
    return Report(
        winner=outcome.winner or "",
        score_a=score[0],
        score_b=score[1],
        games=list(outcome.games),
        games_a=games[0],
        games_b=games[1],
        games_drawn=games[2],
        ended_by=outcome.ended_by,
        tie_break=outcome.tie_break or "",
        by_decision=outcome.by_decision,
        **more,
    )


def round_seating_cost_json(
    before: StageState, pairings: Iterable[Pairing], *, by_rules: bool = True
) -> dict[str, Any] | None:
    """Return the seating cost of a round of multiplayer tables as JSON.

    None for other rounds. The cost counts repeated opponents, avoided pairs, small tables and
    differences in points. ``before``: the stage's state without the round. ``by_rules``: nobody
    changed it by hand.
    """
    if not (has_multiplayer_tables(before.plan) and stage_kind(before.plan).pairs_by_points):
        return None
    return seating_cost_json(before, [pairing.seats for pairing in pairings], by_rules=by_rules)


def seating_cost_json(
    before: StageState, tables: Iterable[Sequence[PlayerId]], *, by_rules: bool
) -> dict[str, Any]:
    """Return the seating cost of multiplayer tables as JSON.

    Besides the parts of the cost: ``proven`` (least possible) and ``method``, a version number.
    ``before``: the stage's state without the round. ``by_rules``: nobody changed it by hand.
    """
    seated = [table for table in tables if len(table) > 1]
    proven = by_rules and sum(map(len, seated)) <= MOST
    return seating_cost(before, seated)._asdict() | {"proven": proven, "method": METHOD}
