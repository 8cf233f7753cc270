"""Where the order of a draw comes from, and which rows of a list can be read.

A draw is drawn from a fingerprint that an earlier line told, from a seed that somebody gave, or by
hand. Of one made before the log had a chain only what its row says is known. Every further draw of
the same thing is counted: of the start, or of lots among the same players in the same stage.

Data is checked when it comes in, but a row may be older than its check, or written by another
program: an unknown zone, JSON of another shape, a moment that no calendar holds. ``readable_rows``
filters a queryset by whether its rows can be read, ``map_readable_rows`` maps rows to what a list
shows. Every list of events, and of rows that show their event, uses them.
"""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from django.db import DatabaseError, DataError, InterfaceError, models
from django.db.models.query import ModelIterable
from django.utils.translation import gettext as _

from accounts.models import User
from config.wording import format_moment
from tournaments.models import Draw, Event, LogLine

SEED_GIVEN = "public seed"
"""The note of a draw whose seed somebody gave."""


@dataclass(slots=True)
class LoggedDraw:
    """The log lines that announced a random draw's seed and that made the draw.

    ``fingerprint``: of the announced seed; ``row``: the draw's row as logged when it was made. None
    where the log has no such line.
    """

    announced: LogLine | None = None
    fingerprint: object = None
    made: LogLine | None = None
    row: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOrigin:
    """Where the result of a random draw came from.

    ``kind``: value of ``Draw.Kind``. ``given``: somebody entered the seed (None: unknown). ``who``:
    public name of the draw's author, "" if unknown. ``line``: number of the earlier log line that
    published the seed's fingerprint; ``since``: its time in the event's zone. ``count``: 1 for the
    first draw of the start or of these players.
    """

    kind: str
    by_hand: bool
    given: bool | None
    who: str
    line: int | None
    since: datetime | None
    count: int

    @property
    def seed_words(self) -> str:
        """Return a sentence: who gave the seed, or since when its fingerprint is public; or ""."""
        if self.given:
            who = self.who or "–"
            return _("Seed given by %(who)s.") % {"who": who}
        if self.since is None:
            return ""
        values = {"line": self.line, "when": format_moment(self.since, "all")}
        words = _(
            "Fingerprint of the random seed, published in line %(line)s of the log, %(when)s."
        )
        return words % values

    @property
    def count_words(self) -> str:
        """Return the ordinal of the draw among those of one thing in words; "" for the first."""
        if self.count == 1:
            return ""
        return _("Random draw %(count)s for these players.") % {"count": self.count}

    @property
    def words(self) -> str:
        """Return all sentences about the draw; empty if nothing is known of a first draw."""
        hand = _("Drawn manually.") if self.by_hand else ""
        return " ".join(filter(None, (hand, self.seed_words, self.count_words)))

    @property
    def json(self) -> dict[str, Any]:
        """Return the origin as fields of a draw in JSON, without names of people."""
        since = self.since and self.since.astimezone(UTC).isoformat(timespec="microseconds")
        return {
            "by_hand": self.by_hand,
            "seed_given": self.given,
            "public_since": since,
            "told_by_line": self.line,
            "count": self.count,
        }


def draw_origins(event: Event, draws: Iterable[Draw]) -> dict[int, DrawOrigin]:
    """Return {draw number: origin} of those of the draws that were made.

    No query if none was; else one or two.
    """
    made = [draw for draw in draws if draw.state == Draw.State.DRAWN]
    logged = _logged_draws(event, [draw.number for draw in made])
    unknown = {draw.by_id for draw in made if logged[draw.number].made is None} - {None}
    people = User.objects.in_bulk(unknown) if unknown else {}
    counts = Counter[Hashable]()
    found = {}
    for draw in sorted(made, key=lambda each: each.number):
        each = logged[draw.number]
        thing = _identity_of_draw(draw, each.row)
        counts[thing] += 1
        line = None if draw.by_hand else _announcing_line(draw, each)
        found[draw.number] = DrawOrigin(
            kind=draw.kind,
            by_hand=draw.by_hand,
            given=_is_seed_given(draw, each, line),
            who=_name(each.made) if each.made else _name_of(people.get(draw.by_id or 0)),
            line=line.number if line else None,
            since=line.at.astimezone(event.zone) if line else None,
            count=counts[thing],
        )
    return found


def draw_origin(draw: Draw) -> DrawOrigin:
    """Return the origin of one draw that was made; at most four queries."""
    return draw_origins(draw.event, draw.event.draws.all())[draw.number]


def draw_kind_label(draw: Draw) -> str:
    """Return the label of a random draw's kind: "Starting order" or "Tied players"."""
    return _("Starting order") if draw.kind == Draw.Kind.START else _("Tied players")


def _logged_draws(event: Event, numbers: Collection[int]) -> dict[int, LoggedDraw]:
    """Return the first line that announced and the first that made each draw, by its number.

    A line of the whole event makes no draw: it repeats what was there. At most one query.
    """
    found = {number: LoggedDraw() for number in numbers}
    places = {f"draw/{number}": draw for number, draw in found.items()}
    if not places:
        return found
    lines = LogLine.objects.filter(event=event, facts__rows__has_any_keys=list(places))
    for line in lines.select_related("by").order_by("number"):
        for place in places.keys() & line.facts["rows"].keys():
            draw, row = places[place], line.facts["rows"][place]
            if draw.row is not None or not isinstance(row, dict):
                continue
            if row.get("state") == Draw.State.DRAWN:
                draw.row, draw.made = row, None if line.facts.get("whole") else line
            elif draw.announced is None:
                draw.announced, draw.fingerprint = line, row.get("fingerprint")
    return found


def _announcing_line(draw: Draw, logged: LoggedDraw) -> LogLine | None:
    """Return the line that published the fingerprint of a draw's seed before the draw."""
    return logged.announced if logged.fingerprint == draw.fingerprint else None


def _is_seed_given(draw: Draw, logged: LoggedDraw, line: LogLine | None) -> bool | None:
    """Return whether somebody gave the seed: no earlier line published its fingerprint."""
    if draw.by_hand or line is not None:
        return False
    known = logged.announced is not None or logged.made is not None or draw.note == SEED_GIVEN
    return True if known else None


def _identity_of_draw(draw: Draw, row: Mapping[str, Any] | None) -> Hashable:
    """Return a key shared by the draws of one thing: the start, or lots among the same players.

    Lots differ by stage, as the log names it: undo may have removed the stage of the row.
    """
    if draw.kind == Draw.Kind.START:
        return draw.kind
    stage = row.get("stage") if row else draw.stage_id
    return draw.kind, stage, frozenset(map(str, draw.entrants))


def _name(line: LogLine) -> str:
    """Return the public name of a line's author; empty if not known any more."""
    return line.by_name or _name_of(line.by)


def _name_of(user: User | None) -> str:
    """Return the name of an account, never a part of its address; empty without account."""
    return "" if user is None else user.name or _("the staff")


Stored = TypeVar("Stored", bound=models.Model)
Row = TypeVar("Row")
Made = TypeVar("Made")

log = logging.getLogger("tournaments.drawing")
logged: set[int] = set()
"""Keys of the events that this process has logged."""


def map_readable_rows(rows: Iterable[Row], draw: Callable[[Row], Made]) -> list[Made]:
    """Return ``draw(row)`` for each row; rows for which it fails are left out.

    Failures are logged. Keeps one damaged event from breaking a list. A row is an event or has
    ``event`` or ``event_id``. Errors of the database connection are raised.
    """
    made: list[Made] = []
    for row in rows:
        with _log_failure_once(_event_of(row)):
            made.append(draw(row))
    return made


def readable_rows(rows: models.QuerySet[Stored]) -> models.QuerySet[Stored]:
    """Return a queryset that skips rows whose stored data can't be read.

    One query; if a row is unreadable, one more for each row.
    """
    found = rows.all()
    found._iterable_class = _ReadableRows  # type: ignore[attr-defined]
    return found


class _ReadableRows(ModelIterable):  # type: ignore[type-arg]
    """The rows of a queryset that can be read."""

    def __iter__(self) -> Iterator[Any]:
        try:
            return iter(list(super().__iter__()))
        except Exception as fault:
            if _is_of_database(fault):
                raise
        return self._one_by_one()

    def _one_by_one(self) -> Iterator[Any]:
        event = "pk" if self.queryset.model is Event else "event_id"
        alone = self.queryset.all()
        alone._iterable_class = ModelIterable
        alone.query.clear_limits()
        for key, of_event in list(self.queryset.values_list("pk", event)):
            with _log_failure_once(of_event):
                yield alone.get(pk=key)


def _event_of(row: Any) -> int:
    found: int = row.event_id if hasattr(row, "event_id") else getattr(row, "event", row).pk
    return found


@contextmanager
def _log_failure_once(event_id: int) -> Iterator[None]:
    """Log an error about an event, once a process, and suppress it."""
    try:
        yield
    except Exception as fault:
        if _is_of_database(fault):
            raise
        if event_id in logged:
            return
        logged.add(event_id)
        slug = Event.objects.filter(pk=event_id).values_list("slug", flat=True).first()
        words = "The event %r (%s) can't be drawn, so lists leave it out: %s: %s"
        log.error(words, slug, event_id, type(fault).__name__, fault, exc_info=fault)


def _is_of_database(fault: Exception) -> bool:
    """Return whether the database does not answer; a value that it holds is a row's own fault."""
    return isinstance(fault, DatabaseError | InterfaceError) and not isinstance(fault, DataError)
