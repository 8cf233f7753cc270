"""Settling: the outcome to store for a claim about a table, by the marks of its seats.

Source: tables, 3.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from rules.errors import BadInput
from rules.matches.match_rules import Claim, MatchRules, Seats
from rules.results import EndedBy, Mark, Marks, Outcome, Places, Winner, outcome_by_places, void_of
from rules.tables.results import are_places, nobody_first, places_by
from rules.wording import Sentence


def marks_of(marks: Mapping[int, Mark]) -> Marks:
    """Return marks in the order of their seats."""
    return tuple(sorted(marks.items()))


def seats_with(marks: Marks, *kinds: Mark) -> frozenset[int]:
    """Return the seats with one of these marks."""
    return frozenset(seat for seat, mark in marks if mark in kinds)


def impossible(size: int, problem: str, /, **values: object) -> BadInput:
    """Return the error for an impossible result of a table, with the possible ones."""
    return BadInput(
        "impossible_result",
        "%(problem)s Possible: %(possible)s.",
        problem=Sentence(problem, values),
        possible=possible_results(size),
    )


def possible_results(size: int) -> Sentence:
    """Return what can be typed for a table of this size, in words."""
    return Sentence(
        "a seat (1–%(size)s), an order (%(order)s), = drawn, =13 drawn between, 0 nobody, "
        "a3 absent",
        {"size": size, "order": "31245"[:size]},
    )


def joined_seats(seats: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(seats)))


LEAST_SCORE, MOST_SCORE = -999, 9999
_AWAY = (Mark.ABSENT, Mark.DISQUALIFIED)
_PLAYERS_SAY = (None, EndedBy.PLAYED, EndedBy.TIME, EndedBy.CONCESSION)
_TO_THE_END = (EndedBy.PLAYED, EndedBy.TIME)


def check_of_table(rules: MatchRules, claim: Claim) -> None:
    """Raise BadInput for a claim of two, with its scores and games."""
    if claim.is_of_two:
        raise impossible(
            rules.size,
            "At a table of %(size)s there are places, not scores and games of two.",
            size=rules.size,
        )


def settle(rules: MatchRules, claim: Claim) -> Outcome:
    """Return the outcome to store for a claim about a table.

    Seats that are ``gone`` by the rules have their marks unless the claim names others. Raises
    BadInput ``impossible_result``, which says what is wrong and what is possible.
    """
    size = rules.size
    check_of_table(rules, claim)
    _check_who_says(rules, claim)
    void = (claim.winner or claim.ended_by) in (Winner.VOID, EndedBy.VOID)
    nobody = claim.winner is Winner.NONE
    said = [claim.order, claim.first, claim.drawn, claim.scores]
    ways = sum(way is not None for way in said) + nobody + void
    if ways > 1 or (ways and claim.ended_by is EndedBy.VOID and not void):
        raise impossible(size, "This says two different things: who won, or an order, or a draw.")
    _check_seats(size, claim.drawn or ())
    marks = _all_marks(rules, claim)
    if void:
        return void_of(size)
    away = seats_with(marks, *_AWAY)
    there = [seat for seat in range(1, size + 1) if seat not in away]
    left = [seat for seat in there if (seat, Mark.CONCEDED) not in marks]
    if nobody or not there:
        places = _with_gaps(size, away, nobody_first(len(there)))
        return outcome_by_places(places, marks, EndedBy.DOUBLE_LOSS, seats=size)
    if ways == 0 or (claim.drawn is not None and len(left) == 1):
        places = _of_one_left(size, there, left)
    elif claim.first is not None:
        _check_still_there(size, left, claim.first)
        places = _won_by(size, there, claim.first)
    elif claim.drawn is not None:
        places = _drawn_by(size, there, left, claim.drawn)
    elif claim.scores is not None:
        places = _by_scores(size, there, claim.scores)
    else:
        places = _in_order(size, there, claim.order or ())
    ended_by = _ending(claim, places, marks, there)
    if ended_by is EndedBy.DOUBLE_LOSS and not claim.by_staff:
        raise _only_staff(size)
    if claim.ended_by not in (None, *_TO_THE_END, ended_by):
        raise impossible(size, "The places and how the table ended do not agree.")
    return outcome_by_places(places, marks, ended_by, seats=size)


def absent_so_far(rules: MatchRules, claim: Claim) -> Seats | None:
    """Return the seats that are empty where a claim says no more, and two or more play on.

    None for a claim that is a result, and in a match of two.
    """
    said = (claim.winner, claim.order, claim.first, claim.drawn, claim.scores, claim.ended_by)
    if rules.size < 3 or any(way is not None for way in said):
        return None
    marks = _all_marks(rules, claim)
    others = any(mark is not Mark.ABSENT for _seat, mark in claim.marks)
    if others or rules.size - len(marks) < 2:
        return None
    return tuple(sorted(seats_with(marks, Mark.ABSENT)))


def _all_marks(rules: MatchRules, claim: Claim) -> Marks:
    _check_seats(rules.size, [seat for seat, _mark in claim.marks])
    gone = {s: mark for s, mark in rules.gone if mark is not Mark.ABSENT or s not in claim.there}
    return marks_of({**gone, **dict(claim.marks)})


def _check_who_says(rules: MatchRules, claim: Claim) -> None:
    """Raise BadInput for what is for the staff; order, winner and draw are for players too."""
    if claim.ended_by is EndedBy.BYE:
        raise impossible(rules.size, "A bye is set by the pairing, not entered.")
    if claim.by_staff:
        return
    if (
        claim.winner is not None
        or claim.ended_by not in _PLAYERS_SAY
        or seats_with(claim.marks, *_AWAY)
    ):
        raise _only_staff(rules.size)


def _only_staff(size: int) -> BadInput:
    return impossible(size, "Only the staff can enter this; call a judge.")


def _check_still_there(size: int, left: Sequence[int], winner: int) -> None:
    _check_seats(size, [winner])
    if winner not in left:
        raise impossible(
            size, "Seat %(seat)s had left the table, so it cannot have won.", seat=winner
        )


def _check_seats(size: int, seats: Collection[int]) -> None:
    """Raise BadInput for a seat that the table has not, or that is named twice."""
    for seat in seats:
        if not 1 <= seat <= size:
            raise impossible(
                size,
                "There is no seat %(seat)s; this table has %(size)s seats.",
                seat=seat,
                size=size,
            )
    twice = sorted({seat for seat in seats if list(seats).count(seat) > 1})
    if twice:
        raise impossible(size, "Seat %(seat)s is named twice.", seat=twice[0])


def _with_gaps(size: int, away: Collection[int], places: Places) -> Places:
    rest = iter(places)
    return tuple(None if seat in away else next(rest) for seat in range(1, size + 1))


def _of_one_left(size: int, there: Sequence[int], left: Sequence[int]) -> Places:
    """Return the places where the marks alone decide: one is left, and first."""
    if len(left) != 1:
        raise impossible(
            size, "Two or more play on at this table: say who wins, or that they drew."
        )
    return _won_by(size, there, left[0])


def _won_by(size: int, there: Sequence[int], winner: int) -> Places:
    _check_present(size, there, [winner])
    places = {seat: 1 if seat == winner else 2 for seat in there}
    return _by_seat(size, places)


def _drawn_by(size: int, there: Sequence[int], left: Sequence[int], drawn: Sequence[int]) -> Places:
    """Return the places of a draw between some of those left, of all of them if none is named."""
    named = tuple(drawn) or tuple(left)
    _check_present(size, there, named)
    level = [seat for seat in named if seat in left]
    if len(named) < 2:
        raise impossible(size, "A draw is between two or more.")
    if len(level) == 1:
        return _won_by(size, there, level[0])
    if not level:
        raise impossible(size, "Everybody named has conceded: say who was left.")
    places = {seat: 1 if seat in level else len(level) + 1 for seat in there}
    return _by_seat(size, places)


def _by_scores(size: int, there: Sequence[int], scores: tuple[int | None, ...]) -> Places:
    given = list(scores)
    if len(given) == len(there) < size:
        rest = iter(given)
        given = [next(rest) if seat in there else None for seat in range(1, size + 1)]
    if len(given) != size:
        raise impossible(
            size,
            "There are %(given)s scores; this table has %(size)s seats.",
            given=len(given),
            size=size,
        )
    if any(score is not None and not LEAST_SCORE <= score <= MOST_SCORE for score in given):
        raise impossible(
            size,
            "A score is a whole number from %(least)s to %(most)s.",
            least=LEAST_SCORE,
            most=MOST_SCORE,
        )
    figures = [given[seat - 1] if seat in there else None for seat in range(1, size + 1)]
    missing = [seat for seat in there if figures[seat - 1] is None]
    if missing:
        raise impossible(size, "Seat %(seat)s has no score.", seat=missing[0])
    return places_by(figures)


def _in_order(size: int, there: Sequence[int], order: Places) -> Places:
    """Return the places of an order; those whom it leaves out share the last place.

    Only who conceded may be left out, and only who is present may be in it.
    """
    if len(order) != size:
        raise impossible(
            size,
            "There are %(given)s places; this table has %(size)s seats.",
            given=len(order),
            size=size,
        )
    named = [seat for seat in range(1, size + 1) if order[seat - 1] is not None]
    _check_present(size, there, named)
    if not are_places(order) or not named:
        raise impossible(
            size, "A place is one more than the number of seats placed better, as in 1, 2, 2, 4."
        )
    places = {seat: order[seat - 1] or len(named) + 1 for seat in there}
    return _by_seat(size, places)


def _check_present(size: int, there: Sequence[int], seats: Collection[int]) -> None:
    _check_seats(size, seats)
    missing = [seat for seat in seats if seat not in there]
    if missing:
        raise impossible(
            size,
            "Seat %(seat)s was not there, so it has no place: %(there)s were.",
            seat=missing[0],
            there=joined_seats(there),
        )


def _by_seat(size: int, places: Mapping[int, int]) -> Places:
    return tuple(places.get(seat) for seat in range(1, size + 1))


def _ending(claim: Claim, places: Places, marks: Marks, there: Sequence[int]) -> EndedBy:
    """Return how the table ended: as said, or as the places and the marks tell."""
    if claim.order is not None and all(place in (None, 2) for place in places):
        return EndedBy.DOUBLE_LOSS
    first = sum(place == 1 for place in places)
    conceded = seats_with(marks, Mark.CONCEDED)
    if first == 1 and len(there) == 1:
        absent = seats_with(marks, Mark.ABSENT)
        return EndedBy.NO_SHOW if absent else EndedBy.DISQUALIFICATION
    if first == 1 and len(there) - len(conceded) == 1:
        return EndedBy.CONCESSION
    if claim.drawn is not None and first > 1:
        return claim.ended_by or EndedBy.TIME
    return claim.ended_by if claim.ended_by in _TO_THE_END else EndedBy.PLAYED


def settled_by_leaving(size: int, gone: Marks) -> Outcome | None:
    """Return the outcome of a table that those who left decide: one or nobody is left.

    None while two or more play on.
    """
    leaving = {seat for seat, _mark in gone}
    if size - len(leaving) > 1:
        return None
    rules = MatchRules(best_of=1, draws=True, score="games", timed=True, size=size, gone=gone)
    winner = Winner.NONE if len(leaving) == size else None
    return settle(rules, Claim(winner=winner, by_staff=True))


def with_own_concession(claim: Claim, seat: int) -> Claim:
    """Return a player's claim; raises BadInput if it says that somebody else conceded."""
    if any(named != seat for named, _mark in claim.marks):
        raise BadInput(
            "impossible_result",
            "Players say their own concession only. Nothing was stored: call a judge.",
        )
    return replace(claim, by_staff=False)
