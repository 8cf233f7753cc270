"""Prizes by place or by record, and who wins them once an event is over.

Amounts are whole cents. Players who share a place share what their places are worth: in equal
parts, and the cents that do not divide go one each to the players with the lowest numbers, so that
nothing is lost. Somebody who was disqualified wins nothing: the others of a shared place share it
all, and nobody moves up.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules.json_reader import (
    JsonObjectReader,
    Reader,
    WholeNumber,
    WrongValue,
    any_of,
    boolean,
    list_of,
    one_of,
    text,
)
from rules.results import PlayerId
from rules.standings.table import Record

PLACE, RECORD = BY = ("place", "record")
MOST_ROWS = 50
LAST_PLACE = 4096
LONGEST_PRIZE = 120
MOST_CENTS = 100_000_000
AMOUNT = re.compile(r"([0-9]{1,6})(?:[.,]([0-9]{1,2}))?")
NUMBERS = re.compile(r"[0-9]+(?:[.,][0-9]+)?")
RECORD_TEXT = re.compile(r"([0-9]{1,2})\s*[-–:]\s*([0-9]{1,2})(?:\s*[-–:]\s*([0-9]{1,2}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeRow:
    """A row of a prize table: the prize for each place or record from ``first`` to ``last``.

    ``first`` is the best. Both are places, or records such as "3–0" (see ``read_record``).
    ``cents`` is the prize's value, None without one.
    """

    first: int | str
    last: int | str
    prize: str
    cents: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeTable:
    """The prizes of an event, by "place" or by "record" (``by``).

    ``available`` are the cents to be given out, None if unknown.
    """

    by: str = PLACE
    rows: tuple[PrizeRow, ...] = ()
    available: int | None = None
    published: bool = False

    def as_json(self) -> dict[str, object]:
        """Return the table as it is stored and as programs read it; see ``read_prizes``."""
        return {
            "by": self.by,
            "rows": [
                {
                    "from": row.first,
                    "to": row.last,
                    "prize": row.prize,
                    "value": format_amount(row.cents),
                }
                for row in self.rows
            ],
            "available": format_amount(self.available),
            "published": self.published,
        }

    @property
    def planned(self) -> int | None:
        """Return the cents of all places; None by record, where players decide how many win."""
        if self.by == RECORD:
            return None
        return sum((int(row.last) - int(row.first) + 1) * (row.cents or 0) for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeWinner:
    """A player's prizes and their total value in cents, None without a value.

    ``sharing`` is the number of players who share these prizes, 1 for a player alone.
    """

    player: PlayerId
    prizes: tuple[str, ...]
    cents: int | None
    sharing: int = 1


def format_amount(cents: int | None) -> str | None:
    """Return cents as text, ``"20.00"``; None for None."""
    return None if cents is None else f"{cents // 100}.{cents % 100:02}"


def read_amount(value: object) -> int:
    """Return an amount (``20``, ``"20"``, ``"20.5"``, ``"20,50"``) in cents; raises WrongValue."""
    found = AMOUNT.fullmatch("".join(value.split())) if isinstance(value, str) else None
    if type(value) is int and 0 <= value <= MOST_CENTS // 100:
        return value * 100
    if found is None:
        raise WrongValue("Enter an amount such as 20 or 20.50.")
    return int(found[1]) * 100 + int((found[2] or "0").ljust(2, "0"))


def parse_fee(words: str) -> int | None:
    """Return the cents of a fee in free text, None unless it has exactly one number."""
    found = NUMBERS.findall(words)
    try:
        return read_amount(found[0]) if len(found) == 1 else None
    except WrongValue:
        return None


def read_record(value: object) -> str:
    """Return a typed record (wins, losses, optional draws) such as ``"3–0"``.

    Raises WrongValue.
    """
    found = RECORD_TEXT.fullmatch(value.strip()) if isinstance(value, str) else None
    if found is None:
        raise WrongValue("Enter a record (W–L–D) such as 3–0 or 2–0–1.")
    return "–".join(str(int(part)) for part in found.groups() if part is not None)


def _worth(record: str) -> tuple[int, int, int]:
    """Return the order of records: more won, then more drawn, then fewer lost."""
    won, lost, *drawn = map(int, record.split("–"))
    return won, sum(drawn), -lost


OF_PLACE = WholeNumber(1, LAST_PLACE)
VALUE: Reader[int | None] = any_of(lambda value: _none(value), read_amount)
PRIZE = text(LONGEST_PRIZE, printable=True)


def _none(value: object) -> None:
    """Read an amount that is left out."""
    if value not in (None, ""):
        raise WrongValue("Enter an amount such as 20 or 20.50.")


def read_prizes(stored: object) -> PrizeTable:
    """Return the prize table of stored JSON, an empty one for ``{}``; raises WrongValue.

    ``{"by": "place", "rows": [{"from": 1, "to": 1, "prize": "…", "value": "20.00"}]}``, by record
    ``"from": "3–0"``; ``to`` may be left out, ``value`` may be null. Also ``"available": "200.00"``
    and ``"published": true``.
    """
    given = JsonObjectReader(stored, ("by", "rows", "available", "published"))
    by = given.read("by", one_of(BY), PLACE)
    return PrizeTable(
        by=by,
        rows=given.read("rows", list_of(_by_place if by == PLACE else _by_record, MOST_ROWS), ()),
        available=given.read("available", VALUE, None),
        published=given.read("published", boolean, False),
    )


def _by_place(stored: object) -> PrizeRow:
    return _row(stored, OF_PLACE, lambda first, last: int(first) <= int(last))


def _by_record(stored: object) -> PrizeRow:
    return _row(stored, read_record, lambda first, last: _worth(str(first)) >= _worth(str(last)))


def _row(
    stored: object, reader: Reader[int | str], in_order: Callable[[int | str, int | str], bool]
) -> PrizeRow:
    given = JsonObjectReader(stored, ("from", "to", "prize", "value"))
    first = given.read("from", reader)
    last = given.optional("to", reader, first)
    if not in_order(first, last):
        raise WrongValue("“To” must not be lower than “from”.", at="to")
    prize = " ".join(given.read("prize", PRIZE, "").split())
    cents = given.read("value", VALUE, None)
    if not prize and cents is None:
        raise WrongValue("Enter a prize or a value.", at="prize")
    return PrizeRow(first=first, last=last, prize=prize, cents=cents)


def prize_winners(
    table: PrizeTable,
    ranking: Sequence[Sequence[PlayerId]],
    records: Mapping[PlayerId, Record],
    without: Collection[PlayerId] = (),
) -> tuple[PrizeWinner, ...]:
    """Return the winners of prizes, in the order of the final standings.

    ``ranking`` are sets of players, best first, each sharing a place; ``records`` are their wins,
    draws and losses; players in ``without`` win nothing.
    """
    if table.by == RECORD:
        order = (player for level in ranking for player in level if player not in without)
        return tuple(_winners_by_record(table.rows, order, records))
    return tuple(_winners_by_place(table.rows, ranking, without))


def _winners_by_record(
    rows: Sequence[PrizeRow], order: Iterable[PlayerId], records: Mapping[PlayerId, Record]
) -> Iterator[PrizeWinner]:
    for player in order:
        won, drawn, lost = records[player]
        own = [
            row
            for row in rows
            if _worth(str(row.last)) <= (won, drawn, -lost) <= _worth(str(row.first))
        ]
        if own:
            yield PrizeWinner(player=player, prizes=_prizes(own), cents=_cents(own))


def _winners_by_place(
    rows: Sequence[PrizeRow], ranking: Sequence[Sequence[PlayerId]], without: Collection[PlayerId]
) -> Iterator[PrizeWinner]:
    place = 1
    for level in ranking:
        at = [_rows_at(rows, place + step) for step in range(len(level))]
        place += len(level)
        pool = [row for own in at for row in own]
        players = sorted((player for player in level if player not in without), key=_order)
        if not pool or not players:
            continue
        alike = len({(_prizes(own), _cents(own)) for own in at}) == 1
        prizes = _prizes(pool)
        for player, cents in zip(players, _shares(_cents(pool), len(players)), strict=True):
            yield PrizeWinner(
                player=player, prizes=prizes, cents=cents, sharing=1 if alike else len(players)
            )


def _order(player: PlayerId) -> tuple[int, str]:
    return (player, "") if isinstance(player, int) else (0, player)


def _rows_at(rows: Sequence[PrizeRow], place: int) -> list[PrizeRow]:
    return [row for row in rows if int(row.first) <= place <= int(row.last)]


def _prizes(rows: Iterable[PrizeRow]) -> tuple[str, ...]:
    """Return the prizes of rows, each once."""
    return tuple(dict.fromkeys(row.prize for row in rows if row.prize))


def _cents(rows: Iterable[PrizeRow]) -> int | None:
    told = [row.cents for row in rows if row.cents is not None]
    return sum(told) if told else None


def _shares(cents: int | None, players: int) -> list[int | None]:
    """Return the parts of so many players: equal, the first ones a cent more if need be."""
    if cents is None:
        return [None] * players
    each, left = divmod(cents, players)
    return [each + (at < left) for at in range(players)]
