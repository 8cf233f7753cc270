"""The JSON format of ``rank`` for tables of three to five players.

Source: tables, 9 (rank).
"""

from collections.abc import Mapping

from rules.criteria.of_tables import check_table_criteria, order_for
from rules.errors import BadInput
from rules.history.table_history import TableHistory
from rules.results import PlayerId
from rules.standings.json_validation import (
    as_list,
    as_object,
    each,
    each_once,
    required,
    whole,
    wrong,
)
from rules.standings.rank_json import (
    known_player,
    lots_of,
    penalties_of,
    players_of,
    round_of,
)
from rules.standings.table_points_json import points_from
from rules.tables.results import (
    POINT_PRESETS,
    Places,
    TableResult,
    are_places,
    places_by,
)
from rules.tables.sizes import LARGEST
from rules.wording import gettext_noop as _

LEAST_SCORE, MOST_SCORE = -999, 9999
MOST_TABLES = 30_000


def parse_tables(top: Mapping[str, object]) -> tuple[TableHistory, tuple[str, ...]]:
    """Return the history and the criteria of a document whose matches have seats.

    Raises BadInput ``invalid_results`` with the path of the offending value; ``unknown_points``,
    ``invalid_points``, ``criterion_needs_two`` with theirs.
    """
    players = players_of(required(top, "players", ""))
    known = frozenset(players)
    each(top, "withdrawn", lambda value, path: known_player(value, path, known))
    results = each(top, "matches", lambda value, path: _table(value, path, known))
    worth = top.get("points")
    points = POINT_PRESETS["win5"] if worth is None else points_from(worth)
    history = TableHistory(
        players=players,
        results=results,
        points=points,
        usual=_usual(top, results),
        lots=lots_of(top, known),
        penalties=penalties_of(top, known),
    )
    return history, _criteria(top, by_place=bool(points.by_place))


def _table(value: object, path: str, known: frozenset[PlayerId]) -> TableResult:
    match = as_object(value, path)
    if "seats" not in match:
        return _alone_at_table(match, path, known)
    seats = _seats(match["seats"], f"{path}.seats", known)
    return TableResult(
        seats=seats, places=_places(match, path, len(seats)), round=round_of(match, path)
    )


def _alone_at_table(
    match: Mapping[str, object], path: str, known: frozenset[PlayerId]
) -> TableResult:
    player = known_player(required(match, "a", path), f"{path}.a", known)
    if required(match, "b", path) is not None:
        raise wrong(f"{path}.b", _("A document has tables or pairs, not both."))
    winner = match.get("winner") or "a"
    places: Mapping[object, Places | None] = {"a": (1,), "none": (2,), "void": None}
    if not isinstance(winner, str) or winner not in places:
        raise wrong(f"{path}.winner", _("Without an opponent the winner is “a” or “none”."))
    return TableResult(seats=(player,), places=places[winner], round=round_of(match, path))


def _seats(value: object, path: str, known: frozenset[PlayerId]) -> tuple[PlayerId, ...]:
    items = as_list(value, path)
    if not 2 <= len(items) <= LARGEST:
        raise wrong(path, _("A table has 2 to %(most)s seats."), most=LARGEST)
    seats: list[PlayerId] = []
    for index, item in enumerate(items):
        player = known_player(item, f"{path}[{index}]", known)
        if player in seats:
            raise wrong(f"{path}[{index}]", _("This player sits at the table already."))
        seats.append(player)
    return tuple(seats)


def _places(match: Mapping[str, object], path: str, seats: int) -> Places | None:
    for key in ("winner", "score", "games", "a", "b"):
        if match.get(key) is not None:
            raise wrong(f"{path}.{key}", _("A table has places or scores, not this."))
    if match.get("scores") is not None:
        if match.get("places") is not None:
            raise wrong(f"{path}.places", _("A table has places or scores, not both."))
        return places_by(
            _numbers(match["scores"], f"{path}.scores", seats, LEAST_SCORE, MOST_SCORE)
        )
    if match.get("places") is None:
        return None
    places = _numbers(match["places"], f"{path}.places", seats, 1, seats)
    if not are_places(places):
        raise wrong(
            f"{path}.places",
            _("A place is one more than the number of seats placed better, as in 1, 2, 2, 4."),
        )
    return places


def _numbers(value: object, path: str, length: int, least: int, most: int) -> Places:
    """Return a number for each seat, None for whoever was absent."""
    items = as_list(value, path)
    if len(items) != length:
        raise wrong(path, _("This must hold %(length)s numbers."), length=length)
    for index, item in enumerate(items):
        fits = isinstance(item, int) and not isinstance(item, bool) and least <= item <= most
        if item is not None and not fits:
            raise wrong(
                f"{path}[{index}]",
                _("This must be a whole number from %(least)s to %(most)s."),
                least=least,
                most=most,
            )
    return tuple(items)  # type: ignore[arg-type]  # each was looked at


def _usual(top: Mapping[str, object], results: tuple[TableResult, ...]) -> int:
    if top.get("usual") is None:
        return max((len(result.seats) for result in results), default=LARGEST)
    usual = whole(top["usual"], "usual")
    if not 2 <= usual <= LARGEST:
        raise wrong("usual", _("A table has 2 to %(most)s seats."), most=LARGEST)
    return usual


def _criteria(top: Mapping[str, object], *, by_place: bool) -> tuple[str, ...]:
    def criterion(value: object, path: str) -> str:
        if not isinstance(value, str):
            raise wrong(path, _("A criterion is a text."))
        try:
            check_table_criteria([value])
        except BadInput as refused:
            raise BadInput(
                refused.code,
                refused.sentence.template,
                **{**refused.sentence.values, "path": path},
            ) from None
        return value

    return each_once(top, "criteria", criterion) or order_for(by_place=by_place)
