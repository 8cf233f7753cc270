"""The JSON format of a round of tables: players in, tables out.

Source: tables, 9 (``POST /api/v1/tables/``).
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from rules.results import PlayerId
from rules.standings.json_validation import (
    LARGEST,
    as_list,
    as_object,
    each,
    is_text,
    limit,
    required,
    whole,
    wholes,
    wrong,
)
from rules.standings.rank_json import known_player, players_of
from rules.tables.field import Entrant, Small
from rules.tables.rounds import TableRound, make_round
from rules.tables.sizes import LARGEST as LARGEST_TABLE
from rules.tables.sizes import USUAL_SIZES, checked_sizes
from rules.wording import gettext_noop as _

MOST_PLAYERS = 1_024
MOST_PAIRS = 10_000
MOST_PARTS = 60
"""The smallest part of a point: whatever up to five players share."""
LONGEST_SEED = 200
LONGEST_NAME, LONGEST_NUMBER = 80, 20
"""In characters."""


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
    top = as_object(document, "")
    limit(top, "players", MOST_PLAYERS)
    limit(top, "apart", MOST_PAIRS)
    rows = [
        as_object(row, f"players[{index}]")
        for index, row in enumerate(as_list(required(top, "players", ""), "players"))
    ]
    named = [required(row, "player", f"players[{index}]") for index, row in enumerate(rows)]
    players = players_of(named, at="players[{index}].player")
    for index, player in enumerate(players):
        if (isinstance(player, int) and player < 0) or len(str(player)) > LONGEST_NAME:
            raise wrong(
                f"players[{index}].player", _("A player is a whole number from 0, or a short text.")
            )
    apart = _pairs_apart(top, frozenset(players))
    by_text = {str(player): player for player in players}
    entrants = tuple(
        _entrant(row, f"players[{index}]", player, by_text, apart.get(player, frozenset()))
        for index, (row, player) in enumerate(zip(rows, players, strict=True))
    )
    sizes = each(top, "sizes", whole)
    return TableRequest(
        entrants=entrants,
        sizes=checked_sizes(sizes) if "sizes" in top else USUAL_SIZES,
        small=_who_sits_small(top),
        seed=_seed(top),
    )


def render_table_round(made: TableRound) -> dict[str, object]:
    """Return a round as the contract's JSON value."""
    return {
        "tables": [list(table) for table in made.tables],
        "byes": list(made.byes),
        "cost": made.cost._asdict(),
        "proven": made.proven,
    }


def _entrant(
    row: Mapping[str, object],
    path: str,
    player: PlayerId,
    by_text: Mapping[str, PlayerId],
    apart: frozenset[PlayerId],
) -> Entrant:
    met: dict[PlayerId, int] = {}
    # The keys of a JSON object are texts, also those of players that are numbers.
    for name, times in as_object(row.get("met") or {}, f"{path}.met").items():
        if name not in by_text or by_text[name] == player:
            raise wrong(f"{path}.met.{name}", _("This is not one of the other players."))
        met[by_text[name]] = whole(times, f"{path}.met.{name}")
    return Entrant(
        player=player,
        points=_points(row.get("points", 0), f"{path}.points"),
        met=met,
        byes=whole(row.get("byes", 0), f"{path}.byes"),
        small=whole(row.get("small", 0), f"{path}.small"),
        seats=_seats(row.get("seats") or [], f"{path}.seats"),
        apart=apart,
    )


def _points(value: object, path: str) -> Fraction:
    """Return points: a whole number, or a fraction as text such as ``"5/2"``."""
    if isinstance(value, str) and len(value) <= LONGEST_NUMBER:
        try:
            points = Fraction(value)
        except (ValueError, ZeroDivisionError):
            points = Fraction(-1)
        if not 0 <= points <= LARGEST or points.denominator > MOST_PARTS:
            raise wrong(path, _("This must be a whole number or a fraction such as “5/2”."))
        return points
    return Fraction(whole(value, path))


def _seats(value: object, path: str) -> tuple[tuple[int, int], ...]:
    seats = []
    for index, item in enumerate(as_list(value, path)):
        seat, size = wholes(item, f"{path}[{index}]", 2)
        if not 1 <= seat <= size <= LARGEST_TABLE or size < 2:
            raise wrong(f"{path}[{index}]", _("This must be a seat and the size of its table."))
        seats.append((seat, size))
    return tuple(seats)


def _pairs_apart(
    top: Mapping[str, object], known: frozenset[PlayerId]
) -> Mapping[PlayerId, frozenset[PlayerId]]:
    apart: dict[PlayerId, frozenset[PlayerId]] = {}
    for index, item in enumerate(as_list(top.get("apart") or [], "apart")):
        path = f"apart[{index}]"
        pair = as_list(item, path)
        if len(pair) != 2 or pair[0] == pair[1]:
            raise wrong(path, _("This must be a pair of players."))
        one, other = (known_player(of, f"{path}[{at}]", known) for at, of in enumerate(pair))
        apart[one] = apart.get(one, frozenset()) | {other}
    return apart


def _who_sits_small(top: Mapping[str, object]) -> Small:
    value = top.get("small", Small.LOW)
    if not isinstance(value, str) or value not in tuple(Small):
        raise wrong("small", _("This must be one of: %(known)s."), known=tuple(map(str, Small)))
    return Small(value)


def _seed(top: Mapping[str, object]) -> str:
    seed = top.get("seed", "")
    if not isinstance(seed, str) or len(seed) > LONGEST_SEED or not is_text(seed):
        raise wrong(
            "seed", _("This must be a text of at most %(most)s characters."), most=LONGEST_SEED
        )
    return seed
