"""The rows of published pairings: matches, and players with their tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.translation import gettext as _

from rules.results import EndedBy, PlayerId, Winner
from tournaments.core.event_state import StageFacts
from tournaments.core.labels import final_label
from tournaments.core.names import as_listed
from tournaments.core.rows import EntryRow, MatchAddress, MatchRow, RoundRow
from tournaments.matches.words import ended_by_whom, names_at, seats_won
from tournaments.models import Match

Leaders = Mapping[int, str]
"""The public Leader card of each entry, by its primary key."""
NO_LEADERS: Leaders = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A player of a match; ``points`` before the round, or None where pairings ignore points."""

    entry: EntryRow
    points: str | None
    won: bool
    leader: str = ""


@dataclass(frozen=True, kw_only=True)
class TableRow:
    """A match; one side for a bye, ``table`` is None where nothing is played.

    ``name`` distinguishes the final from the match for third place, which share a round. ``extra``
    is the extra time in minutes of an unfinished match; ``rulings`` are the judges' rulings on it.
    ``at`` leads to the match's page, which a bye has not. ``of_round`` names its round where it is
    played again beside a later one.
    """

    table: int | None
    group: str
    name: str
    sides: tuple[Side, ...]
    result: str
    tone: str
    is_final: bool
    best_of: int
    extra: int
    rulings: tuple[str, ...]
    at: MatchAddress | None
    of_round: str = ""

    @property
    def players(self) -> tuple[EntryRow, ...]:
        """Return the players of the row."""
        return tuple(side.entry for side in self.sides)

    @property
    def has_seats(self) -> bool:
        """Return whether three or more sit here, in the order of their seats: the first begins."""
        return len(self.sides) > 2

    @property
    def mark(self) -> str:
        """Return the word for the row in links to parts of the list."""
        return str(self.table or "–")


@dataclass(frozen=True, kw_only=True)
class NameRow:
    """A player with table and the others there; each match yields a row for each of its players.

    ``seat`` is the player's, from 1, at a table of three and more, else None. ``result`` is that of
    a match that is played at no table, as a bye is. ``of_round`` is as for the match.
    """

    entry: EntryRow
    table: int | None
    seat: int | None
    others: tuple[Side, ...]
    result: str
    leader: str = ""
    of_round: str = ""

    @property
    def players(self) -> tuple[EntryRow, ...]:
        """Return the players of the row."""
        return (self.entry,)

    @property
    def mark(self) -> str:
        """Return the word for the row in links to parts of the list."""
        return str(as_listed(self.entry))[:6].rstrip()


def result_words(match: MatchRow, names: tuple[str, ...]) -> tuple[str, str]:
    """Return the state or result of a match as text, and the tone to show it in."""
    decision = match.decision
    if match.state == Match.State.REPORTED:
        return _("reported, not confirmed yet"), "warn"
    if decision is None or match.state != Match.State.FINAL:
        return (_("a judge decides"), "warn") if match.state == Match.State.DISPUTED else ("", "")
    if decision.ended_by == EndedBy.BYE:
        return _("bye"), ""
    if decision.winner == Winner.NONE:
        return _("both lose"), ""
    if decision.winner == Winner.VOID:
        return _("does not count"), ""
    return ended_by_whom(decision, *names), ""


def table_row(
    stage: StageFacts,
    item: RoundRow,
    match: MatchRow,
    group: str,
    entries: dict[int, EntryRow],
    points: dict[PlayerId, str],
    leaders: Leaders,
    rulings: tuple[str, ...],
) -> TableRow:
    """Return a match as a row; ``group`` is its label.

    ``entries`` are by key, ``points`` before the round by player's number.
    """
    words, tone = result_words(match, names_at(match, entries))
    decision = match.decision if match.state == Match.State.FINAL else None
    won = seats_won(decision, len(match.seats))

    def side(key: int, first: bool) -> Side:
        entry = entries[key]
        return Side(
            entry=entry,
            points=points.get(entry.number),
            won=first,
            leader=leaders.get(key, ""),
        )

    return TableRow(
        table=match.table,
        group=group,
        name=final_label(stage.plan, match.number),
        sides=tuple(map(side, match.seats, won)),
        result=words,
        tone=tone,
        is_final=match.state == Match.State.FINAL,
        best_of=match.best_of,
        extra=0 if match.state == Match.State.FINAL else match.extra_minutes,
        rulings=rulings,
        at=(item.ordinal, match.number) if match.size > 1 else None,
    )


def name_rows(row: TableRow, result: str) -> tuple[NameRow, ...]:
    return tuple(
        NameRow(
            entry=side.entry,
            table=row.table,
            seat=seat if row.has_seats else None,
            others=tuple(other for other in row.sides if other is not side),
            result=result,
            leader=side.leader,
            of_round=row.of_round,
        )
        for seat, side in enumerate(row.sides, start=1)
    )


def seat_words(seat: int) -> str:
    """Return a seat at a table of three and more in words; whoever has the first one begins."""
    words = _("seat %(seat)s") % {"seat": seat}
    return " · ".join((words, _("begins"))) if seat == 1 else words
