"""Settling: the outcome to store for a claim about a match, of a table by the marks of its seats.

Source: tournament rules, A match; tables, 3.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from rules.errors import BadInput
from rules.matches.match_rules import (
    Claim,
    MatchRules,
    Scoresheet,
    Seats,
    impossible_result_error,
    read_scoresheet,
)
from rules.results import (
    SEAT_WINNERS,
    Marks,
    MatchEnding,
    Outcome,
    Places,
    SeatMark,
    TieBreak,
    Winner,
    outcome_by_places,
    outcome_by_winner,
    void_outcome,
)
from rules.tables.results import are_valid_places, places_from_scores, places_without_winner
from rules.wording import Sentence

_WITHOUT_PLAY = (
    MatchEnding.CONCESSION,
    MatchEnding.NO_SHOW,
    MatchEnding.NO_WARRIORS,
    MatchEnding.DISQUALIFICATION,
    MatchEnding.PENALTY,
)
_PLAYERS_SAY = (MatchEnding.CONCESSION, MatchEnding.NO_WARRIORS)
"""Early endings that players may report themselves; others are staff decisions."""
TIE_BREAK_WORDS = {
    TieBreak.WARRIORS: Sentence("More warriors in play (SDOPPIAMENTO cards don’t count)"),
    TieBreak.EXTRA_TURNS: Sentence("Extra turns"),
    TieBreak.JUDGE: Sentence("Decision of a judge"),
}


def resolve_claim(rules: MatchRules, claim: Claim) -> Outcome:
    """Return the outcome to store for a claimed result, of any number of seats.

    Raises BadInput ``impossible_result`` with the problem and the possible results.
    """
    if rules.size > 2:
        return resolve_table_claim(rules, claim)
    if claim.has_multiplayer_parts:
        raise impossible_result_error(rules, "This result isn’t valid for this match.")
    if claim.ended_by is MatchEnding.BYE:
        raise impossible_result_error(rules, "This result isn’t valid for this match.")
    sheet = read_scoresheet(rules, claim)
    _check_tie_break(rules, claim, sheet)
    if _is_void_or_double_loss(claim):
        return _settle_without_winner(rules, claim, sheet)
    if claim.ended_by in _WITHOUT_PLAY:
        return _settle_forfeit(rules, claim, sheet)
    if sheet is None:
        return _without_score(rules, claim)
    return _settle_played(rules, claim, sheet)


def _is_void_or_double_loss(claim: Claim) -> bool:
    return claim.winner in (Winner.NONE, Winner.VOID) or claim.ended_by in (
        MatchEnding.DOUBLE_LOSS,
        MatchEnding.VOID,
    )


def _check_tie_break(rules: MatchRules, claim: Claim, sheet: Scoresheet | None) -> None:
    """Reject a tie-break that decides nothing, instead of ignoring it."""
    if claim.tie_break is None:
        return
    level = not rules.draws and sheet is not None and sheet.leader is Winner.DRAW
    if not level or claim.ended_by in _WITHOUT_PLAY or _is_void_or_double_loss(claim):
        raise impossible_result_error(rules, "Only a tied knock-out match needs a tiebreaker.")


def _require_staff(rules: MatchRules, claim: Claim) -> None:
    if not claim.by_staff:
        raise impossible_result_error(rules, "Only staff can enter this. Call a judge.")


def _settle_without_winner(rules: MatchRules, claim: Claim, sheet: Scoresheet | None) -> Outcome:
    """Settle a double loss or a void match."""
    _require_staff(rules, claim)
    void = claim.winner is Winner.VOID or (
        claim.winner is None and claim.ended_by is MatchEnding.VOID
    )
    winner, ended_by = (
        (Winner.VOID, MatchEnding.VOID) if void else (Winner.NONE, MatchEnding.DOUBLE_LOSS)
    )
    if claim.winner not in (None, winner) or claim.ended_by not in (
        None,
        ended_by,
        MatchEnding.PLAYED,
        MatchEnding.TIME,
        *_WITHOUT_PLAY,
    ):
        raise impossible_result_error(rules, "This result isn’t valid for this match.")
    if void and not rules.may_be_void:
        raise impossible_result_error(rules, "A knock-out match needs a winner.")
    if sheet is not None and claim.ended_by is not ended_by:
        _require_reason(rules, claim)
    return _outcome(sheet, winner, ended_by)


def _settle_forfeit(rules: MatchRules, claim: Claim, sheet: Scoresheet | None) -> Outcome:
    """Settle a forfeit: no score is required, and a score does not decide the winner."""
    ended_by = claim.ended_by or MatchEnding.CONCESSION
    if ended_by not in _PLAYERS_SAY:
        _require_staff(rules, claim)
    if ended_by is MatchEnding.NO_WARRIORS and rules.score != "promotion":
        raise impossible_result_error(rules, "This result isn’t valid for this match.")
    if claim.winner not in SEAT_WINNERS:
        raise impossible_result_error(rules, "Enter the winner.")
    if ended_by is MatchEnding.NO_SHOW and sheet is not None:
        raise impossible_result_error(rules, "This result isn’t valid for this match.")
    if sheet is not None and sheet.complete and not claim.by_staff:
        raise impossible_result_error(rules, "This result isn’t valid for this match.")
    return _outcome(sheet, claim.winner, ended_by)


def _without_score(rules: MatchRules, claim: Claim) -> Outcome:
    """Settle a winner without a score: a forfeit awarded by the staff."""
    if claim.winner in SEAT_WINNERS and claim.by_staff and claim.note.strip():
        return _outcome(None, claim.winner, MatchEnding.CONCESSION, by_decision=True)
    if rules.by_points:
        raise impossible_result_error(rules, "Enter the points of both players.")
    raise impossible_result_error(rules, "Enter the games won by each player.")


def _require_reason(rules: MatchRules, claim: Claim) -> None:
    _require_staff(rules, claim)
    if not claim.note.strip():
        raise impossible_result_error(rules, "The winner doesn’t match the score. Add a note.")


def _settle_played(rules: MatchRules, claim: Claim, sheet: Scoresheet) -> Outcome:
    if not rules.draws and claim.winner is Winner.DRAW:
        raise impossible_result_error(rules, "A knock-out match needs a winner.")
    if sheet.leader is Winner.DRAW:
        return _settle_level(rules, claim, sheet)
    ended_by = _ending_with_leader(rules, claim, sheet)
    if claim.winner in (None, sheet.leader):
        return _outcome(sheet, sheet.leader, ended_by)
    _require_reason(rules, claim)
    return _outcome(sheet, claim.winner or sheet.leader, ended_by, by_decision=True)


def _ending_with_leader(rules: MatchRules, claim: Claim, sheet: Scoresheet) -> MatchEnding:
    """Return the ending of a match that has a leader: played out, or at time."""
    may_stop = rules.draws or rules.timed
    if sheet.complete:
        if claim.ended_by is MatchEnding.TIME and may_stop and rules.by_points:
            return MatchEnding.TIME
        return MatchEnding.PLAYED
    if rules.by_points and (claim.ended_by is MatchEnding.PLAYED or not may_stop):
        return MatchEnding.PLAYED
    if claim.ended_by is MatchEnding.PLAYED or not may_stop:
        if claim.winner is not None and claim.by_staff and claim.note.strip():
            return MatchEnding.PLAYED
        raise impossible_result_error(
            rules, "Games needed to win: %(needed)s.", needed=rules.needed
        )
    return MatchEnding.TIME


def _settle_level(rules: MatchRules, claim: Claim, sheet: Scoresheet) -> Outcome:
    """Return the outcome of a match in which both have as many games.

    Where a stage allows draws it is a draw, unless the claim names a winner; in a knock-out the
    claim must name one, and how the tie was broken. Raises BadInput for what the rules of the match
    exclude.
    """
    decided = claim.winner in SEAT_WINNERS
    if rules.by_points and sheet.score is not None and not decided:
        reached = rules.by_promotion and max(sheet.score) >= rules.target
        played = rules.by_promotion and claim.ended_by is MatchEnding.PLAYED
        if played or (reached and claim.ended_by is None):
            raise impossible_result_error(rules, "If points are equal, the game goes on.")
    if claim.winner in SEAT_WINNERS:
        if rules.draws or claim.tie_break is None:
            return _settle_level_by_decision(rules, claim, sheet, claim.winner)
        return _outcome(sheet, claim.winner, MatchEnding.TIME, tie_break=_tie_break(rules, claim))
    if not rules.draws:
        raise impossible_result_error(
            rules,
            "Enter the winner and how the tie was broken: %(by)s.",
            by=_in_words(rules),
        )
    if claim.ended_by is MatchEnding.PLAYED and not rules.by_points and rules.best_of > 1:
        raise impossible_result_error(
            rules, "Games needed to win: %(needed)s.", needed=rules.needed
        )
    ended_by = claim.ended_by or MatchEnding.TIME
    return _outcome(sheet, Winner.DRAW, ended_by)


def _settle_level_by_decision(
    rules: MatchRules, claim: Claim, sheet: Scoresheet, winner: Winner
) -> Outcome:
    if not rules.draws and not claim.note.strip():
        raise impossible_result_error(
            rules,
            "Enter the winner and how the tie was broken: %(by)s.",
            by=_in_words(rules),
        )
    _require_reason(rules, claim)
    ended_by = claim.ended_by or MatchEnding.TIME
    tie_break = None if rules.draws else TieBreak.JUDGE
    return _outcome(sheet, winner, ended_by, tie_break=tie_break, by_decision=True)


def _allowed_tie_breaks(rules: MatchRules) -> tuple[TieBreak, ...]:
    """Return the allowed tie-breaks: warriors and extra turns apply to Doomtrooper only."""
    return tuple(TieBreak) if rules.by_promotion else (TieBreak.JUDGE,)


def _in_words(rules: MatchRules) -> tuple[Sentence, ...]:
    return tuple(TIE_BREAK_WORDS[tie_break] for tie_break in _allowed_tie_breaks(rules))


def _tie_break(rules: MatchRules, claim: Claim) -> TieBreak | None:
    if claim.tie_break not in _allowed_tie_breaks(rules):
        raise impossible_result_error(
            rules,
            "Enter the winner and how the tie was broken: %(by)s.",
            by=_in_words(rules),
        )
    if claim.tie_break is TieBreak.JUDGE:
        _require_staff(rules, claim)
    return claim.tie_break


def _outcome(
    sheet: Scoresheet | None,
    winner: Winner,
    ended_by: MatchEnding,
    *,
    tie_break: TieBreak | None = None,
    by_decision: bool = False,
) -> Outcome:
    return outcome_by_winner(
        winner,
        ended_by,
        score=sheet.score if sheet else None,
        games=sheet.games if sheet else (),
        games_won=sheet.games_won if sheet else None,
        tie_break=tie_break,
        by_decision=by_decision,
    )


def marks_by_seat(marks: Mapping[int, SeatMark]) -> Marks:
    """Return marks by seat as (seat, mark) pairs in seat order."""
    return tuple(sorted(marks.items()))


def seats_with_mark(marks: Marks, *kinds: SeatMark) -> frozenset[int]:
    """Return the seats that have one of these marks."""
    return frozenset(seat for seat, mark in marks if mark in kinds)


def impossible_table_result_error(size: int, problem: str, /, **values: object) -> BadInput:
    """Return the BadInput ``impossible_result`` of a multiplayer table, with possible results."""
    return BadInput(
        "impossible_result",
        "%(problem)s Possible: %(possible)s.",
        problem=Sentence(problem, values),
        possible=table_shorthand_help(size),
    )


def table_shorthand_help(size: int) -> Sentence:
    """Return the message that describes what can be typed for a multiplayer table."""
    return Sentence(
        "1–%(size)s: winning seat; %(order)s: finishing order; =: draw; "
        "=13: draw of seats 1 and 3; 0: nobody wins; a3: seat 3 absent",
        {"size": size, "order": "31245"[:size]},
    )


LEAST_SCORE, MOST_SCORE = -999, 9999
_AWAY = (SeatMark.ABSENT, SeatMark.DISQUALIFIED)
_PLAYERS_SAY_AT_TABLE = (None, MatchEnding.PLAYED, MatchEnding.TIME, MatchEnding.CONCESSION)
_TO_THE_END = (MatchEnding.PLAYED, MatchEnding.TIME)


def check_table_claim(rules: MatchRules, claim: Claim) -> None:
    """Raise BadInput ``impossible_result`` if a claim has parts of a two-player match.

    Those are a score, games, a tie-break, and a or b as the winner.
    """
    if claim.has_two_player_parts:
        raise impossible_table_result_error(
            rules.size,
            "This result isn’t valid for this match.",
            size=rules.size,
        )


def resolve_table_claim(rules: MatchRules, claim: Claim) -> Outcome:
    """Return the outcome to store for a claimed result of a multiplayer table.

    Players whom the rules count as absent are marked so unless the claim marks them otherwise.
    Raises BadInput ``impossible_result`` with the problem and the possible results.
    """
    size = rules.size
    check_table_claim(rules, claim)
    _check_who_says(rules, claim)
    void = (claim.winner or claim.ended_by) in (Winner.VOID, MatchEnding.VOID)
    nobody = claim.winner is Winner.NONE
    said = [claim.order, claim.first, claim.drawn, claim.scores]
    ways = sum(way is not None for way in said) + nobody + void
    if ways > 1 or (ways and claim.ended_by is MatchEnding.VOID and not void):
        raise impossible_table_result_error(size, "This result isn’t valid for this match.")
    _check_seats(size, claim.drawn or ())
    marks = _all_marks(rules, claim)
    if void:
        return void_outcome(size)
    away = seats_with_mark(marks, *_AWAY)
    there = [seat for seat in range(1, size + 1) if seat not in away]
    left = [seat for seat in there if (seat, SeatMark.CONCEDED) not in marks]
    if nobody or not there:
        places = _with_gaps(size, away, places_without_winner(len(there)))
        return outcome_by_places(places, marks, MatchEnding.DOUBLE_LOSS, seats=size)
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
        places = _by_order(size, there, claim.order or ())
    ended_by = _ending(claim, places, marks, there)
    if ended_by is MatchEnding.DOUBLE_LOSS and not claim.by_staff:
        raise _only_staff(size)
    if claim.ended_by not in (None, *_TO_THE_END, ended_by):
        raise impossible_table_result_error(size, "This result isn’t valid for this match.")
    return outcome_by_places(places, marks, ended_by, seats=size)


def seats_absent_so_far(rules: MatchRules, claim: Claim) -> Seats | None:
    """Return the seats of absent players if a claim at a multiplayer table says only that.

    None if it contains a result, or fewer than two players are left.
    """
    said = (claim.winner, claim.order, claim.first, claim.drawn, claim.scores, claim.ended_by)
    if rules.size < 3 or any(way is not None for way in said):
        return None
    marks = _all_marks(rules, claim)
    others = any(mark is not SeatMark.ABSENT for _seat, mark in claim.marks)
    if others or rules.size - len(marks) < 2:
        return None
    return tuple(sorted(seats_with_mark(marks, SeatMark.ABSENT)))


def _all_marks(rules: MatchRules, claim: Claim) -> Marks:
    _check_seats(rules.size, [seat for seat, _mark in claim.marks])
    gone = {
        s: mark for s, mark in rules.gone if mark is not SeatMark.ABSENT or s not in claim.there
    }
    return marks_by_seat({**gone, **dict(claim.marks)})


def _check_who_says(rules: MatchRules, claim: Claim) -> None:
    """Raise BadInput for what is for the staff; order, winner and draw are for players too."""
    if claim.ended_by is MatchEnding.BYE:
        raise impossible_table_result_error(rules.size, "This result isn’t valid for this match.")
    if claim.by_staff:
        return
    if (
        claim.winner is not None
        or claim.ended_by not in _PLAYERS_SAY_AT_TABLE
        or seats_with_mark(claim.marks, *_AWAY)
    ):
        raise _only_staff(rules.size)


def _only_staff(size: int) -> BadInput:
    return impossible_table_result_error(size, "Only staff can enter this. Call a judge.")


def _check_still_there(size: int, left: Sequence[int], winner: int) -> None:
    _check_seats(size, [winner])
    if winner not in left:
        raise impossible_table_result_error(
            size, "The player in seat %(seat)s has left or is absent.", seat=winner
        )


def _check_seats(size: int, seats: Collection[int]) -> None:
    """Raise BadInput for a seat that the table has not, or that is named twice."""
    for seat in seats:
        if not 1 <= seat <= size:
            raise impossible_table_result_error(
                size,
                "There is no seat %(seat)s.",
                seat=seat,
                size=size,
            )
    twice = sorted({seat for seat in seats if list(seats).count(seat) > 1})
    if twice:
        raise impossible_table_result_error(size, "Seat %(seat)s is entered twice.", seat=twice[0])


def _with_gaps(size: int, away: Collection[int], places: Places) -> Places:
    rest = iter(places)
    return tuple(None if seat in away else next(rest) for seat in range(1, size + 1))


def _of_one_left(size: int, there: Sequence[int], left: Sequence[int]) -> Places:
    """Return the places where the marks alone decide: one is left, and first."""
    if len(left) != 1:
        raise impossible_table_result_error(size, "Enter the winner.")
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
        raise impossible_table_result_error(size, "A drawn match needs at least two players.")
    if len(level) == 1:
        return _won_by(size, there, level[0])
    if not level:
        raise impossible_table_result_error(size, "Enter the winner.")
    places = {seat: 1 if seat in level else len(level) + 1 for seat in there}
    return _by_seat(size, places)


def _by_scores(size: int, there: Sequence[int], scores: tuple[int | None, ...]) -> Places:
    given = list(scores)
    if len(given) == len(there) < size:
        rest = iter(given)
        given = [next(rest) if seat in there else None for seat in range(1, size + 1)]
    if len(given) != size:
        raise impossible_table_result_error(
            size,
            "Enter %(size)s values, one per seat.",
            given=len(given),
            size=size,
        )
    if any(score is not None and not LEAST_SCORE <= score <= MOST_SCORE for score in given):
        raise impossible_table_result_error(
            size,
            "Enter a whole number from %(least)s to %(most)s.",
            least=LEAST_SCORE,
            most=MOST_SCORE,
        )
    figures = [given[seat - 1] if seat in there else None for seat in range(1, size + 1)]
    missing = [seat for seat in there if figures[seat - 1] is None]
    if missing:
        raise impossible_table_result_error(size, "Seat %(seat)s is missing.", seat=missing[0])
    return places_from_scores(figures)


def _by_order(size: int, there: Sequence[int], order: Places) -> Places:
    """Return the places of an order; those whom it leaves out share the last place.

    Only who conceded may be left out, and only who is present may be in it.
    """
    if len(order) != size:
        raise impossible_table_result_error(
            size,
            "Enter %(size)s values, one per seat.",
            given=len(order),
            size=size,
        )
    named = [seat for seat in range(1, size + 1) if order[seat - 1] is not None]
    _check_present(size, there, named)
    if not are_valid_places(order) or not named:
        raise impossible_table_result_error(size, "Enter places like this: 1, 2, 2, 4.")
    places = {seat: order[seat - 1] or len(named) + 1 for seat in there}
    return _by_seat(size, places)


def _check_present(size: int, there: Sequence[int], seats: Collection[int]) -> None:
    _check_seats(size, seats)
    missing = [seat for seat in seats if seat not in there]
    if missing:
        raise impossible_table_result_error(
            size,
            "The player in seat %(seat)s has left or is absent.",
            seat=missing[0],
            there=", ".join(map(str, sorted(there))),
        )


def _by_seat(size: int, places: Mapping[int, int]) -> Places:
    return tuple(places.get(seat) for seat in range(1, size + 1))


def _ending(claim: Claim, places: Places, marks: Marks, there: Sequence[int]) -> MatchEnding:
    """Return how the table ended: as said, or as the places and the marks tell."""
    if claim.order is not None and all(place in (None, 2) for place in places):
        return MatchEnding.DOUBLE_LOSS
    first = sum(place == 1 for place in places)
    conceded = seats_with_mark(marks, SeatMark.CONCEDED)
    if first == 1 and len(there) == 1:
        absent = seats_with_mark(marks, SeatMark.ABSENT)
        return MatchEnding.NO_SHOW if absent else MatchEnding.DISQUALIFICATION
    if first == 1 and len(there) - len(conceded) == 1:
        return MatchEnding.CONCESSION
    if claim.drawn is not None and first > 1:
        return claim.ended_by or MatchEnding.TIME
    return claim.ended_by if claim.ended_by in _TO_THE_END else MatchEnding.PLAYED


def outcome_after_drops(size: int, gone: Marks) -> Outcome | None:
    """Return the outcome of a multiplayer table at which at most one player is left.

    None if more are. ``gone`` are the marks of the players who left, as (seat, mark).
    """
    leaving = {seat for seat, _mark in gone}
    if size - len(leaving) > 1:
        return None
    rules = MatchRules(best_of=1, draws=True, score="games", timed=True, size=size, gone=gone)
    winner = Winner.NONE if len(leaving) == size else None
    return resolve_table_claim(rules, Claim(winner=winner, by_staff=True))


def player_claim(claim: Claim, seat: int) -> Claim:
    """Return a claim as one that a player made, not staff.

    ``seat`` is the player's; raises BadInput ``impossible_result`` if it marks another seat.
    """
    if any(named != seat for named, _mark in claim.marks):
        raise BadInput(
            "impossible_result",
            "Only staff can enter this. Call a judge.",
        )
    return replace(claim, by_staff=False)
