"""The prizes of an event as pages, paper, CSV and API tell them: table, winners, sums."""

from dataclasses import dataclass

from django.utils.formats import number_format

from rules.events.prizes import (
    PLACE,
    PrizeTable,
    PrizeWinner,
    parse_fee,
    prize_winners,
    read_prizes,
)
from rules.results import PlayerId
from tournaments.core.event_state import EventFacts, cached_value
from tournaments.core.labels import format_rank, format_record
from tournaments.core.rows import AnyEntry
from tournaments.models import Entry, Event
from tournaments.standings.selectors.ranking import RankingRow, ranking_page, records_by_player


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeTableRow:
    """A row of the table of prizes, as texts; ``value``: of one prize."""

    places: str
    prize: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizesWon:
    """The prizes of one winner.

    ``rank``: text; ``prize``: text; ``cents``: their value for this winner, None if unknown;
    ``sharing``: how many players share the prizes; ``given``: they were handed out.
    """

    rank: str
    prize: str
    cents: int | None
    sharing: int
    given: bool

    @property
    def value(self) -> str:
        """Return the value as people read it, "" without one."""
        return format_cents(self.cents)


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnerRow(PrizesWon):
    """A winner of an event with their prizes; ``record``: W–L–D."""

    entry: AnyEntry
    record: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeBudget:
    """Amounts of an event in cents: cost of prizes, money available, fees paid.

    None if unknown.
    """

    prizes: int | None
    available: int | None
    fees: int | None

    @property
    def left(self) -> int | None:
        """Return what is left of what there is, else of the fees; below 0 too much is given."""
        there = self.fees if self.available is None else self.available
        return None if there is None or self.prizes is None else there - self.prizes


def format_cents(cents: int | None) -> str:
    """Return cents as text: "20.00", in Italian "20,00"; "" for None."""
    if cents is None:
        return ""
    sign = "-" if cents < 0 else ""
    whole, part = divmod(abs(cents), 100)
    return sign + str(number_format(f"{whole}.{part:02}", decimal_pos=2, force_grouping=False))


def event_prize_table(event: Event) -> PrizeTable:
    """Return the event's table of prizes, empty if there is none; no query."""
    return read_prizes(event.prizes)


def has_prizes(event: Event) -> bool:
    """Return whether the event has published prizes; no query."""
    return bool(event.prizes.get("published") and event.prizes.get("rows"))


def prize_table_rows(table: PrizeTable) -> tuple[PrizeTableRow, ...]:
    """Return the rows of a table of prizes as texts."""
    return tuple(
        PrizeTableRow(
            places=str(row.first)
            if row.first == row.last
            else _between(table, row.first, row.last),
            prize=row.prize,
            value=format_cents(row.cents),
        )
        for row in table.rows
    )


def _between(table: PrizeTable, first: object, last: object) -> str:
    return f"{first}–{last}" if table.by == PLACE else f"{first} … {last}"


def event_winners(facts: EventFacts) -> tuple[PrizeWinner, ...]:
    """Return the winners of a finished event with their prizes, () before; no query."""
    if facts.event.state != Event.State.FINISHED:
        return ()
    return cached_value(facts, "prizes", lambda: _award(facts))


def _award(facts: EventFacts) -> tuple[PrizeWinner, ...]:
    out = {
        number
        for number, entry in facts.entries.items()
        if entry.status == Entry.Status.DISQUALIFIED
    }
    return prize_winners(
        event_prize_table(facts.event), facts.ranking, records_by_player(facts), out
    )


def winner_rows(facts: EventFacts) -> tuple[WinnerRow, ...]:
    """Return the winners of a finished event in the order of the final standings; one query."""
    won = event_winners(facts)
    if not won:
        return ()
    given = facts.event.entries.filter(prize_given_at__isnull=False)
    handed = set(given.values_list("number", flat=True))
    ranks: dict[PlayerId, RankingRow] = {row.entry.number: row for row in ranking_page(facts).rows}
    return tuple(
        WinnerRow(
            entry=facts.entries[winner.player],
            rank=format_rank(ranks[winner.player].rank, shared=ranks[winner.player].shared),
            record=format_record(records_by_player(facts)[winner.player]),
            prize=", ".join(winner.prizes),
            cents=winner.cents,
            sharing=winner.sharing,
            given=winner.player in handed,
        )
        for winner in won
    )


def describe_prizes_won(facts: EventFacts, number: PlayerId) -> str:
    """Return a text on what a player has won, "" for nothing or if not public; no query."""
    if not has_prizes(facts.event):
        return ""
    own = next((winner for winner in event_winners(facts) if winner.player == number), None)
    if own is None:
        return ""
    return " · ".join(filter(None, (", ".join(own.prizes), format_cents(own.cents))))


def prize_budget(facts: EventFacts) -> PrizeBudget:
    """Return the cost of an event's prizes and the money for them; one query if there is a fee."""
    event, table = facts.event, event_prize_table(facts.event)
    over = event.state == Event.State.FINISHED
    cost = sum(winner.cents or 0 for winner in event_winners(facts)) if over else table.planned
    fee = parse_fee(event.fee)
    paid = event.entries.filter(fee_paid=True).count() if fee else 0
    return PrizeBudget(
        prizes=cost, available=table.available, fees=fee * paid if fee and paid else None
    )
