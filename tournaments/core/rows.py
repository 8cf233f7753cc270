"""Rows of an event as frozen values: what pages and services read of players, rounds and matches.

They have the names of the models' columns and cost a tenth of model instances to make. A service
that changes a row fetches its instance by ``pk``.
"""

import json
from datetime import datetime
from typing import Any, NamedTuple

from tournaments.models import Entry, Match, Report, Round, RoundClock
from tournaments.models.entry import status_words
from tournaments.models.match import put_up
from tournaments.models.round import level_sets


class EntryRow(NamedTuple):
    """A player. Nothing of an account is here, as accounts change without the event.

    ``mark`` distinguishes players of one name (``names.marks_of``), ``departure`` is how one who
    withdrew has left (``row_queries``); all else are columns.
    """

    pk: int
    event_id: int
    number: int
    name: str
    name_key: str
    club: str
    seed: int | None
    status: str
    submission_id: int | None
    deck_open_until: datetime | None
    fixed_table: int | None
    surname: str = ""
    fee_paid: bool = False
    return_asked_at: datetime | None = None
    return_refused_at: datetime | None = None
    left: str = ""
    byes: int = 0
    waiting_since: datetime | None = None
    mark: str = ""
    departure: str = ""

    def __str__(self) -> str:
        return self.display_name

    @property
    def display_name(self) -> str:
        """Return the name as it is shown, with its mark if several players have it."""
        return f"{self.name} ({self.mark})" if self.mark else self.name

    @property
    def club_beside(self) -> str:
        return "" if self.mark == self.club else self.club

    @property
    def plays(self) -> bool:
        """Return whether the player is active."""
        return self.status in (Entry.Status.REGISTERED, Entry.Status.CHECKED_IN)

    def get_status_display(self) -> str:
        """Return the status in the reader's language; of a no-show, that."""
        return status_words(self.status, self.departure)


class DecisionRow(NamedTuple):
    """The report of a match that counts."""

    pk: int
    kind: str
    winner: str
    score_a: int | None
    score_b: int | None
    games_text: str
    games_a: int | None
    games_b: int | None
    games_drawn: int | None
    ended_by: str
    tie_break: str
    by_decision: bool
    places_text: str | None = None
    marks_text: str | None = None

    @property
    def places(self) -> list[int | None] | None:
        """Return the place of each seat at a table of three and more."""
        return json.loads(self.places_text) if self.places_text else None

    @property
    def marks(self) -> dict[str, str] | None:
        """Return the marks of seats at a table of three and more, by number of the seat."""
        return json.loads(self.marks_text) if self.marks_text else None

    @property
    def games(self) -> list[str]:
        """Return the winner of each game, in order."""
        return [] if self.games_text == "[]" else list(json.loads(self.games_text))

    @property
    def is_scored(self) -> bool:
        return self.score_a is not None or self.games_a is not None


class MatchRow(NamedTuple):
    """A match with the report that counts, and the extra minutes of its table.

    ``seats`` are the keys of its players in the order of their seats.
    """

    pk: int
    round_id: int
    group_id: int
    number: int
    table: int | None
    leg: int
    best_of: int
    draws: bool
    version: int
    state: str
    reason_text: str
    earlier_text: str
    absent_text: str
    missed: bool
    extra_minutes: int
    seats: tuple[int, ...]
    decision: DecisionRow | None

    @property
    def size(self) -> int:
        """Return the number of seats."""
        return len(self.seats)

    @property
    def reason(self) -> dict[str, Any]:
        """Return why the two were paired; empty in a schedule."""
        return {} if self.reason_text == "{}" else dict(json.loads(self.reason_text))

    @property
    def by_hand(self) -> bool:
        """Return whether people paired the two; reads the reason only where it may say so."""
        return '"by_hand"' in self.reason_text and bool(self.reason.get("by_hand"))

    @property
    def put_up(self) -> dict[str, Any]:
        """Return what a correction said of when and where the match is played; usually empty."""
        return put_up(json.loads(self.earlier_text)) if '"again"' in self.earlier_text else {}

    @property
    def again(self) -> int | None:
        """Return before which round a correction put the match up again, 0 for now, else None."""
        return self.put_up.get("again")

    @property
    def plays_at(self) -> int | None:
        """Return the table where it is played: beside a later round another than in its own."""
        table: int | None = self.put_up.get("table", self.table)
        return table

    @property
    def seats_before(self) -> list[int]:
        """Return the numbers of those who had the seats before they were others'; usually empty."""
        earlier = [] if self.earlier_text == "[]" else json.loads(self.earlier_text)
        return list(earlier[-1]["seats"]) if earlier else []

    @property
    def version_before(self) -> int:
        """Return the last version of reports of players who sat here before; usually 0."""
        earlier = [] if self.earlier_text == "[]" else json.loads(self.earlier_text)
        return int(earlier[-1]["until"]) if earlier else 0

    @property
    def absent(self) -> list[int]:
        """Return the numbers of those who did not come to a table of three and more."""
        return [] if self.absent_text == "[]" else list(json.loads(self.absent_text))

    def get_state_display(self) -> str:
        """Return the state in the reader's language."""
        return str(Match.State(self.state).label)


class ClockRow(NamedTuple):
    """The clock of a round, as ``RoundClock`` stores it."""

    minutes: int
    state: str
    used: float
    since: datetime | None
    ticks: float | None
    machine: str
    version: int


class GroupRow(NamedTuple):
    """A group of a stage with its seats."""

    pk: int
    stage_id: int
    number: int
    name: str
    seats: tuple["SeatRow", ...]


class SeatRow(NamedTuple):
    """A seat of a group; without an entry a free place."""

    entry_id: int | None
    struck: bool


class RoundRow(NamedTuple):
    """A round with its clock, None before the first act on it."""

    pk: int
    event_id: int
    stage_id: int
    number: int
    ordinal: int
    state: str
    drafted_at: datetime
    published_at: datetime | None
    apart: list[list[int]]
    level: list[Any]
    cost: dict[str, Any] | None
    clock: "ClockRow | None"

    @property
    def is_extra(self) -> bool:
        """Return whether this is a round of extra matches, outside the schedule of the stage."""
        return bool(self.level)

    @property
    def level_sets(self) -> tuple[tuple[int, ...], ...]:
        """Return the sets of level players of a round of extra matches; else empty."""
        return level_sets(self.level)


MatchAddress = tuple[int, int]
"""The ordinal of a match's round and its number there: how public pages find it."""
AnyEntry = Entry | EntryRow
AnyMatch = Match | MatchRow
AnyReport = Report | DecisionRow
AnyRound = Round | RoundRow
AnyClock = RoundClock | ClockRow
