"""The contract's JSON for ``rank``: results in, standings out."""

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TypedDict, TypeVar

from rules.criteria import CRITERIA
from rules.errors import BadInput
from rules.results import EndedBy, PlayerId, Points, Result, Winner
from rules.standings import DEFAULT_CRITERIA, Standing, Standings
from rules.wording import Sentence
from rules.wording import gettext_noop as _

LARGEST = 999_999
"""The largest number accepted anywhere; keeps sums and pages readable."""

Item = TypeVar("Item")


class RankArguments(TypedDict):
    """The keyword arguments of ``rank``."""

    players: tuple[PlayerId, ...]
    results: tuple[Result, ...]
    criteria: tuple[str, ...]
    points: Points
    lots: tuple[PlayerId, ...]
    penalties: dict[PlayerId, int]


def read(text: str | bytes) -> object:
    """Return the JSON value of a text in UTF-8; raises BadInput ``invalid_json``."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(
            "invalid_json", _("This is not JSON in UTF-8: %(reason)s."), path="", reason=str(error)
        ) from None
    return value


def parse(document: object) -> RankArguments:
    """Return what ``rank`` takes from the contract's JSON value.

    Raises BadInput ``invalid_results`` whose sentence has the wrong place as ``path``, such as
    ``matches[3].score[1]``; ``withdrawn`` is checked and changes nothing.
    """
    top = _object(document, "")
    players = _players(_required(top, "players", ""))
    known = frozenset(players)
    _each(top, "withdrawn", lambda value, path: _player(value, path, known))
    return RankArguments(
        players=players,
        results=_each(top, "matches", lambda value, path: _match(value, path, known)),
        criteria=_criteria(top),
        points=_points(top),
        lots=_lots(top, known),
        penalties=_penalties(top, known),
    )


def render(standings: Standings) -> dict[str, object]:
    """Return the contract's JSON value: whole numbers, and fractions as text."""
    return {
        "standings": [render_row(row) for row in standings.rows],
        "tied": [list(level) for level in standings.tied],
    }


def render_row(row: Standing) -> dict[str, object]:
    """Return one row as in the contract."""
    return {
        "rank": row.rank,
        "player": row.player,
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "values": {key: render_number(value) for key, value in row.values.items()},
        "placed_by": row.placed_by,
    }


def render_number(value: Fraction) -> int | str:
    """Return a whole number as it is, a fraction as text such as ``"4/9"``."""
    return value.numerator if value.denominator == 1 else str(value)


def _wrong(path: str, problem: str, **values: object) -> BadInput:
    return BadInput(
        "invalid_results",
        _("%(path)s: %(problem)s"),
        path=path or "$",
        problem=Sentence(problem, values),
    )


def _object(value: object, path: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _wrong(path, _("This must be an object."))
    return value


def _list(value: object, path: str) -> Sequence[object]:
    if not isinstance(value, list):
        raise _wrong(path, _("This must be a list."))
    return value


def _required(holder: Mapping[str, object], key: str, path: str) -> object:
    if key not in holder:
        raise _wrong(f"{path}.{key}".lstrip("."), _("This is missing."))
    return holder[key]


def _each(
    holder: Mapping[str, object], key: str, read_item: Callable[[object, str], Item]
) -> tuple[Item, ...]:
    """Read every item of an optional list."""
    value = holder.get(key)
    items = () if value is None else _list(value, key)
    return tuple(read_item(item, f"{key}[{index}]") for index, item in enumerate(items))


def _whole(value: object, path: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST:
        raise _wrong(path, _("This must be a whole number from 0 to %(most)s."), most=LARGEST)
    return value


def _wholes(value: object, path: str, length: int) -> tuple[int, ...]:
    items = _list(value, path)
    if len(items) != length:
        raise _wrong(path, _("This must hold %(length)s numbers."), length=length)
    return tuple(_whole(item, f"{path}[{index}]") for index, item in enumerate(items))


def _players(value: object) -> tuple[PlayerId, ...]:
    players: dict[str, PlayerId] = {}
    for index, item in enumerate(_list(value, "players")):
        path = f"players[{index}]"
        if isinstance(item, bool) or not isinstance(item, str | int) or item == "":
            raise _wrong(path, _("A player is a text or a whole number."))
        if str(item) in players:
            raise _wrong(path, _("This player is in the list already."))
        players[str(item)] = item
    return tuple(players.values())


def _player(value: object, path: str, known: frozenset[PlayerId]) -> PlayerId:
    if isinstance(value, bool) or not isinstance(value, str | int) or value not in known:
        raise _wrong(path, _("This is none of the players."))
    return value


def _criteria(top: Mapping[str, object]) -> tuple[str, ...]:
    def criterion(value: object, path: str) -> str:
        if not isinstance(value, str) or value not in CRITERIA:
            raise _wrong(path, _("This is no criterion. Known: %(known)s."), known=CRITERIA.keys())
        return value

    return _each(top, "criteria", criterion) or DEFAULT_CRITERIA


def _points(top: Mapping[str, object]) -> Points:
    given = top.get("points")
    if given is None:
        return Points()
    worth = _object(given, "points")
    standard = Points()
    return Points(
        win=_whole(worth.get("win", standard.win), "points.win"),
        draw=_whole(worth.get("draw", standard.draw), "points.draw"),
        loss=_whole(worth.get("loss", standard.loss), "points.loss"),
    )


def _lots(top: Mapping[str, object], known: frozenset[PlayerId]) -> tuple[PlayerId, ...]:
    lots = _each(top, "lots", lambda value, path: _player(value, path, known))
    seen: set[PlayerId] = set()
    for index, player in enumerate(lots):
        if player in seen:
            raise _wrong(f"lots[{index}]", _("This player is in the list already."))
        seen.add(player)
    return lots


def _penalties(top: Mapping[str, object], known: frozenset[PlayerId]) -> dict[PlayerId, int]:
    given = top.get("penalties")
    if given is None:
        return {}
    # The keys of a JSON object are texts, also those of players that are numbers.
    by_text = {str(player): player for player in known}
    penalties: dict[PlayerId, int] = {}
    for name, count in _object(given, "penalties").items():
        path = f"penalties.{name}"
        penalties[_player(by_text.get(name), path, known)] = _whole(count, path)
    return penalties


def _match(value: object, path: str, known: frozenset[PlayerId]) -> Result:
    match = _object(value, path)
    a = _player(_required(match, "a", path), f"{path}.a", known)
    b = _opponent(_required(match, "b", path), f"{path}.b", known)
    if a == b:
        raise _wrong(f"{path}.b", _("Nobody plays against themselves."))
    score, games = _score(match, path), _games(match, path)
    if b is None:
        return Result(
            a=a,
            b=None,
            round=_round(match, path),
            winner=_alone(match, path),
            games=games,
            ended_by=EndedBy.BYE,
        )
    if score is None and games is not None:
        score = games[:2]
    return Result(
        a=a,
        b=b,
        round=_round(match, path),
        winner=_winner(match, path) or _decided(score),
        score=score,
        games=games,
    )


def _opponent(value: object, path: str, known: frozenset[PlayerId]) -> PlayerId | None:
    return None if value is None else _player(value, path, known)


def _round(match: Mapping[str, object], path: str) -> int:
    value = match.get("round")
    return 0 if value is None else _whole(value, f"{path}.round")


def _score(match: Mapping[str, object], path: str) -> tuple[int, int] | None:
    value = match.get("score")
    if value is None:
        return None
    a, b = _wholes(value, f"{path}.score", 2)
    return a, b


def _games(match: Mapping[str, object], path: str) -> tuple[int, int, int] | None:
    value = match.get("games")
    if value is None:
        return None
    a, b, drawn = _wholes(value, f"{path}.games", 3)
    return a, b, drawn


def _winner(match: Mapping[str, object], path: str) -> Winner | None:
    value = match.get("winner")
    if value is None:
        return None
    if not isinstance(value, str) or value not in tuple(Winner):
        raise _wrong(
            f"{path}.winner", _("A winner is one of: %(known)s."), known=tuple(map(str, Winner))
        )
    return Winner(value)


def _alone(match: Mapping[str, object], path: str) -> Winner:
    """Return the outcome without opponent: a bye, a lost round, or nothing."""
    winner = _winner(match, path) or Winner.A
    if winner in (Winner.B, Winner.DRAW):
        raise _wrong(f"{path}.winner", _("Without an opponent the winner is “a” or “none”."))
    return winner


def _decided(score: tuple[int, int] | None) -> Winner | None:
    """Return what the score says; None = not played yet."""
    if score is None:
        return None
    a, b = score
    return Winner.DRAW if a == b else Winner.A if a > b else Winner.B
