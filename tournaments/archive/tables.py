"""Which tables an event consists of, in an order in which each row comes after those it names."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import models

from accounts.models import User
from decks.models import CardListVersion, Decklist, HouseFormat
from tournaments.models import (
    Announcement,
    DeckCheck,
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
    StaffNote,
    StaffRole,
    Stage,
    TimeExtension,
)

Rows = models.QuerySet[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of the archive: its rows of an event in their order.

    ``left_out`` are columns that are not archived, ``later`` those that name rows of tables
    further down: they are filled in when everything is there. A table that is ``here_only``
    stands in what this installation keeps for itself, and in no archive.
    """

    key: str
    model: type[models.Model]
    rows: Callable[[Event], Rows]
    left_out: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    here_only: bool = False

    @property
    def columns(self) -> list[Any]:
        """Return the fields that have a cell in a row; an account and its name share one."""
        fields = self.model._meta.concrete_fields
        names = {name_column(field) for field in fields}
        return [
            field
            for field in fields
            if not field.primary_key and field.name not in names | self.left_out
        ]

    @property
    def people(self) -> list[Any]:
        """Return the fields that name an account."""
        return [field for field in self.columns if field.related_model is User]


def name_column(field: Any) -> str | None:
    """Return the column with the name of somebody who has no account here; None without one."""
    name = f"{field.name}_name"
    known = {other.name for other in field.model._meta.concrete_fields}
    return name if field.related_model is User and name in known else None


def _of_event(model: type[models.Model], path: str = "event") -> Callable[[Event], Rows]:
    return lambda event: model._default_manager.filter(**{path: event}).order_by("pk")


TABLES = (
    Table(
        key="card_lists",
        model=CardListVersion,
        rows=lambda event: CardListVersion.objects.filter(events=event),
        left_out=frozenset({"owner", "loaded_by", "archived"}),
    ),
    Table(
        key="house_formats",
        model=HouseFormat,
        rows=lambda event: HouseFormat.objects.filter(slug=event.format),
        left_out=frozenset({"archived_as"}),
    ),
    Table(
        key="formulas",
        model=SavedFormula,
        rows=lambda event: SavedFormula.objects.filter(slug=event.formula),
        left_out=frozenset({"archived_as", "changed_at"}),
    ),
    Table(
        key="events",
        model=Event,
        rows=lambda event: Event.objects.filter(pk=event.pk),
        left_out=frozenset({"catalogue"}),
    ),
    Table(key="staff", model=StaffRole, rows=_of_event(StaffRole), here_only=True),
    Table(key="entries", model=Entry, rows=_of_event(Entry), later=frozenset({"submission"})),
    Table(key="kept_apart", model=KeptApart, rows=_of_event(KeptApart)),
    Table(key="links", model=PersonalLink, rows=_of_event(PersonalLink, "entry__event")),
    Table(
        key="decklists",
        model=Decklist,
        rows=lambda event: (
            Decklist.objects.filter(submissions__entry__event=event).distinct().order_by("pk")
        ),
        left_out=frozenset({"upload"}),
    ),
    Table(key="submissions", model=DeckSubmission, rows=_of_event(DeckSubmission, "entry__event")),
    Table(key="stages", model=Stage, rows=_of_event(Stage)),
    Table(key="groups", model=Group, rows=_of_event(Group, "stage__event")),
    Table(key="seats", model=Seat, rows=_of_event(Seat, "stage__event")),
    Table(key="rounds", model=Round, rows=_of_event(Round)),
    Table(
        key="matches",
        model=Match,
        rows=_of_event(Match, "round__event"),
        later=frozenset({"decision", "state"}),
    ),
    Table(key="match_seats", model=MatchSeat, rows=_of_event(MatchSeat, "round__event")),
    Table(key="reports", model=Report, rows=_of_event(Report, "match__round__event")),
    Table(key="draws", model=Draw, rows=_of_event(Draw)),
    Table(key="deck_checks", model=DeckCheck, rows=_of_event(DeckCheck)),
    Table(
        key="extensions",
        model=TimeExtension,
        rows=_of_event(TimeExtension, "match__round__event"),
    ),
    Table(key="penalties", model=Penalty, rows=_of_event(Penalty)),
    Table(key="clocks", model=RoundClock, rows=_of_event(RoundClock, "round__event")),
    Table(key="calls", model=JudgeCall, rows=_of_event(JudgeCall, "match__round__event")),
    Table(key="announcements", model=Announcement, rows=_of_event(Announcement)),
    Table(key="rulings", model=Ruling, rows=_of_event(Ruling, "match__round__event")),
    Table(key="staff_notes", model=StaffNote, rows=_of_event(StaffNote, "match__round__event")),
    Table(key="log", model=LogLine, rows=_of_event(LogLine)),
)
