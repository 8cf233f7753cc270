"""Agreement of results of tables: of reports, and of a stored result with itself.

Source: tables, 7.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from rules.matches.match_rules import MatchRules
from rules.matches.tables.claims import TableOutcome, marks_of, seats_with
from rules.results import EndedBy, Mark
from rules.tables.results import Marks, Places, are_places, places_by
from rules.wording import Sentence
from rules.wording import gettext_noop as _

_TO_THE_END = frozenset({EndedBy.PLAYED, EndedBy.TIME})
_AWAY = (Mark.ABSENT, Mark.DISQUALIFIED)


def agree(one: TableOutcome, other: TableOutcome, gone: Collection[int] = ()) -> bool:
    """Return whether two reports describe the same result; "at time" agrees with "played out".

    Of seats that are ``gone`` by now neither marks nor places are compared: a report made before
    has other ones. What the others came to among themselves is, and whether one of them was first.
    """
    same_ending = one.ended_by == other.ended_by or {one.ended_by, other.ended_by} <= _TO_THE_END
    marks = [{m for m in told.marks if m[0] not in gone} for told in (one, other)]
    places = [_among_others(told.places, gone) for told in (one, other)]
    return places[0] == places[1] and marks[0] == marks[1] and (same_ending or bool(gone))


def _among_others(places: Places | None, gone: Collection[int]) -> tuple[Places, bool] | None:
    """Return the places of all but some seats among themselves, and whether one was first."""
    if places is None:
        return None
    others = [place for seat, place in enumerate(places, start=1) if seat not in gone]
    return _ranked(others), 1 in others


def _ranked(places: Sequence[int | None]) -> Places:
    return places_by([None if place is None else -place for place in places])


def without_absent(outcome: TableOutcome, gone: Marks) -> TableOutcome | None:
    """Return what was reported without those who were absent or are disqualified since.

    They have no place, and the others those that they have among themselves. None if none of these
    was first: then it is for a judge.
    """
    known = {seat for seat, _mark in outcome.marks}
    away = {seat: mark for seat, mark in gone if mark in _AWAY and seat not in known}
    if outcome.places is None or not away:
        return outcome
    left = [None if s in away else place for s, place in enumerate(outcome.places, start=1)]
    if 1 not in left:
        return None
    marks = marks_of({**dict(outcome.marks), **away})
    return replace(outcome, places=_ranked(left), marks=marks)


def contradiction(rules: MatchRules, outcome: TableOutcome) -> Sentence | None:
    """Return a sentence on the contradiction in a stored result, None if it is consistent."""
    places, marks = outcome.places, outcome.marks
    if places is None:
        held = outcome.ended_by is EndedBy.VOID and not marks
        return None if held else _expected_instead(outcome, _("a void table, without marks"))
    if len(places) != rules.size or not are_places(places):
        return _expected_instead(outcome, _("a place for each seat, without gaps"))
    seats = [seat for seat, _mark in marks]
    if len({*seats}) < len(seats) or not {*seats} <= {*range(1, rules.size + 1)}:
        return _expected_instead(outcome, _("marks of its seats, each once"))
    away = seats_with(marks, Mark.ABSENT, Mark.DISQUALIFIED)
    if away != {seat for seat, place in enumerate(places, start=1) if place is None}:
        return _expected_instead(outcome, _("a place for everybody who was there, and nobody else"))
    first = sum(place == 1 for place in places)
    conceded = seats_with(marks, Mark.CONCEDED)
    if first > 1 and any(places[seat - 1] == 1 for seat in conceded):
        return _expected_instead(outcome, _("a draw between those who were left"))
    lost = outcome.ended_by is EndedBy.DOUBLE_LOSS
    if lost != (first == 0) or outcome.ended_by in (EndedBy.VOID, EndedBy.BYE):
        return _expected_instead(outcome, _("an ending that goes with the places"))
    return None


def _expected_instead(outcome: TableOutcome, wanted: str) -> Sentence:
    shown = "–" if outcome.places is None else " ".join(str(p or "–") for p in outcome.places)
    return Sentence(
        "places %(places)s, %(ended)s; expected: %(wanted)s",
        {"places": shown, "ended": str(outcome.ended_by), "wanted": Sentence(wanted)},
    )
