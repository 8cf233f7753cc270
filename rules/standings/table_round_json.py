"""The JSON format of a round of tables: players in, tables out.

Source: tables, 9 (``POST /api/v1/tables/``).
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from rules.json_reader import (
    Fields,
    Reader,
    WrongValue,
    by_key,
    distinct,
    fraction,
    list_of,
    one_of,
    read_document,
    text,
)
from rules.results import PlayerId
from rules.standings.rank_json import INVALID, LARGEST_NUMBER, NUMBER, one_of_players, read_player
from rules.tables.field import Entrant, Small
from rules.tables.rounds import TableRound, make_round
from rules.tables.sizes import LARGEST as LARGEST_TABLE
from rules.tables.sizes import USUAL_SIZES, checked_sizes

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
    """The arguments of `make_round`, as read from a document."""

    entrants: tuple[Entrant, ...]
    sizes: tuple[int, ...]
    small: Small
    seed: str

    def make(self) -> TableRound:
        """Return the round that `make_round` makes of these arguments."""
        return make_round(self.entrants, sizes=self.sizes, small=self.small, seed=self.seed)


def parse_table_request(document: object) -> TableRequest:
    """Return the players and the settings of a document.

    Raises BadInput ``invalid_results`` with the ``path`` of what is wrong, ``invalid_sizes``.
    """
    return read_document(INVALID, _request, document)


def _request(value: object) -> TableRequest:
    given = Fields(value)
    players = given.read("players", PLAYERS)
    apart = given.optional("apart", partial(_pairs_apart, one_of_players(players)), {})
    sizes = given.optional("sizes", list_of(NUMBER), ())
    # The keys of a JSON object are texts, also those of players that are numbers.
    by_text = {str(player): player for player in players}
    return TableRequest(
        entrants=given.read("players", list_of(partial(_entrant, by_text, apart))),
        sizes=checked_sizes(sizes) if "sizes" in given else USUAL_SIZES,
        small=Small(given.read("small", one_of(Small), Small.LOW)),
        seed=given.read("seed", SEED, ""),
    )


def render_table_round(made: TableRound) -> dict[str, object]:
    """Return a round as the contract's JSON value."""
    return {
        "tables": [list(table) for table in made.tables],
        "byes": list(made.byes),
        "cost": made.cost._asdict(),
        "proven": made.proven,
    }


def _named(value: object) -> PlayerId:
    return Fields(value).read("player", _player)


def _player(value: object) -> PlayerId:
    player = read_player(value)
    if (isinstance(player, int) and player < 0) or len(str(player)) > LONGEST_NAME:
        raise WrongValue("A player is a whole number from 0, or a short text.")
    return player


PLAYERS = distinct(list_of(_named, MOST_AT_TABLES), str, at="player")


def _entrant(
    by_text: Mapping[str, PlayerId],
    apart: Mapping[PlayerId, frozenset[PlayerId]],
    value: object,
) -> Entrant:
    given = Fields(value)
    player = given.read("player", read_player)
    met = given.optional("met", by_key(NUMBER, partial(_other, by_text, player)), {})
    return Entrant(
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
        raise WrongValue("This is not one of the other players.")
    return name


def _seat(value: object) -> tuple[int, int]:
    seat, size = PAIR(value)
    if not 1 <= seat <= size <= LARGEST_TABLE or size < 2:
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
        raise WrongValue("This must be a pair of players.")
    return one, other
