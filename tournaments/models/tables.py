"""What the tables of an event and their columns are: declared once, in each model.

The attribute ``declared`` of a model is a ``Table``. Every list of tables and columns derives from
these, most in ``core.valid_columns``: record, archives, snapshots, undo, erasing.
``tests/tournaments/test_event_tables.py`` fails for a model or a column that is not declared.

Rows written since an event's last log line are marked; its payload will hold their new state. Every
write through the ORM sets a mark: ``save`` and ``delete`` by signals, ``update``, ``bulk_create``
and ``bulk_update`` by ``MarkingQuerySet``. A mark identifies a row (a player by number, a round, a
match) without values: ``chain.lines`` reads the rows when the line is written, so a mark left by a
rolled back transaction does no harm. Marks belong to a database connection, and so to one thread.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import InitVar, dataclass, field
from enum import Flag, StrEnum, auto
from functools import cache, cached_property
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection, models
from django.db.models.signals import post_delete, post_save

from accounts.models import User

Model = type[models.Model]
Rows = models.QuerySet[Any]


class LogPart(StrEnum):
    """The part of a log line that holds a column's values.

    Open is public, closed private.
    """

    OPEN = "open"
    CLOSED = "closed"


class TextErasure(Flag):
    """How an erasure treats a column's text, in rows and in all copies of them.

    ``SEARCHED``: written by people; the name is replaced, other mentions are listed for review.
    ``WRITER``: the author's name; replaced, not listed. ``OWN``: emptied in the erased person's
    row. ``BY_HAND``: treated by code of its own. ``CODE``: a code, number or digest without names.
    """

    SEARCHED = auto()
    WRITER = auto()
    OWN = auto()
    BY_HAND = auto()
    CODE = auto()


OPEN, CLOSED = LogPart
SEARCHED, WRITER, OWN, BY_HAND, CODE = TextErasure
ACCOUNT = "an account, or the name that an archive has instead"
PLACE = "the place where the row is told"


@dataclass(frozen=True, slots=True)
class Column:
    """How a column is logged, archived, erased and undone.

    ``logged`` is its part of a log line, or why it has none ("" if the table says why). ``words``
    is how an erasure treats its text, or why the text stays ("" if it holds no text). ``archived``:
    archives and snapshots hold it. ``stays``: restoring a snapshot keeps the present value.
    ``undone``: undo restores it, and changing it alone is logged.
    """

    logged: LogPart | str = ""
    words: TextErasure | str = ""
    archived: bool = True
    stays: bool = False
    undone: bool = True


Declaration = Column | LogPart | TextErasure | str | tuple[LogPart | str, TextErasure | str]
"""A column, or only its ``logged`` and ``words``, or one of them."""


@dataclass(kw_only=True, eq=False)
class Table:
    """How a model's rows are logged, archived, erased and undone.

    It is declared on each model of an event, or of ``decks`` that an event refers to.

    ``declarations`` are by column; names with the same one share a key. ``plain`` are columns
    without a declaration: they hold no text, and aren't logged. ``path`` is the lookup from a row
    to its event; rows shared by events have none, and ``named`` returns those of an event.
    ``beside`` is why a table belongs to no event, ``unlogged`` why it isn't logged.

    ``key`` is its name in archives and snapshots; "" is in neither, ``here_only`` in snapshots
    alone. A restored snapshot leaves a table that ``stays`` as it is. ``elsewhere`` are columns
    that refer to another event's row, with the lookups that stand for it in documents. ``later``
    are columns that refer to tables restored later, with placeholders until then; ``freed`` are
    unique columns, with placeholders while undo swaps values. ``grows``: rows are only added.
    ``deleted_with``: the column whose erased player or account deletes the row. ``forgotten``:
    never kept for undo. ``api`` are the columns in the API, with ``=name`` if renamed.
    """

    declarations: InitVar[Mapping[str, Declaration]] = field(kw_only=False)
    plain: InitVar[str] = ""
    key: str = ""
    named: Callable[[Any], Rows] | None = None
    beside: str = ""
    unlogged: str = ""
    elsewhere: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    later: Mapping[str, Any] = field(default_factory=dict)
    freed: Mapping[str, Any] = field(default_factory=dict)
    here_only: bool = False
    stays: bool = False
    grows: bool = False
    deleted_with: str = ""
    forgotten: bool = False
    api: str = ""
    model: Model = field(init=False)
    all_columns: Mapping[str, Column] = field(init=False)

    def __post_init__(self, declarations: Mapping[str, Declaration], plain: str) -> None:
        every = {plain: Column()} | dict(declarations)
        self.all_columns = {n: _column(one) for names, one in every.items() for n in names.split()}

    def contribute_to_class(self, model: Model, name: str = "declared") -> None:
        """Attach the declaration to its model; called by Django."""
        self.model = model
        setattr(model, name, self)
        DECLARED[model] = self

    @cached_property
    def path(self) -> str:
        """Return the lookup from a row to its event, such as ``round__event``; "" without one."""
        if self.named or self.beside:
            return ""
        for column in self.model._meta.concrete_fields if self.key != "events" else ():
            if column.related_model in DECLARED:
                above = DECLARED[column.related_model]
                return column.name if above.path == "pk" else f"{column.name}__{above.path}"
        return "pk"

    def rows(self, event: models.Model) -> Rows:
        """Return the rows of an event by primary key; no query until evaluated."""
        if self.named is not None:
            return self.named(event)
        return self.model._default_manager.filter(**{self.path: event.pk}).order_by("pk")

    def logged_columns(self, part: LogPart) -> tuple[str, ...]:
        """Return the names of the columns in this part of the log's payload."""
        return tuple(name for name, column in self.all_columns.items() if column.logged is part)

    def columns_with_text(self, how: TextErasure) -> tuple[str, ...]:
        """Return the names of the columns whose text an erasure treats in one of these ways."""
        words = {name: column.words for name, column in self.all_columns.items()}
        return tuple(
            name for name, own in words.items() if isinstance(own, TextErasure) and own & how
        )

    @cached_property
    def values_when_erased(self) -> dict[str, Any]:
        """Return the values of the columns that an erasure empties in a person's row, by attname.

        Each gets its default.
        """
        own = set(self.columns_with_text(OWN))
        fields = [column for column in self.model._meta.concrete_fields if column.name in own]
        return {column.attname: column.get_default() for column in fields}

    @cached_property
    def not_undone(self) -> frozenset[str]:
        """Return the columns that undo does not restore and whose change alone is not recorded."""
        return frozenset(name for name, column in self.all_columns.items() if not column.undone)

    @cached_property
    def not_archived(self) -> frozenset[str]:
        """Return the columns that neither archives nor snapshots have."""
        return frozenset(name for name, column in self.all_columns.items() if not column.archived)

    @cached_property
    def columns(self) -> tuple[Any, ...]:
        """Return the fields stored in an archive; an account and its name column share one cell."""
        fields = self.model._meta.concrete_fields
        out = self.not_archived | {name_column(each) for each in fields}
        return tuple(each for each in fields if not (each.primary_key or each.name in out))

    @cached_property
    def people(self) -> list[Any]:
        """Return the fields that refer to an account."""
        return [each for each in self.columns if each.related_model is User]


DECLARED: dict[Model, Table] = {}
"""All tables by model, in the order in which their models are defined."""


def _column(given: Declaration) -> Column:
    if isinstance(given, Column):
        return given
    if isinstance(given, TextErasure):
        return Column(words=given)
    return Column(*given) if isinstance(given, tuple) else Column(given)


@cache
def name_column(column: Any) -> str | None:
    """Return the name of the column with an account's name, None without one.

    ``column`` is the field that refers to the account; restored rows have only the name.
    """
    name = f"{column.name}_name"
    known = {other.name for other in column.model._meta.concrete_fields}
    return name if column.related_model is User and name in known else None


def account_column() -> "models.ForeignKey[Any, Any]":
    """Return a new nullable foreign key to an account, for use in a model."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )


class Signed:
    """Mixin of a row with an author: an account or only a name.

    ``by_name`` is "" except for rows restored from an archive.
    """

    by: Any
    by_name: Any

    @property
    def who(self) -> str:
        """Return the name of the author; empty if unknown."""
        return str(self.by or self.by_name)


class SignedRow(Signed, models.Model):
    """Abstract model of rows with an author."""

    by = account_column()
    by_name = models.CharField(max_length=80, blank=True, default="")

    class Meta:
        abstract = True


@dataclass(slots=True)
class RowMarks:
    """The rows written since the last log line on one database connection.

    Marks identify rows: by primary key (``matches``, ``stage_keys``), event key (``events``,
    ``penalties``, ``apart``), or event key and number (others). ``gone`` are (round key, number) of
    deleted matches, ``rounds_anew`` rounds of which all matches are read again. ``kept`` are, by
    event key, the digests of rows and snapshots stored for undo, ``keeping`` the function to call
    before each log line. Marks of a rolled-back transaction do no harm.
    """

    events: set[int] = field(default_factory=set)
    entries: set[tuple[int, int]] = field(default_factory=set)
    penalties: set[int] = field(default_factory=set)
    apart: set[int] = field(default_factory=set)
    stages: set[tuple[int, int]] = field(default_factory=set)
    stage_keys: set[int] = field(default_factory=set)
    rounds: set[tuple[int, int]] = field(default_factory=set)
    rounds_anew: set[tuple[int, int]] = field(default_factory=set)
    matches: set[int] = field(default_factory=set)
    gone: set[tuple[int, int]] = field(default_factory=set)
    draws: set[tuple[int, int]] = field(default_factory=set)
    kept: dict[int, dict[str, str]] = field(default_factory=dict)
    keeping: dict[int, Callable[[], object]] = field(default_factory=dict)


def row_marks() -> RowMarks:
    """Return the marks of rows written on the current database connection."""
    found: RowMarks | None = getattr(connection, "touched_rows", None)
    if found is None:
        found = RowMarks()
        connection.touched_rows = found  # type: ignore[attr-defined]
    return found


def clear_row_marks() -> None:
    """Delete all marks of written rows, as after restoring an archive with its log."""
    connection.touched_rows = RowMarks()  # type: ignore[attr-defined]


@contextmanager
def call_before_log_lines(event_id: int, keep: Callable[[], object]) -> Iterator[None]:
    """Context manager: call ``keep`` before each log line of an event.

    That is each line that the block writes.
    """
    held = row_marks().keeping
    held[event_id] = keep
    try:
        yield
    finally:
        del held[event_id]


MARKS: Mapping[str, tuple[str, ...]] = {
    "Event": ("events", "pk"),
    "Entry": ("entries", "event_id", "number"),
    "KeptApart": ("apart", "event_id"),
    "Penalty": ("penalties", "event_id"),
    "Stage": ("stages", "event_id", "number"),
    "Group": ("stage_keys", "stage_id"),
    "Seat": ("stage_keys", "stage_id"),
    "Round": ("rounds", "event_id", "ordinal"),
    "Match": ("matches", "pk", "round_id", "number"),
    "MatchSeat": ("matches", "match_id"),
    "Report": ("matches", "match_id"),
    "Draw": ("draws", "event_id", "number"),
}
"""By name of the model: the kind of its marks, and the columns that make up one."""


Row = TypeVar("Row", bound=models.Model)


class MarkingQuerySet(models.QuerySet[Row]):
    """QuerySet that marks rows written in bulk for the next log line."""

    def update(self, **values: Any) -> int:
        """Update and mark the rows; one query more."""
        if _is_recorded(self.model, values):
            for where in list(self.order_by().values_list(*MARKS[self.model.__name__][1:])):
                _mark(self.model, where, new="number" in values)
        return super().update(**values)

    update.alters_data = True  # type: ignore[attr-defined]

    def bulk_create(self, objs: Iterable[Row], *args: Any, **options: Any) -> list[Row]:
        """Create and mark the rows."""
        made = super().bulk_create(objs, *args, **options)
        for row in made:
            _mark(self.model, _key_of_mark(row))
        return made


def _is_recorded(model: type[models.Model], columns: Iterable[str]) -> bool:
    return not DECLARED[model].not_undone.issuperset(columns)


def _key_of_mark(row: models.Model) -> tuple[Any, ...]:
    return tuple(getattr(row, name) for name in MARKS[type(row).__name__][1:])


def _mark(
    model: type[models.Model], where: tuple[Any, ...], *, new: bool = False, gone: bool = False
) -> None:
    """Mark a row; ``gone``: it was deleted, ``new``: its number changed."""
    marks, name = row_marks(), model.__name__
    kind = "rounds_anew" if gone and name == "Round" else MARKS[name][0]
    if name == "Match":
        if gone or new:
            marks.gone.add((where[1], where[2]))
        where = where[:1]
    getattr(marks, kind).add(where if len(where) > 1 else where[0])


def _mark_saved(
    sender: type[models.Model],
    instance: models.Model,
    update_fields: frozenset[str] | None = None,
    **_more: Any,
) -> None:
    if update_fields is None or _is_recorded(sender, update_fields):
        _mark(sender, _key_of_mark(instance))


def _mark_deleted(sender: type[models.Model], instance: models.Model, **_more: Any) -> None:
    _mark(sender, _key_of_mark(instance), gone=True)


def connect_row_marking(counted: Iterable[type[models.Model]]) -> None:
    """Connect signals that mark saved and deleted rows of models, at startup."""
    for model in counted:
        post_save.connect(_mark_saved, sender=model, dispatch_uid=f"touched {model.__name__}")
        post_delete.connect(_mark_deleted, sender=model, dispatch_uid=f"gone {model.__name__}")
