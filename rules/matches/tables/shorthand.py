"""Results of tables typed at the desk in short form.

Source: tables, 8 (desk line).
"""

import re

from rules.errors import BadInput
from rules.matches.match_rules import Claim, MatchRules
from rules.matches.tables.settling import impossible, marks_of
from rules.results import Mark, Outcome, Places, Winner

_MARK = {"a": Mark.ABSENT, "r": Mark.CONCEDED, "d": Mark.DISQUALIFIED}
_MARKED = re.compile(r"([ard])([\d\s\-–]+)")
_SCORES = re.compile(r"s((?:\s+-?\d{1,4})+)")
_BETWEEN = re.compile(r"[\s\-–]+")
_ORDER = re.compile(r"\d(?:=?\d)*")


def parse_shorthand(text: str, rules: MatchRules) -> Claim:
    """Return the staff's claim for what was typed; ``settle`` still has to accept it.

    Seats by number; spaces and dashes between them are optional.

    * ``2``: seat 2 won; ``3124``: the seats in the order of their places, best first; ``21=43``:
      seats 4 and 1 share a place.
    * ``=``, ``p``: drawn by all who are left; ``=13``: between these. ``0``: nobody.
    * ``a3`` absent, ``r3`` conceded, ``d3`` disqualified, after the rest or alone.
    * ``s 10 7 7 2``: scores by seat.

    Raises BadInput ``impossible_result`` saying what is possible.
    """
    typed = text.strip().lower()
    if scores := _SCORES.fullmatch(typed):
        figures = tuple(int(one) for one in scores[1].split())
        return Claim(scores=figures, by_staff=True)
    marks: dict[int, Mark] = {}

    def note(found: re.Match[str]) -> str:
        for digit in _BETWEEN.sub("", found[2]):
            seat = _seat(digit, text, rules)
            if seat in marks:
                raise impossible(rules.size, "Seat %(seat)s is named twice.", seat=seat)
            marks[seat] = _MARK[found[1]]
        return ""

    rest = _BETWEEN.sub("", _MARKED.sub(note, typed))
    return _claim(rest, text, rules, marks)


def typed_as(outcome: Outcome) -> str:
    """Return a result as it is typed, the shortest way; "" for one that does not count."""
    if not outcome.counts:
        return ""
    marks = "".join(
        f" {key}{seat}"
        for key, kind in _MARK.items()
        for seat, mark in outcome.marks
        if mark is kind
    )
    by_place: dict[int, str] = {}
    for seat, place in enumerate(outcome.places, start=1):
        if place is not None:
            by_place[place] = by_place.get(place, "") + str(seat)
    first, *others = (by_place[place] for place in sorted(by_place))
    if 1 not in by_place:
        return f"0{marks}"
    if len(others) > 1:
        return "".join("=".join(seats) for seats in (first, *others)) + marks
    return (first if len(first) == 1 else f"={first if others else ''}") + marks


def _claim(rest: str, text: str, rules: MatchRules, marks: dict[int, Mark]) -> Claim:
    marked = marks_of(marks)
    if not rest and marked:
        return Claim(marks=marked, by_staff=True)
    if rest == "0":
        return Claim(winner=Winner.NONE, marks=marked, by_staff=True)
    if rest in ("=", "p"):
        return Claim(drawn=(), marks=marked, by_staff=True)
    if rest.startswith("=") and rest[1:].isdecimal():
        drawn = tuple(_seat(digit, text, rules) for digit in rest[1:])
        return Claim(drawn=drawn, marks=marked, by_staff=True)
    if not _ORDER.fullmatch(rest):
        raise _unreadable(text, rules)
    if len(rest) == 1:
        return Claim(first=_seat(rest, text, rules), marks=marked, by_staff=True)
    order = _places(rest, text, rules, marks)
    return Claim(order=order, marks=marked, by_staff=True)


def _places(rest: str, text: str, rules: MatchRules, marks: dict[int, Mark]) -> Places:
    """Return the places by seat of seats in the order of their places; "=" binds neighbours."""
    places: dict[int, int] = {}
    place, shared = 1, False
    for sign in rest:
        if sign == "=":
            shared = True
            continue
        seat = _seat(sign, text, rules)
        if seat in places:
            raise impossible(rules.size, "Seat %(seat)s is named twice.", seat=seat)
        if not shared:
            place = len(places) + 1
        places[seat], shared = place, False
    missing = [s for s in range(1, rules.size + 1) if s not in places and s not in marks]
    left_out = [seat for seat in missing if seat not in dict(rules.gone)]
    if left_out:
        raise impossible(
            rules.size,
            "“%(typed)s” leaves out seat %(seat)s: an order names everybody who was there.",
            typed=text,
            seat=left_out[0],
        )
    return tuple(places.get(seat) for seat in range(1, rules.size + 1))


def _seat(digit: str, text: str, rules: MatchRules) -> int:
    seat = int(digit)
    if not 1 <= seat <= rules.size:
        raise impossible(
            rules.size,
            "“%(typed)s” names seat %(seat)s; this table has %(size)s seats.",
            typed=text,
            seat=seat,
            size=rules.size,
        )
    return seat


def _unreadable(text: str, rules: MatchRules) -> BadInput:
    return impossible(rules.size, "“%(typed)s” cannot be read as a result.", typed=text)
