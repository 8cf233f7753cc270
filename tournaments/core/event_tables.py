"""The tables that hold an event, ordered so that rows follow the rows they refer to.

Archives, snapshots, undo and erasures all read this list; ``chain.columns`` says which columns the
log commits to.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.db import models

from accounts.models import User
from decks.models import CardListVersion, Decklist, HouseFormat
from tournaments.models import (
    Announcement,
    DeckCheck,
    DeckDraft,
    DeckSubmission,
    Draw,
    Entry,
    Event,
    Group,
    JudgeCall,
    KeptApart,
    LogLine,
    Match,
    MatchSeat,
    Penalty,
    PersonalLink,
    Report,
    Round,
    RoundClock,
    Ruling,
    SavedFormula,
    Seat,
    StaffInvitation,
    StaffNote,
    StaffRole,
    Stage,
    TimeExtension,
)

Model = type[models.Model]
Rows = models.QuerySet[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table that holds rows of an event.

    ``path`` is the lookup that leads from a row to its event; where rows may belong to several
    events it is empty, and ``named`` returns those that an event names. ``key`` is the name of the
    table in archives and snapshots; one without is in neither, one that is ``here_only`` in
    snapshots alone. ``left_out`` are columns that neither has. ``later`` are columns that name rows
    of tables further down, or depend on such a column, with what they hold until those are there.
    ``grows`` where rows are added and never taken back.
    """

    key: str = ""
    model: Model
    path: str = ""
    named: Callable[[Event], Rows] | None = None
    left_out: frozenset[str] = frozenset()
    later: Mapping[str, Any] = field(default_factory=dict)
    here_only: bool = False
    grows: bool = False

    def rows(self, event: Event) -> Rows:
        """Return the rows of an event by primary key; no query until evaluated."""
        if self.named is not None:
            return self.named(event)
        return self.model._default_manager.filter(**{self.path: event.pk}).order_by("pk")

    @property
    def columns(self) -> tuple[Any, ...]:
        """Return the fields stored in an archive; an account and its name column share one cell."""
        return _columns(self.model, self.left_out)

    @property
    def people(self) -> list[Any]:
        """Return the fields that refer to an account."""
        return [field for field in self.columns if field.related_model is User]


@cache
def _columns(model: Model, left_out: frozenset[str]) -> tuple[Any, ...]:
    fields = model._meta.concrete_fields
    left_out |= {name for name in map(name_column, fields) if name}
    return tuple(field for field in fields if not (field.primary_key or field.name in left_out))


@cache
def name_column(column: Any) -> str | None:
    """Return the name column beside a column that refers to an account; None if it has none."""
    name = f"{column.name}_name"
    known = {other.name for other in column.model._meta.concrete_fields}
    return name if column.related_model is User and name in known else None


TABLES = (
    Table(
        key="card_lists",
        model=CardListVersion,
        named=lambda event: CardListVersion.objects.filter(events=event),
        left_out=frozenset({"owner", "loaded_by", "archived"}),
    ),
    Table(
        key="house_formats",
        model=HouseFormat,
        named=lambda event: HouseFormat.objects.filter(slug=event.format),
        left_out=frozenset({"archived_as"}),
    ),
    Table(
        key="formulas",
        model=SavedFormula,
        named=lambda event: SavedFormula.objects.filter(slug=event.formula),
        left_out=frozenset({"archived_as", "changed_at"}),
    ),
    Table(key="events", model=Event, path="pk", left_out=frozenset({"catalogue"})),
    Table(key="staff", model=StaffRole, path="event", here_only=True),
    Table(model=StaffInvitation, path="event"),
    Table(key="entries", model=Entry, path="event", later={"submission": None}),
    Table(key="kept_apart", model=KeptApart, path="event"),
    Table(key="links", model=PersonalLink, path="entry__event"),
    Table(
        key="decklists",
        model=Decklist,
        named=lambda event: (
            Decklist.objects.filter(submissions__entry__event=event).distinct().order_by("pk")
        ),
        left_out=frozenset({"upload"}),
    ),
    Table(key="submissions", model=DeckSubmission, path="entry__event"),
    Table(model=DeckDraft, path="entry__event"),
    Table(key="stages", model=Stage, path="event"),
    Table(key="groups", model=Group, path="stage__event"),
    Table(key="seats", model=Seat, path="stage__event"),
    Table(key="rounds", model=Round, path="event"),
    Table(
        key="matches",
        model=Match,
        path="round__event",
        later={"decision": None, "state": str(Match.State.OPEN)},
    ),
    Table(key="match_seats", model=MatchSeat, path="round__event"),
    Table(key="reports", model=Report, path="match__round__event"),
    Table(key="draws", model=Draw, path="event"),
    Table(key="deck_checks", model=DeckCheck, path="event"),
    Table(key="extensions", model=TimeExtension, path="match__round__event"),
    Table(key="penalties", model=Penalty, path="event"),
    Table(key="clocks", model=RoundClock, path="round__event"),
    Table(key="calls", model=JudgeCall, path="match__round__event"),
    Table(key="announcements", model=Announcement, path="event"),
    Table(key="rulings", model=Ruling, path="match__round__event"),
    Table(key="staff_notes", model=StaffNote, path="match__round__event"),
    Table(key="log", model=LogLine, path="event", grows=True),
)
ARCHIVED = tuple(table for table in TABLES if table.key)
"""Tables stored in snapshots and, unless ``here_only``, in archives."""
OWN = tuple(table for table in TABLES if table.path)
"""Tables whose rows belong to exactly one event."""
UNDOABLE = tuple(table for table in OWN if not table.grows)
"""Tables whose rows undo restores."""
BY_MODEL: Mapping[Model, Table] = {table.model: table for table in TABLES}
BY_NAME: Mapping[str, Table] = {table.model.__name__: table for table in TABLES}
