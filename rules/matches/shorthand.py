"""Results typed at the desk in short form.

Source: tables, 8 (desk line).
"""

import re
from dataclasses import replace

from rules.errors import BadInput
from rules.matches.match_rules import Claim, MatchRules, impossible_result_error, result_presets
from rules.matches.settling import impossible_table_result_error, marks_by_seat
from rules.results import MatchEnding, Outcome, Places, SeatMark, TieBreak, Winner

IN_ORDER = "+"
"""Prefix of games in the order played, to tell them from other short forms."""
_SEPARATORS = re.compile(r"[\s\-–:/,.]+")
_GAMES = {"a": "a", "b": "b", "d": "draw", "x": "draw", "=": "draw"}
_ONE_GAME = {"1": "a", "2": "b", "0": "draw"}
_WINNERS = {"a": Winner.A, "b": Winner.B}
_UNPLAYED = {
    "a1": Claim(winner=Winner.B, ended_by=MatchEnding.NO_SHOW, by_staff=True),
    "a2": Claim(winner=Winner.A, ended_by=MatchEnding.NO_SHOW, by_staff=True),
    "a12": Claim(winner=Winner.NONE, ended_by=MatchEnding.NO_SHOW, by_staff=True),
    "r1": Claim(winner=Winner.B, ended_by=MatchEnding.CONCESSION, by_staff=True),
    "r2": Claim(winner=Winner.A, ended_by=MatchEnding.CONCESSION, by_staff=True),
}
_DRAW = "p"
_TIE_BREAKS = {"w": TieBreak.WARRIORS, "e": TieBreak.EXTRA_TURNS, "j": TieBreak.JUDGE}


def parse_shorthand(text: str, rules: MatchRules) -> Claim:
    """Return the claim that staff typed as shorthand; not yet validated by ``resolve_claim``.

    Multiplayer tables: see ``parse_table_shorthand``. Numbers are separated by spaces, dashes,
    colons, slashes, commas or points.

    * Promotion points of one game: ``40-22``, ``40 22``; a tied knock-out match adds the winner
      and what decided (w warriors, e extra turns, j judge): ``30 30 a w``.
    * Games: ``2-1``, ``2 1``, ``21``; with drawn ones last ``1-1-1``, ``111``; or after a plus one
      letter a game in the order played (a, b, and d, x or = for a drawn one): ``+abda``.
    * One game alone: ``a`` or ``1``, ``b`` or ``2``, ``d`` or ``0``.
    * Not played: ``a1``, ``a2``, ``a12`` for absent players, ``r1``, ``r2`` for a concession.
    * ``p``: the draw with the most games.

    Raises BadInput ``impossible_result`` with the possible results.
    """
    if rules.size > 2:
        return parse_table_shorthand(text, rules)
    typed = text.strip().lower()
    if typed.startswith(("-", "–")):  # a negative number, not two numbers separated by a dash
        raise impossible_result_error(rules, "“%(typed)s” is not a result.", typed=text)
    if typed in _UNPLAYED:
        return _UNPLAYED[typed]
    if typed == _DRAW:
        return _claim_of_draw(rules)
    words = [word for word in _SEPARATORS.split(typed) if word]
    if rules.by_points:
        return _claim_of_points(words, rules)
    if typed.startswith(IN_ORDER) or (rules.best_of == 1 and typed in _GAMES):
        return _in_order("".join(words).removeprefix(IN_ORDER), text, rules)
    if rules.best_of == 1 and typed in _ONE_GAME:
        return Claim(games=(_ONE_GAME[typed],), by_staff=True)
    if len(typed) > 1 and all(letter in _GAMES for letter in "".join(words)):
        raise impossible_result_error(
            rules,
            "To enter games in order, begin with a plus: +%(games)s.",
            typed=text,
            games="".join(words),
        )
    if len(words) == 1 and len(typed) in (2, 3):
        words = list(words[0])
    numbers = [int(word) for word in words if re.fullmatch(r"[0-9]{1,2}", word)]
    if len(numbers) != len(words) or len(numbers) not in (2, 3):
        raise impossible_result_error(rules, "“%(typed)s” is not a result.", typed=text)
    return _claim_of_games(numbers)


def _claim_of_draw(rules: MatchRules) -> Claim:
    """Return the draw with the most games; raises BadInput where a draw has no preset."""
    for preset in result_presets(rules):
        won, lost, *_drawn = preset.key.split("-")
        if won == lost:
            return replace(preset.claim, by_staff=True)
    raise impossible_result_error(rules, "“%(typed)s” is not a result.", typed=_DRAW)


def _in_order(letters: str, text: str, rules: MatchRules) -> Claim:
    if not letters or any(letter not in _GAMES for letter in letters):
        raise impossible_result_error(rules, "“%(typed)s” is not a result.", typed=text)
    return Claim(games=tuple(_GAMES[letter] for letter in letters), by_staff=True)


def _claim_of_points(words: list[str], rules: MatchRules) -> Claim:
    figures, marks = words[:2], words[2:]
    winner = _WINNERS.get(marks[0]) if marks else None
    tie_break = _TIE_BREAKS.get(marks[1]) if len(marks) > 1 else None
    readable = len(figures) == 2 and all(re.fullmatch(r"[0-9]{1,3}", word) for word in figures)
    if not readable or len(marks) > 2 or sum(map(bool, (winner, tie_break))) != len(marks):
        raise impossible_result_error(rules, "“%(typed)s” is not a result.", typed=" ".join(words))
    a, b = map(int, figures)
    return Claim(
        score=(a, b),
        winner=winner,
        tie_break=tie_break,
        ended_by=MatchEnding.TIME if tie_break else None,
        by_staff=True,
    )


def _claim_of_games(numbers: list[int]) -> Claim:
    if len(numbers) == 2 or numbers[2] == 0:
        return Claim(score=(numbers[0], numbers[1]), by_staff=True)
    a, b, drawn = numbers
    # The order is unknown; the deciding win comes last, as in every finished match.
    last = ("a",) if a > b else ("b",)
    before = ("a",) * (a - (a > b)) + ("b",) * (b - (b > a)) + ("draw",) * drawn
    return Claim(games=before + last if a != b else before, by_staff=True)


_MARK = {"a": SeatMark.ABSENT, "r": SeatMark.CONCEDED, "d": SeatMark.DISQUALIFIED}
_MARKED = re.compile(r"([ard])([\d\s\-–]+)")
_SCORES = re.compile(r"s((?:\s+-?\d{1,4})+)")
_BETWEEN = re.compile(r"[\s\-–]+")
_ORDER = re.compile(r"\d(?:=?\d)*")


def parse_table_shorthand(text: str, rules: MatchRules) -> Claim:
    """Return the claim typed as shorthand for a multiplayer table; not yet validated.

    Seats by number; spaces and dashes between them are optional.

    * ``2``: seat 2 won; ``3124``: the seats in the order of their places, best first; ``21=43``:
      seats 4 and 1 share a place.
    * ``=``, ``p``: drawn by all who are left; ``=13``: between these. ``0``: nobody.
    * ``a3`` absent, ``r3`` conceded, ``d3`` disqualified, after the rest or alone.
    * ``s 10 7 7 2``: scores by seat.

    Raises BadInput ``impossible_result`` with the possible results.
    """
    typed = text.strip().lower()
    if scores := _SCORES.fullmatch(typed):
        figures = tuple(int(one) for one in scores[1].split())
        return Claim(scores=figures, by_staff=True)
    marks: dict[int, SeatMark] = {}

    def note(found: re.Match[str]) -> str:
        for digit in _BETWEEN.sub("", found[2]):
            seat = _seat(digit, text, rules)
            if seat in marks:
                raise impossible_table_result_error(
                    rules.size, "Seat %(seat)s is entered twice.", seat=seat
                )
            marks[seat] = _MARK[found[1]]
        return ""

    rest = _BETWEEN.sub("", _MARKED.sub(note, typed))
    return _claim(rest, text, rules, marks)


def format_shorthand(outcome: Outcome) -> str:
    """Return the shortest shorthand of a multiplayer table's outcome; "" if it does not count."""
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


def _claim(rest: str, text: str, rules: MatchRules, marks: dict[int, SeatMark]) -> Claim:
    marked = marks_by_seat(marks)
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


def _places(rest: str, text: str, rules: MatchRules, marks: dict[int, SeatMark]) -> Places:
    """Return the places by seat of seats in the order of their places; "=" binds neighbours."""
    places: dict[int, int] = {}
    place, shared = 1, False
    for sign in rest:
        if sign == "=":
            shared = True
            continue
        seat = _seat(sign, text, rules)
        if seat in places:
            raise impossible_table_result_error(
                rules.size, "Seat %(seat)s is entered twice.", seat=seat
            )
        if not shared:
            place = len(places) + 1
        places[seat], shared = place, False
    missing = [s for s in range(1, rules.size + 1) if s not in places and s not in marks]
    left_out = [seat for seat in missing if seat not in dict(rules.gone)]
    if left_out:
        raise impossible_table_result_error(
            rules.size,
            "Seat %(seat)s is missing.",
            typed=text,
            seat=left_out[0],
        )
    return tuple(places.get(seat) for seat in range(1, rules.size + 1))


def _seat(digit: str, text: str, rules: MatchRules) -> int:
    seat = int(digit)
    if not 1 <= seat <= rules.size:
        raise impossible_table_result_error(
            rules.size,
            "There is no seat %(seat)s.",
            typed=text,
            seat=seat,
            size=rules.size,
        )
    return seat


def _unreadable(text: str, rules: MatchRules) -> BadInput:
    return impossible_table_result_error(rules.size, "“%(typed)s” is not a result.", typed=text)
