"""JSON of standings: a document of ``rank``, of pairs or of tables, and a round of tables.

Source: contracts, rank; tables, 9 (events, rank, ``POST /api/v1/tables/``).
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import lcm
from typing import NamedTuple, TypedDict

from rules.criteria import CRITERIA, Criterion
from rules.criteria.of_tables import TABLE_CRITERIA, check_table_criteria, default_tiebreakers
from rules.errors import BadInput
from rules.history.table_history import TableHistory
from rules.json_reader import (
    ANY_TEXT,
    JsonObjectReader,
    Reader,
    WholeNumber,
    WrongValue,
    check_depth,
    fraction,
    list_of,
    mapping_of,
    nullable,
    one_of,
    read_document,
    text,
    unique_list,
)
from rules.numbers import DENOMINATORS, number_to_json
from rules.results import (
    SEAT_WINNERS,
    MatchEnding,
    Places,
    PlayerId,
    Points,
    Result,
    Winner,
    leading_side,
    outcome_by_places,
    two_player_result,
)
from rules.standings.table import (
    DEFAULT_CRITERIA,
    EffortLimit,
    Standing,
    Standings,
    rank,
    rank_history,
)
from rules.tables.field import SmallTableRule, TableEntrant
from rules.tables.results import (
    POINT_PRESETS,
    TablePoints,
    are_valid_places,
    places_from_scores,
    preset_points,
    validate_points,
)
from rules.tables.rounds import LARGEST, USUAL_SIZES, TableRound, pair_table_round, validate_sizes

TABLE_NUMBER = WholeNumber(0, 999_999)
PLACES = list_of(TABLE_NUMBER)


def read_stored_points(stored: object) -> TablePoints:
    """Return the points for places at multiplayer tables, as an event stores them.

    A preset by name, points by result, or by place. Raises BadInput ``invalid_results`` with the
    path of the offending value, ``unknown_points``, ``invalid_points``.
    """
    return read_document("invalid_results", read_table_points, stored, at="points")


def read_table_points(value: object) -> TablePoints:
    """Return the points for places at multiplayer tables that a JSON value describes.

    A preset by name, points by result, or by place. Raises WrongValue, BadInput ``unknown_points``,
    ``invalid_points``.
    """
    given = JsonObjectReader(value)
    if "preset" in given:
        return preset_points(str(given.values["preset"]))
    if "places" in given:
        standard = POINT_PRESETS["places"]
        by_place = given.read("places", PLACES)
        if not 1 <= len(by_place) <= LARGEST:
            raise WrongValue(
                "A table has %(smallest)s to %(largest)s players.",
                at="places",
                smallest=2,
                largest=LARGEST,
            )
        return validate_points(
            TablePoints(
                by_place=by_place,
                bye=given.read("bye", TABLE_NUMBER, standard.bye),
                floor=standard.floor,
                bye_counts=standard.bye_counts,
                bye_adds=standard.bye_adds,
            )
        )
    standard = POINT_PRESETS["win3"]
    first = given.read("win", TABLE_NUMBER, standard.first)
    return validate_points(
        TablePoints(
            first=first,
            drawn=given.read("draw", TABLE_NUMBER, standard.drawn),
            other=given.read("loss", TABLE_NUMBER, standard.other),
            bye=given.read("bye", TABLE_NUMBER, first),
            floor=standard.floor,
        )
    )


MOST_PLAYERS = 5_000
MOST_MATCHES = 100_000
MOST_GAMES = 99
"""Of each kind in a match: more make denominators of thousands of digits."""
INVALID = "invalid_results"
LARGEST_NUMBER = 999_999
"""The largest number accepted anywhere; keeps sums and pages readable."""
NUMBER, POINTS = WholeNumber(0, LARGEST_NUMBER), fraction(LARGEST_NUMBER, DENOMINATORS)
SHARE = fraction(1, range(1, 101))
SCORE = list_of(NUMBER, 2, least=2)
GAMES = list_of(WholeNumber(0, MOST_GAMES), 3, least=3)
WINNER = one_of(Winner)
KEYS = unique_list(list_of(one_of(CRITERIA.keys())))
FIGURES = ("rank", "player", "played", "won", "drawn", "lost")
"""What JSON tells of a row as it is."""


class RankArguments(TypedDict):
    """The keyword arguments of :func:`rules.standings.table.rank`."""

    players: tuple[PlayerId, ...]
    results: tuple[Result, ...]
    criteria: tuple[str, ...]
    points: Points
    lots: tuple[PlayerId, ...]
    penalties: dict[PlayerId, int]
    dropped: frozenset[PlayerId]


def parse_json(text: str | bytes) -> object:
    """Return parsed UTF-8 JSON; raises BadInput ``invalid_json``, also for deep nesting."""
    try:
        # A byte order mark, as some editors write it, is no reason to refuse a file.
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        check_depth(decoded.encode())
        value: object = json.loads(decoded)
    except ValueError as error:
        raise BadInput(
            "invalid_json", "This is not JSON: %(reason)s.", path="", reason=str(error)
        ) from None
    return value


def parse_rank_document(document: object) -> RankArguments:
    """Return the arguments of ``rank`` that a JSON document of the API holds.

    Raises BadInput ``invalid_results``, with the path of the offending value as ``path``, such as
    ``matches[3].score[1]``. ``withdrawn`` only affects ``dropped_cap``.
    """
    return read_document(INVALID, _arguments, document)


def _arguments(value: object) -> RankArguments:
    given = JsonObjectReader(value)
    players = given.read("players", player_list_reader(MOST_PLAYERS))
    player = listed_player_reader(players)
    points = given.optional("points", _points, Points())
    cap = given.optional("dropped_cap", SHARE, None)
    return RankArguments(
        players=players,
        results=given.optional("matches", list_of(partial(_match, player), MOST_MATCHES), ()),
        criteria=given.optional("criteria", KEYS, ()) or DEFAULT_CRITERIA,
        points=replace(points, dropped_cap=cap),
        lots=given.optional("lots", unique_list(list_of(player)), ()),
        penalties=given.optional("penalties", partial(read_penalties, players), {}),
        dropped=frozenset(given.optional("withdrawn", list_of(player), ())),
    )


def render_standings(standings: Standings) -> dict[str, object]:
    """Return standings as the API's JSON: integers, and fractions as text."""
    return {
        "standings": [render_row(row) for row in standings.rows],
        "tied": [list(level) for level in standings.tied],
    }


def render_row(row: Standing) -> dict[str, object]:
    """Return a row of standings as the API's JSON."""
    return {
        **{name: getattr(row, name) for name in FIGURES},
        "values": {key: number_to_json(value) for key, value in row.values.items()},
        "placed_by": row.placed_by,
    }


def player_list_reader(most: int) -> Reader[tuple[PlayerId, ...]]:
    """Return a reader of a list of different players, at most so many."""
    return unique_list(list_of(read_player, most), str)


def read_player(value: object) -> PlayerId:
    """Return a player's identifier, a number or text; raises WrongValue."""
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise WrongValue("A player is a whole number or a short text.")
    return value if isinstance(value, int) else ANY_TEXT(value)


def listed_player_reader(players: tuple[PlayerId, ...]) -> Reader[PlayerId]:
    """Return a reader of an identifier that must be that of one of these players."""
    known = frozenset(players)

    def read(value: object) -> PlayerId:
        if isinstance(value, bool) or not isinstance(value, str | int) or value not in known:
            raise WrongValue("This is not one of the players.")
        return value

    return read


def _points(value: object) -> Points:
    given, standard = JsonObjectReader(value), Points()
    usual = {"win": standard.win, "draw": standard.draw, "loss": standard.loss}
    exact = [given.read(key, POINTS, Fraction(worth)) for key, worth in usual.items()]
    parts = lcm(*(points.denominator for points in exact))
    win, draw, loss = (int(points * parts) for points in exact)
    return Points(win=win, draw=draw, loss=loss, parts=parts)


def read_penalties(players: tuple[PlayerId, ...], value: object) -> dict[PlayerId, int]:
    """Return the number of penalties by player from a JSON object; raises WrongValue."""
    # The keys of a JSON object are texts, also those of players that are numbers.
    by_text = {str(player): player for player in players}
    penalties: dict[PlayerId, int] = {}
    for name, count in JsonObjectReader(value).values.items():
        try:
            if name not in by_text:
                raise WrongValue("This is not one of the players.")
            penalties[by_text[name]] = NUMBER(count)
        except WrongValue as wrong:
            raise wrong.inside(f"[{json.dumps(name)}]") from None
    return penalties


def _match(player: Reader[PlayerId], value: object) -> Result:
    given = JsonObjectReader(value)
    a, b = given.read("a", player), given.read("b", nullable(player))
    if a == b:
        raise WrongValue("Use each value only once.", at="b")
    score = given.optional("score", _score, None)
    games = given.optional("games", _games, None)
    winner = given.optional("winner", WINNER, None)
    if b is None:
        return two_player_result(
            a,
            None,
            round=given.optional("round", NUMBER, 0),
            winner=_outcome_without_opponent(winner),
            games=games,
            ended_by=MatchEnding.BYE,
        )
    if score is None and games is not None:
        score = games[:2]
    return two_player_result(
        a,
        b,
        round=given.optional("round", NUMBER, 0),
        winner=Winner(winner) if winner else leading_side(*score) if score is not None else None,
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
        known = (Winner.A, Winner.DRAW, Winner.NONE)
        raise WrongValue("Use one of: %(known)s.", at="winner", known=known)
    return Winner(winner or Winner.A)


LEAST_SCORE, MOST_SCORE = -999, 9999
MOST_TABLES = 30_000
ALONE = (SEAT_WINNERS[0], Winner.NONE, Winner.VOID)


def parse_table_document(document: object) -> tuple[TableHistory, tuple[str, ...]]:
    """Return (history, tiebreaker keys) that a JSON document of multiplayer tables holds.

    Raises BadInput ``invalid_results`` with the path of the offending value; ``unknown_points``,
    ``invalid_points``, ``criterion_needs_two``.
    """
    return read_document(INVALID, _history, document)


def _history(value: object) -> tuple[TableHistory, tuple[str, ...]]:
    given = JsonObjectReader(value)
    players = given.read("players", player_list_reader(MOST_PLAYERS))
    player = listed_player_reader(players)
    given.optional("withdrawn", list_of(player), ())
    results = given.optional("matches", list_of(partial(_table, player), MOST_TABLES), ())
    points = given.optional("points", read_table_points, POINT_PRESETS["win5"])
    largest = max((len(result.seats) for result in results), default=LARGEST)
    history = TableHistory(
        players=players,
        results=results,
        points=points,
        usual=given.optional("usual", WholeNumber(2, LARGEST), largest),
        lots=given.optional("lots", unique_list(list_of(player)), ()),
        penalties=given.optional("penalties", partial(read_penalties, players), {}),
    )
    criteria = given.optional("criteria", _criteria, ())
    return history, criteria or default_tiebreakers(by_place=bool(points.by_place))


def _table(player: Reader[PlayerId], value: object) -> Result:
    given = JsonObjectReader(value)
    if "seats" not in given:
        return _alone_at_table(player, given)
    seats = given.read("seats", unique_list(list_of(player, LARGEST, least=2)))
    places = _places(given, len(seats))
    outcome = None if places is None else outcome_by_places(places, seats=len(seats))
    return Result(seats=seats, round=given.optional("round", NUMBER, 0), outcome=outcome)


def _alone_at_table(player: Reader[PlayerId], given: JsonObjectReader) -> Result:
    seat = given.read("a", player)
    if given.read("b", nullable(player)) is not None:
        raise _unknown("b", "seats", "places", "scores")
    winner = given.values.get("winner") or "a"
    if not isinstance(winner, str) or winner not in ALONE:
        known = (ALONE[0], Winner.NONE)
        raise WrongValue("Use one of: %(known)s.", at="winner", known=known)
    round_number = given.optional("round", NUMBER, 0)
    return two_player_result(seat, None, round=round_number, winner=Winner(winner))


def _unknown(key: str, *known: str) -> WrongValue:
    """Return the error for a field that does not go with the others."""
    return WrongValue("Unknown field. Use one of: %(known)s.", at=key, known=known)


def _places(given: JsonObjectReader, seats: int) -> Places | None:
    """Return a place for each seat, None for whoever was absent; None of what was not played."""
    for key in ("winner", "score", "games", "a", "b"):
        if given.values.get(key) is not None:
            raise _unknown(key, "places", "scores")
    scores = list_of(nullable(WholeNumber(LEAST_SCORE, MOST_SCORE)), seats, least=seats)
    made = given.optional("scores", scores, None)
    if made is not None:
        if given.values.get("places") is not None:
            raise _unknown("places", "scores")
        return places_from_scores(made)
    places = given.optional(
        "places", list_of(nullable(WholeNumber(1, seats)), seats, least=seats), None
    )
    if places is not None and not are_valid_places(places):
        raise WrongValue(
            "Enter places like this: 1, 2, 2, 4.",
            at="places",
        )
    return places


def _criteria(value: object) -> tuple[str, ...]:
    keys = unique_list(list_of(ANY_TEXT))(value)
    for at, key in enumerate(keys):
        try:
            check_table_criteria([key])
        except BadInput as refused:
            template, values = refused.sentence.template, refused.sentence.values
            raise BadInput(refused.code, template, **values, path=f"criteria[{at}]") from None
    return keys


MOST_EFFORT = EffortLimit(steps=200_000, bits=2_000)
"""Measured: so many steps take half a second of the processor."""


class RankedDocument(NamedTuple):
    """The standings of an API document, and the tiebreakers applied, in their order."""

    standings: Standings
    criteria: tuple[Criterion, ...]


def rank_document(document: object) -> RankedDocument:
    """Return the standings of the matches in an API document.

    It is about multiplayer tables if a match has ``seats``. Raises BadInput ``invalid_results``
    with the path of the offending value, ``too_costly``, and the errors of points and tiebreakers.
    """
    if _is_of_tables(document):
        history, keys = parse_table_document(document)
        criteria = tuple(map(TABLE_CRITERIA.get, keys))
        return RankedDocument(rank_history(history, criteria=keys, effort=MOST_EFFORT), criteria)
    arguments = parse_rank_document(document)
    return RankedDocument(
        rank(**arguments, effort=MOST_EFFORT), tuple(map(CRITERIA.get, arguments["criteria"]))
    )


def _is_of_tables(document: object) -> bool:
    matches = document.get("matches") if isinstance(document, dict) else None
    return isinstance(matches, list) and any(
        isinstance(match, dict) and "seats" in match for match in matches
    )


MOST_AT_TABLES = 1_024
MOST_PAIRS = 10_000
MOST_PARTS = 60
"""The smallest part of a point: whatever up to five players share."""
LONGEST_SEED, LONGEST_NAME = 200, 80
"""In characters."""
TABLE_POINTS = fraction(LARGEST_NUMBER, range(1, MOST_PARTS + 1))
SEED = text(LONGEST_SEED)
PAIR = list_of(NUMBER, 2, least=2)


class TableRequest(NamedTuple):
    """The arguments of :func:`rules.tables.rounds.pair_table_round`, as read from JSON."""

    entrants: tuple[TableEntrant, ...]
    sizes: tuple[int, ...]
    small: SmallTableRule
    seed: str

    def make(self) -> TableRound:
        """Return the round that `pair_table_round` makes of these arguments."""
        return pair_table_round(self.entrants, sizes=self.sizes, small=self.small, seed=self.seed)


def parse_table_request(document: object) -> TableRequest:
    """Return the players to seat and the settings that an API document holds.

    Raises BadInput ``invalid_results`` with the ``path`` of the offending value, ``invalid_sizes``.
    """
    return read_document(INVALID, _request, document)


def _request(value: object) -> TableRequest:
    given = JsonObjectReader(value)
    players = given.read("players", PLAYERS)
    apart = given.optional("apart", partial(_pairs_apart, listed_player_reader(players)), {})
    sizes = given.optional("sizes", list_of(NUMBER), ())
    # The keys of a JSON object are texts, also those of players that are numbers.
    by_text = {str(player): player for player in players}
    return TableRequest(
        entrants=given.read("players", list_of(partial(_entrant, by_text, apart))),
        sizes=validate_sizes(sizes) if "sizes" in given else USUAL_SIZES,
        small=SmallTableRule(given.read("small", one_of(SmallTableRule), SmallTableRule.LOW)),
        seed=given.read("seed", SEED, ""),
    )


def render_table_round(made: TableRound) -> dict[str, object]:
    """Return a round of multiplayer tables as the API's JSON."""
    return {
        "tables": [list(table) for table in made.tables],
        "byes": list(made.byes),
        "cost": made.cost._asdict(),
        "proven": made.proven,
    }


def _named(value: object) -> PlayerId:
    return JsonObjectReader(value).read("player", _player)


def _player(value: object) -> PlayerId:
    player = read_player(value)
    if (isinstance(player, int) and player < 0) or len(str(player)) > LONGEST_NAME:
        raise WrongValue("A player is a whole number or a short text.")
    return player


PLAYERS = unique_list(list_of(_named, MOST_AT_TABLES), str, at="player")


def _entrant(
    by_text: Mapping[str, PlayerId],
    apart: Mapping[PlayerId, frozenset[PlayerId]],
    value: object,
) -> TableEntrant:
    given = JsonObjectReader(value)
    player = given.read("player", read_player)
    met = given.optional("met", mapping_of(NUMBER, partial(_other, by_text, player)), {})
    return TableEntrant(
        player=player,
        points=given.read("points", TABLE_POINTS, Fraction(0)),
        met={by_text[name]: times for name, times in met.items()},
        byes=given.read("byes", NUMBER, 0),
        small=given.read("small", NUMBER, 0),
        seats=given.optional("seats", list_of(_seat), ()),
        apart=apart.get(player, frozenset()),
    )


def _other(by_text: Mapping[str, PlayerId], player: PlayerId, value: object) -> str:
    name = str(value)
    if by_text.get(name, player) == player:
        raise WrongValue("This is not one of the players.")
    return name


def _seat(value: object) -> tuple[int, int]:
    seat, size = PAIR(value)
    if not 1 <= seat <= size <= LARGEST or size < 2:
        raise WrongValue("This must be a seat and the size of its table.")
    return seat, size


def _pairs_apart(player: Reader[PlayerId], value: object) -> Mapping[PlayerId, frozenset[PlayerId]]:
    apart: dict[PlayerId, frozenset[PlayerId]] = {}
    for one, other in list_of(partial(_pair, player), MOST_PAIRS)(value):
        apart[one] = apart.get(one, frozenset()) | {other}
    return apart


def _pair(player: Reader[PlayerId], value: object) -> tuple[PlayerId, PlayerId]:
    one, other = list_of(player, 2, least=2)(value)
    if one == other:
        raise WrongValue("These must be two different players.")
    return one, other
