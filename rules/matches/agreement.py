"""Agreement of results: of the players' reports, and of a stored result with itself.

At a table, ``combine_reports`` says what the reports of the players decide together.

Source: tournament rules, A match: two different reports are a dispute for a judge. Reports differ
if winner, score, or a concession or lack of warriors differs; tables, 7: if places or marks do;
more than half of the seats have to say the same, and nobody the contrary.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from rules.matches.match_rules import LARGEST_SCORE, MatchRules
from rules.matches.settling import marks_by_seat, seats_with_mark
from rules.results import (
    BYE,
    HALF_BYE,
    MISSED,
    SEAT_WINNERS,
    Marks,
    MatchEnding,
    Outcome,
    Places,
    SeatMark,
    Winner,
    leading_side,
)
from rules.tables.results import are_valid_places, places_from_scores

_TO_THE_END = frozenset({MatchEnding.PLAYED, MatchEnding.TIME})
_AWAY = (SeatMark.ABSENT, SeatMark.DISQUALIFIED)


def reports_agree(one: Outcome, other: Outcome, gone: Collection[int] = ()) -> bool:
    """Return whether two reports describe the same result.

    The order of games is ignored. A report without single games agrees with any number of drawn
    games. "At time" agrees with "played out", as points are equal either way. Marks and places of
    seats that are ``gone`` (their players dropped) are ignored, but not the order of the others and
    whether one of them was first.
    """
    same_ending = one.ended_by == other.ended_by or {one.ended_by, other.ended_by} <= _TO_THE_END
    marks = [{m for m in told.marks if m[0] not in gone} for told in (one, other)]
    return (
        _among_others(one, gone) == _among_others(other, gone)
        and marks[0] == marks[1]
        and (same_ending or bool(gone))
        and one.score == other.score
        and (one.games_won == other.games_won or not (one.games and other.games))
    )


def _among_others(outcome: Outcome, gone: Collection[int]) -> tuple[bool, Places, bool]:
    """Return whether a match counts, the places of all but some seats, and if one was first."""
    others = [place for seat, place in enumerate(outcome.places, start=1) if seat not in gone]
    return outcome.counts, _ranked(others), 1 in others


def _ranked(places: Sequence[int | None]) -> Places:
    return places_from_scores([None if place is None else -place for place in places])


def remove_absent_players(outcome: Outcome, gone: Marks) -> Outcome | None:
    """Return a report from which players who were absent after all are removed.

    ``gone`` are the marks of seats since then, as (seat, mark); those absent or disqualified lose
    their place, the others move up. None if none of those left was first: a judge must decide.
    """
    known = {seat for seat, _mark in outcome.marks}
    away = {seat: mark for seat, mark in gone if mark in _AWAY and seat not in known}
    if not outcome.counts or not away:
        return outcome
    left = [None if s in away else place for s, place in enumerate(outcome.places, start=1)]
    if 1 not in left:
        return None
    marks = marks_by_seat({**dict(outcome.marks), **away})
    return replace(outcome, places=_ranked(left), marks=marks)


def is_more_detailed(one: Outcome, other: Outcome) -> bool:
    """Return whether the first of two agreeing reports has more details.

    Details are the games in order, and that time was called.
    """
    return _details_told(one) > _details_told(other)


def _details_told(outcome: Outcome) -> tuple[bool, bool]:
    return bool(outcome.games), outcome.ended_by is MatchEnding.TIME


_ENDS_OF = {
    Winner.VOID: (MatchEnding.VOID,),
    Winner.NONE: (MatchEnding.DOUBLE_LOSS,),
}
"""Endings of a match without a winner."""


def find_contradiction(rules: MatchRules, outcome: Outcome) -> str | None:
    """Return a stored result as text if its values contradict each other or the rules.

    None if it is consistent. The text names winner or places, score and ending.
    """
    if rules.size > 2:
        return _table_fault(rules, outcome)
    if rules.size == 1:
        held = not outcome.counts or _as_alone(outcome) in map(_as_alone, (BYE, HALF_BYE, MISSED))
        return None if held else _contradictory(outcome)
    if outcome.score is not None and not all(0 <= n <= LARGEST_SCORE for n in outcome.score):
        return _contradictory(outcome)
    return _ending_fault(outcome) or _games_fault(rules, outcome) or _winner_fault(rules, outcome)


def _as_alone(outcome: Outcome) -> tuple[Winner | None, MatchEnding]:
    return outcome.winner, outcome.ended_by


def _contradictory(outcome: Outcome) -> str:
    """Return the values of a result: winner or places, score, ending."""
    score = outcome.score or outcome.games_won
    if len(outcome.places) > 2:
        who = " ".join(str(place or "–") for place in outcome.places) if outcome.counts else ""
    else:
        who = str(outcome.winner)
    figures = "–".join(map(str, score)) if score else ""
    return " · ".join(filter(None, (who, figures, str(outcome.ended_by))))


def _ending_fault(outcome: Outcome) -> str | None:
    ends = _ENDS_OF.get(outcome.winner) if outcome.winner else None
    nobody = (MatchEnding.VOID, MatchEnding.DOUBLE_LOSS)
    if ends is not None and outcome.ended_by not in ends:
        return _contradictory(outcome)
    if ends is None and (outcome.ended_by in nobody or outcome.ended_by is MatchEnding.BYE):
        return _contradictory(outcome)
    return None


def _games_fault(rules: MatchRules, outcome: Outcome) -> str | None:
    """Compare the games in order with the totals, and the totals with best of n."""
    if outcome.games_won is None:
        return None
    counted = tuple(outcome.games.count(kind) for kind in ("a", "b", "draw"))
    if outcome.games and counted != outcome.games_won:
        return _contradictory(outcome)
    if max(outcome.games_won[:2]) > rules.needed or outcome.games_won[:2] == (rules.needed,) * 2:
        return _contradictory(outcome)
    return None


def _winner_fault(rules: MatchRules, outcome: Outcome) -> str | None:
    """Compare the winner with the figures, if these decide."""
    figures = outcome.score or (outcome.games_won[:2] if outcome.games_won else None)
    if outcome.by_decision or outcome.ended_by not in _TO_THE_END:
        return None
    if figures is None:
        return _contradictory(outcome)
    leader = leading_side(*figures)
    if leader is not Winner.DRAW:
        held = outcome.winner is leader
    elif rules.draws:
        held = outcome.winner is Winner.DRAW
    else:
        held = outcome.winner in SEAT_WINNERS and outcome.tie_break is not None
    return None if held else _contradictory(outcome)


def _table_fault(rules: MatchRules, outcome: Outcome) -> str | None:
    """Compare the places of a table with its marks and how it ended."""
    places, marks = outcome.places, outcome.marks
    if not outcome.counts:
        held = outcome.ended_by is MatchEnding.VOID and not marks
        return None if held else _contradictory(outcome)
    if len(places) != rules.size or not are_valid_places(places):
        return _contradictory(outcome)
    seats = [seat for seat, _mark in marks]
    if len({*seats}) < len(seats) or not {*seats} <= {*range(1, rules.size + 1)}:
        return _contradictory(outcome)
    away = seats_with_mark(marks, SeatMark.ABSENT, SeatMark.DISQUALIFIED)
    if away != {seat for seat, place in enumerate(places, start=1) if place is None}:
        return _contradictory(outcome)
    first = sum(place == 1 for place in places)
    conceded = seats_with_mark(marks, SeatMark.CONCEDED)
    if first > 1 and any(places[seat - 1] == 1 for seat in conceded):
        return _contradictory(outcome)
    lost = outcome.ended_by is MatchEnding.DOUBLE_LOSS
    if lost != (first == 0) or outcome.ended_by in (MatchEnding.VOID, MatchEnding.BYE):
        return _contradictory(outcome)
    return None


class ReportState(StrEnum):
    """The state of a match that follows from its players' reports."""

    REPORTED = "reported"
    DISPUTED = "disputed"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatReport:
    """What the player at a seat last said: this outcome, or (``denies``) that it is wrong."""

    seat: int
    outcome: Outcome
    denies: bool = False


def required_report_count(size: int, gone: Collection[int] = ()) -> int:
    """Return how many seats must report the same for a final result: 3 of 4, 2 of 3.

    Those ``gone`` (their players dropped) don't count.
    """
    return (size - len({*gone})) // 2 + 1


def combine_reports(
    statements: Sequence[SeatReport], *, size: int, gone: Collection[int] = ()
) -> ReportState:
    """Return the state of a match that follows from its players' reports.

    ``statements`` has at most one per seat. A different report or a denial is a dispute until those
    seats agree; ``gone`` seats (their players dropped) are ignored.
    """
    present = [told for told in statements if told.seat not in gone]
    if any(told.denies for told in present):
        return ReportState.DISPUTED
    if not all(reports_agree(present[0].outcome, told.outcome, gone) for told in present[1:]):
        return ReportState.DISPUTED
    return (
        ReportState.FINAL
        if len(present) >= required_report_count(size, gone)
        else ReportState.REPORTED
    )
