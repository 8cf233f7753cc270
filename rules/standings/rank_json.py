"""The JSON format of ``rank``: match results in, standings out.

Source: contracts, rank.
"""

import json
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import lcm
from typing import TypedDict

from rules.criteria import CRITERIA
from rules.errors import BadInput
from rules.json_depth import check_depth
from rules.json_reader import (
    ANY_TEXT,
    Fields,
    Reader,
    Whole,
    WrongValue,
    distinct,
    fraction,
    list_of,
    maybe,
    one_of,
    read_document,
)
from rules.point_parts import DENOMINATORS
from rules.results import EndedBy, PlayerId, Points, Result, Winner, leader_of, result_of_two
from rules.standings.table import DEFAULT_CRITERIA, Standing, Standings

MOST_PLAYERS = 5_000
MOST_MATCHES = 100_000
MOST_GAMES = 99
"""Of each kind in a match: more make denominators of thousands of digits."""
INVALID = "invalid_results"
LARGEST_NUMBER = 999_999
"""The largest number accepted anywhere; keeps sums and pages readable."""
NUMBER, POINTS = Whole(0, LARGEST_NUMBER), fraction(LARGEST_NUMBER, DENOMINATORS)
SHARE = fraction(1, range(1, 101))
SCORE = list_of(NUMBER, 2, least=2)
GAMES = list_of(Whole(0, MOST_GAMES), 3, least=3)
WINNER = one_of(Winner)
KEYS = distinct(list_of(one_of(CRITERIA.keys())))
FIGURES = ("rank", "player", "played", "won", "drawn", "lost")
"""What JSON tells of a row as it is."""


class RankArguments(TypedDict):
    """The keyword arguments of ``rank``."""

    players: tuple[PlayerId, ...]
    results: tuple[Result, ...]
    criteria: tuple[str, ...]
    points: Points
    lots: tuple[PlayerId, ...]
    penalties: dict[PlayerId, int]
    dropped: frozenset[PlayerId]


def read(text: str | bytes) -> object:
    """Parse JSON in UTF-8; raises BadInput ``invalid_json``."""
    try:
        # A byte order mark, as some editors write it, is no reason to refuse a file.
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        check_depth(decoded.encode())
        value: object = json.loads(decoded)
    except ValueError as error:
        raise BadInput(
            "invalid_json", "This is not JSON in UTF-8: %(reason)s.", path="", reason=str(error)
        ) from None
    return value


def parse(document: object) -> RankArguments:
    """Return the arguments of ``rank`` from the JSON value that the contract defines.

    Raises BadInput ``invalid_results``, with the path of the offending value as ``path``, such as
    ``matches[3].score[1]``. ``withdrawn`` matter to ``dropped_cap`` alone.
    """
    return read_document(INVALID, _arguments, document)


def _arguments(value: object) -> RankArguments:
    given = Fields(value)
    players = given.read("players", players_up_to(MOST_PLAYERS))
    player = one_of_players(players)
    points = given.optional("points", _points, Points())
    cap = given.optional("dropped_cap", SHARE, None)
    return RankArguments(
        players=players,
        results=given.optional("matches", list_of(partial(_match, player), MOST_MATCHES), ()),
        criteria=given.optional("criteria", KEYS, ()) or DEFAULT_CRITERIA,
        points=replace(points, dropped_cap=cap),
        lots=given.optional("lots", distinct(list_of(player)), ()),
        penalties=given.optional("penalties", partial(read_penalties, players), {}),
        dropped=frozenset(given.optional("withdrawn", list_of(player), ())),
    )


def render(standings: Standings) -> dict[str, object]:
    """Return the standings as the contract's JSON value: integers, and fractions as text."""
    return {
        "standings": [render_row(row) for row in standings.rows],
        "tied": [list(level) for level in standings.tied],
    }


def render_row(row: Standing) -> dict[str, object]:
    """Return one row as the contract defines it."""
    return {
        **{name: getattr(row, name) for name in FIGURES},
        "values": {key: render_number(value) for key, value in row.values.items()},
        "placed_by": row.placed_by,
    }


def render_number(value: Fraction) -> int | str:
    """Return an integer as it is, a fraction as text such as ``"4/9"``."""
    return value.numerator if value.denominator == 1 else str(value)


def players_up_to(most: int) -> Reader[tuple[PlayerId, ...]]:
    """Return a reader of the players of a document, each once."""
    return distinct(list_of(read_player, most), str)


def read_player(value: object) -> PlayerId:
    """Return what a player is called: a text or a whole number."""
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise WrongValue("A player is a text or a whole number.")
    return value if isinstance(value, int) else ANY_TEXT(value)


def one_of_players(players: tuple[PlayerId, ...]) -> Reader[PlayerId]:
    """Return a reader of a player of the document."""
    known = frozenset(players)

    def read(value: object) -> PlayerId:
        if isinstance(value, bool) or not isinstance(value, str | int) or value not in known:
            raise WrongValue("This is not one of the players.")
        return value

    return read


def _points(value: object) -> Points:
    given, standard = Fields(value), Points()
    usual = {"win": standard.win, "draw": standard.draw, "loss": standard.loss}
    exact = [given.read(key, POINTS, Fraction(worth)) for key, worth in usual.items()]
    parts = lcm(*(points.denominator for points in exact))
    win, draw, loss = (int(points * parts) for points in exact)
    return Points(win=win, draw=draw, loss=loss, parts=parts)


def read_penalties(players: tuple[PlayerId, ...], value: object) -> dict[PlayerId, int]:
    """Return how many penalties players have."""
    # The keys of a JSON object are texts, also those of players that are numbers.
    by_text = {str(player): player for player in players}
    penalties: dict[PlayerId, int] = {}
    for name, count in Fields(value).values.items():
        try:
            if name not in by_text:
                raise WrongValue("This is not one of the players.")
            penalties[by_text[name]] = NUMBER(count)
        except WrongValue as wrong:
            raise wrong.inside(f"[{json.dumps(name)}]") from None
    return penalties


def _match(player: Reader[PlayerId], value: object) -> Result:
    given = Fields(value)
    a, b = given.read("a", player), given.read("b", maybe(player))
    if a == b:
        raise WrongValue("Nobody plays against themselves.", at="b")
    score = given.optional("score", _score, None)
    games = given.optional("games", _games, None)
    winner = given.optional("winner", WINNER, None)
    if b is None:
        return result_of_two(
            a,
            None,
            round=given.optional("round", NUMBER, 0),
            winner=_outcome_without_opponent(winner),
            games=games,
            ended_by=EndedBy.BYE,
        )
    if score is None and games is not None:
        score = games[:2]
    return result_of_two(
        a,
        b,
        round=given.optional("round", NUMBER, 0),
        winner=Winner(winner) if winner else leader_of(*score) if score is not None else None,
        score=score,
        games=games,
    )


def _score(value: object) -> tuple[int, int]:
    a, b = SCORE(value)
    return a, b


def _games(value: object) -> tuple[int, int, int]:
    a, b, drawn = GAMES(value)
    return a, b, drawn


def _outcome_without_opponent(winner: str | None) -> Winner:
    """Return the outcome without an opponent: a bye, half of one, a lost round, or void."""
    if winner == Winner.B:
        raise WrongValue("Without an opponent the winner is “a”, “draw” or “none”.", at="winner")
    return Winner(winner or Winner.A)
