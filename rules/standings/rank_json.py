"""The JSON format of ``rank``: match results in, standings out.

Source: contracts, rank.
"""

import json
from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import TypedDict

from rules.criteria import CRITERIA
from rules.results import EndedBy, PlayerId, Points, Result, Winner, leader_of
from rules.standings.json_validation import (
    as_list,
    as_object,
    each,
    each_once,
    halves,
    is_text,
    limit,
    read,
    required,
    whole,
    wholes,
    wrong,
)
from rules.standings.table import DEFAULT_CRITERIA, Standing, Standings
from rules.wording import gettext_noop as _

__all__ = ["RankArguments", "parse", "read", "render", "render_number", "render_row"]

MOST_PLAYERS = 5_000
MOST_MATCHES = 100_000
MOST_GAMES = 99
"""Of each kind in a match: more make denominators of thousands of digits."""
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


def parse(document: object) -> RankArguments:
    """Return the arguments of ``rank`` from the JSON value that the contract defines.

    Raises BadInput ``invalid_results``, with the path of the offending value as ``path``, such as
    ``matches[3].score[1]``. ``withdrawn`` is validated but has no effect.
    """
    top = as_object(document, "")
    limit(top, "players", MOST_PLAYERS)
    limit(top, "matches", MOST_MATCHES)
    players = players_of(required(top, "players", ""))
    known = frozenset(players)
    each(top, "withdrawn", lambda value, path: known_player(value, path, known))
    return RankArguments(
        players=players,
        results=each(top, "matches", lambda value, path: _match(value, path, known)),
        criteria=_criteria(top),
        points=_points(top),
        lots=lots_of(top, known),
        penalties=penalties_of(top, known),
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


def players_of(value: object, at: str = "players[{index}]") -> tuple[PlayerId, ...]:
    """Return the players of a document, each once; ``at`` is the path of one."""
    players: dict[str, PlayerId] = {}
    for index, item in enumerate(as_list(value, "players")):
        path = at.format(index=index)
        if isinstance(item, bool) or not isinstance(item, str | int) or item == "":
            raise wrong(path, _("A player is a text or a whole number."))
        if not is_text(str(item)):
            raise wrong(path, _("This holds half characters."))
        if str(item) in players:
            raise wrong(path, _("This player is in the list already."))
        players[str(item)] = item
    return tuple(players.values())


def known_player(value: object, path: str, known: frozenset[PlayerId]) -> PlayerId:
    """Return a player of the document; raises BadInput for anybody else."""
    if isinstance(value, bool) or not isinstance(value, str | int) or value not in known:
        raise wrong(path, _("This is not one of the players."))
    return value


def _criteria(top: Mapping[str, object]) -> tuple[str, ...]:
    def criterion(value: object, path: str) -> str:
        if not isinstance(value, str) or value not in CRITERIA:
            raise wrong(
                path, _("This is not a criterion. Known: %(known)s."), known=CRITERIA.keys()
            )
        return value

    return each_once(top, "criteria", criterion) or DEFAULT_CRITERIA


def _points(top: Mapping[str, object]) -> Points:
    given = top.get("points")
    if given is None:
        return Points()
    standard = Points()
    usual = {"win": standard.win, "draw": standard.draw, "loss": standard.loss}
    worth = as_object(given, "points")
    exact = {key: halves(worth.get(key, least), f"points.{key}") for key, least in usual.items()}
    parts = lcm(*(points.denominator for points in exact.values()))
    win, draw, loss = (int(points * parts) for points in exact.values())
    return Points(win=win, draw=draw, loss=loss, parts=parts)


def lots_of(top: Mapping[str, object], known: frozenset[PlayerId]) -> tuple[PlayerId, ...]:
    """Return the order that was drawn, each player once."""

    def player(value: object, path: str) -> PlayerId:
        return known_player(value, path, known)

    return each_once(top, "lots", player)


def penalties_of(top: Mapping[str, object], known: frozenset[PlayerId]) -> dict[PlayerId, int]:
    """Return how many penalties players have."""
    given = top.get("penalties")
    if given is None:
        return {}
    # The keys of a JSON object are texts, also those of players that are numbers.
    by_text = {str(player): player for player in known}
    penalties: dict[PlayerId, int] = {}
    for name, count in as_object(given, "penalties").items():
        path = f"penalties[{json.dumps(name)}]"
        penalties[known_player(by_text.get(name), path, known)] = whole(count, path)
    return penalties


def _match(value: object, path: str, known: frozenset[PlayerId]) -> Result:
    match = as_object(value, path)
    a = known_player(required(match, "a", path), f"{path}.a", known)
    opponent = required(match, "b", path)
    b = None if opponent is None else known_player(opponent, f"{path}.b", known)
    if a == b:
        raise wrong(f"{path}.b", _("Nobody plays against themselves."))
    score, games = _score(match, path), _games(match, path)
    if b is None:
        return Result(
            a=a,
            b=None,
            round=round_of(match, path),
            winner=_outcome_without_opponent(match, path),
            games=games,
            ended_by=EndedBy.BYE,
        )
    if score is None and games is not None:
        score = games[:2]
    return Result(
        a=a,
        b=b,
        round=round_of(match, path),
        winner=_winner(match, path) or (leader_of(*score) if score is not None else None),
        score=score,
        games=games,
    )


def round_of(match: Mapping[str, object], path: str) -> int:
    """Return the round that a match of the document names, 0 if it names none."""
    value = match.get("round")
    return 0 if value is None else whole(value, f"{path}.round")


def _score(match: Mapping[str, object], path: str) -> tuple[int, int] | None:
    value = match.get("score")
    if value is None:
        return None
    a, b = wholes(value, f"{path}.score", 2)
    return a, b


def _games(match: Mapping[str, object], path: str) -> tuple[int, int, int] | None:
    value = match.get("games")
    if value is None:
        return None
    a, b, drawn = wholes(value, f"{path}.games", 3, MOST_GAMES)
    return a, b, drawn


def _winner(match: Mapping[str, object], path: str) -> Winner | None:
    value = match.get("winner")
    if value is None:
        return None
    if not isinstance(value, str) or value not in tuple(Winner):
        raise wrong(
            f"{path}.winner", _("A winner is one of: %(known)s."), known=tuple(map(str, Winner))
        )
    return Winner(value)


def _outcome_without_opponent(match: Mapping[str, object], path: str) -> Winner:
    """Return the outcome without an opponent: a bye, a lost round, or void."""
    winner = _winner(match, path) or Winner.A
    if winner in (Winner.B, Winner.DRAW):
        raise wrong(f"{path}.winner", _("Without an opponent the winner is “a” or “none”."))
    return winner
