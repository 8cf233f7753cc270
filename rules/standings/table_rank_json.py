"""The JSON format of ``rank`` for tables of three to five players.

Source: tables, 9 (rank).
"""

from functools import partial

from rules.criteria.of_tables import check_table_criteria, order_for
from rules.errors import BadInput
from rules.history.table_history import TableHistory
from rules.json_reader import (
    ANY_TEXT,
    Fields,
    Reader,
    Whole,
    WrongValue,
    distinct,
    list_of,
    maybe,
    read_document,
)
from rules.results import (
    SEAT_WINNERS,
    Places,
    PlayerId,
    Result,
    Winner,
    outcome_by_places,
    result_of_two,
)
from rules.standings.rank_json import (
    INVALID,
    MOST_PLAYERS,
    NUMBER,
    one_of_players,
    players_up_to,
    read_penalties,
)
from rules.standings.table_points_json import read_table_points
from rules.tables.results import (
    POINT_PRESETS,
    are_places,
    places_by,
)
from rules.tables.sizes import LARGEST

LEAST_SCORE, MOST_SCORE = -999, 9999
MOST_TABLES = 30_000
ALONE = (SEAT_WINNERS[0], Winner.NONE, Winner.VOID)


def parse_tables(document: object) -> tuple[TableHistory, tuple[str, ...]]:
    """Return the history and the criteria of a document whose matches have seats.

    Raises BadInput ``invalid_results`` with the path of the offending value; ``unknown_points``,
    ``invalid_points``, ``criterion_needs_two`` with theirs.
    """
    return read_document(INVALID, _history, document)


def _history(value: object) -> tuple[TableHistory, tuple[str, ...]]:
    given = Fields(value)
    players = given.read("players", players_up_to(MOST_PLAYERS))
    player = one_of_players(players)
    given.optional("withdrawn", list_of(player), ())
    results = given.optional("matches", list_of(partial(_table, player), MOST_TABLES), ())
    points = given.optional("points", read_table_points, POINT_PRESETS["win5"])
    largest = max((len(result.seats) for result in results), default=LARGEST)
    history = TableHistory(
        players=players,
        results=results,
        points=points,
        usual=given.optional("usual", Whole(2, LARGEST), largest),
        lots=given.optional("lots", distinct(list_of(player)), ()),
        penalties=given.optional("penalties", partial(read_penalties, players), {}),
    )
    criteria = given.optional("criteria", _criteria, ())
    return history, criteria or order_for(by_place=bool(points.by_place))


def _table(player: Reader[PlayerId], value: object) -> Result:
    given = Fields(value)
    if "seats" not in given:
        return _alone_at_table(player, given)
    seats = given.read("seats", distinct(list_of(player, LARGEST, least=2)))
    places = _places(given, len(seats))
    outcome = None if places is None else outcome_by_places(places, seats=len(seats))
    return Result(seats=seats, round=given.optional("round", NUMBER, 0), outcome=outcome)


def _alone_at_table(player: Reader[PlayerId], given: Fields) -> Result:
    seat = given.read("a", player)
    if given.read("b", maybe(player)) is not None:
        raise WrongValue("A document has tables or pairs, not both.", at="b")
    winner = given.values.get("winner") or "a"
    if not isinstance(winner, str) or winner not in ALONE:
        raise WrongValue("Without an opponent the winner is “a” or “none”.", at="winner")
    round_number = given.optional("round", NUMBER, 0)
    return result_of_two(seat, None, round=round_number, winner=Winner(winner))


def _places(given: Fields, seats: int) -> Places | None:
    """Return a place for each seat, None for whoever was absent; None of what was not played."""
    for key in ("winner", "score", "games", "a", "b"):
        if given.values.get(key) is not None:
            raise WrongValue("A table has places or scores, not this.", at=key)
    scores = list_of(maybe(Whole(LEAST_SCORE, MOST_SCORE)), seats, least=seats)
    made = given.optional("scores", scores, None)
    if made is not None:
        if given.values.get("places") is not None:
            raise WrongValue("A table has places or scores, not both.", at="places")
        return places_by(made)
    places = given.optional("places", list_of(maybe(Whole(1, seats)), seats, least=seats), None)
    if places is not None and not are_places(places):
        raise WrongValue(
            "A place is one more than the number of seats placed better, as in 1, 2, 2, 4.",
            at="places",
        )
    return places


def _criteria(value: object) -> tuple[str, ...]:
    keys = distinct(list_of(ANY_TEXT))(value)
    for at, key in enumerate(keys):
        try:
            check_table_criteria([key])
        except BadInput as refused:
            template, values = refused.sentence.template, refused.sentence.values
            raise BadInput(refused.code, template, **values, path=f"criteria[{at}]") from None
    return keys
