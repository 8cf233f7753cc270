"""Whether cached answers are still what the database holds, and where they are kept: in the memory
of each process, and where processes share them.

They share them through Redis (``CACHE_URL``), else through a folder beside the database.
"""

import logging
import os
import secrets
import sqlite3
import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import IO, Any, Protocol
from urllib.parse import quote

from django.conf import settings
from django.core.cache import BaseCache, caches
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.core.files import locks
from django.db import DatabaseError, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from config.checks import is_sqlite_file
from config.pages import KEPT_FOR, TURN, PageFileCache
from config.problems import error_page
from rules.events.clock import Clock
from tournaments.core.acts import CacheEffect, acts
from tournaments.core.clocks import STORED, clock_from_columns
from tournaments.models import (
    ErasedAccount,
    ErasedPlayer,
    Event,
    LogLine,
    Round,
    RoundClock,
    Series,
    SeriesEvent,
)
from tournaments.public.drawn import render_event

MAY_LAG = frozenset(act.key for act in acts().values() if act.shows is CacheEffect.ADDS)
"""Acts after which a page of before may be read a moment longer; no other, nor an unknown one."""
MOST_KNOWN = 1_000
UNORDERED = 1_000
"""Log lines of concurrent transactions may become visible in another order than their keys."""


@dataclass(frozen=True, slots=True)
class DataVersion:
    """The version of the data that a response is made from.

    A cached response is current if its ``label`` is equal. An outdated one may still be served
    briefly while ``kin`` is equal and its ``number`` is at least ``floor``.
    """

    label: tuple[Any, ...]
    kin: tuple[Any, ...]
    number: int
    floor: int
    clock: Clock | None = None


class DataVersions(Protocol):
    """Protocol of objects that read the current data version."""

    def current(self, slug: str | None) -> DataVersion | None:
        """Return the version of a public event, or of all (None); None if there is no such event.

        ``SERIES`` and a slug is the version of a series' pages, ``DAY`` and a slug that of its
        pages that follow every act. Raises sqlite3.Error, django.db.Error, OSError.
        """


_log, _event = LogLine._meta.db_table, Event._meta.db_table
_round, _clock = Round._meta.db_table, RoundClock._meta.db_table
_erased = f"(SELECT MAX(id) FROM {ErasedAccount._meta.db_table})"  # noqa: S608 - a table's name
_taken = f"action NOT IN ({', '.join(['%s'] * len(MAY_LAG))})"
_harmless = sorted(MAY_LAG)
SIGHT = (
    *("id", "state", "show_leaders", "show_prospects", "lists_published_at"),
    *("standings_held", "standings_released"),
)
"""Columns that say who may see what: with any of them changed nothing of before is shown.

Nor is it after an account was erased: what it owned, a format above all, may bear its name in
events that it had no part in.
"""
OF_EVENT = f"""
    SELECT {", ".join(f"e.{name}" for name in SIGHT)}, {_erased},
        e.version, e.head, e.minutes, r.id,
        {", ".join(f"c.{name}" for name in STORED)},
        (SELECT MAX(number) FROM {_log} WHERE event_id = e.id AND number > %s AND {_taken})
    FROM {_event} e
    LEFT JOIN {_round} r ON r.id = (
        SELECT id FROM {_round} WHERE event_id = e.id AND state = 'published'
        ORDER BY ordinal DESC LIMIT 1)
    LEFT JOIN {_clock} c ON c.round_id = r.id
    WHERE e.slug = %s AND e.state <> 'draft'
"""  # noqa: S608 - names of tables and columns
OF_ALL = f"""
    SELECT COUNT(*), SUM(id), {_erased}, (SELECT MAX(id) FROM {_log}),
        (SELECT MAX(id) FROM {_log} WHERE id > %s AND {_taken}), {{snapshot}}
    FROM {_event} WHERE state <> 'draft' AND listed
"""  # noqa: S608 - names of tables and columns
SERIES, DAY = "series/", "day/"
_series, _member = Series._meta.db_table, SeriesEvent._meta.db_table
OF_SERIES = f"""
    SELECT s.id, s.version, {_erased}, (SELECT MAX(id) FROM {ErasedPlayer._meta.db_table}),
        e.id, e.state, e.name, CAST(e.starts_at AS text), e.venue,
        CASE WHEN e.state = 'finished' THEN e.head END
    FROM {_series} s LEFT JOIN {_member} m ON m.series_id = s.id
    LEFT JOIN {_event} e ON e.id = m.event_id AND e.state <> 'draft'
    WHERE s.slug = %s ORDER BY e.id
"""  # noqa: S608 - names of tables and columns
OF_DAY = f"""
    SELECT s.id, s.version, {", ".join(f"e.{name}" for name in SIGHT)}, {_erased},
        e.version, e.head,
        (SELECT MAX(id) FROM {_log} WHERE event_id = e.id),
        (SELECT MAX(id) FROM {_log} WHERE event_id = e.id AND id > %s AND {_taken})
    FROM {_series} s LEFT JOIN {_member} m ON m.series_id = s.id
    LEFT JOIN {_event} e ON e.id = m.event_id AND e.state <> 'draft'
    WHERE s.slug = %s ORDER BY e.id
"""  # noqa: S608 - names of tables and columns
NOTHING_BEFORE = 2**31
NO_SNAPSHOT = "NULL"


class ThreadState(threading.local):
    """Data versions last read by this thread, by event slug (None: of all events).

    ``fresh`` holds until anything is written to the database; ``known`` longer: a later read
    begins from it.
    """

    def __init__(self) -> None:
        self.fresh: dict[str | None, DataVersion | None] = {}
        self.known: dict[str | None, DataVersion] = {}
        self.source: sqlite3.Connection | None = None
        self.file: tuple[int, int] | None = None
        self.stamp = -1


@dataclass(slots=True)
class DjangoVersionReader:
    """Reader of data versions through Django's connection, for PostgreSQL.

    ``snapshot``: SQL of a text that changes with every committed transaction; ``seen``: the
    versions last read by each thread. One query for a version; two for that of all events, if
    something was committed since it was last read.
    """

    snapshot: str = NO_SNAPSHOT
    seen: ThreadState = field(default_factory=ThreadState)

    def current(self, slug: str | None) -> DataVersion | None:
        """Return the present versions."""
        if slug is None and self.snapshot != NO_SNAPSHOT:
            known = self.seen.known.get(None)
            ((state,),) = self._rows(f"SELECT {self.snapshot}", ())
            if known is not None and known.label[-1] == state:
                return known
        return _read_version(self._rows, self.seen, slug, self.snapshot)

    def _rows(self, sql: str, values: Sequence[int | str]) -> Sequence[Any]:
        try:
            with connection.cursor() as cursor:
                cursor.execute(sql, values)
                return cursor.fetchall()
        except Exception:
            if not connection.in_atomic_block:
                connection.close()  # the server may have ended it
            raise


@dataclass(slots=True)
class SqliteVersionReader:
    """Reader of data versions through a read-only SQLite connection for each thread.

    Nothing is read again until ``PRAGMA data_version`` or the file's inode changes.
    """

    path: str
    seen: ThreadState = field(default_factory=ThreadState)

    def current(self, slug: str | None) -> DataVersion | None:
        """Return the present versions; no query if nothing was written since the last call."""
        seen = self.seen
        kept = os.stat(self.path)  # noqa: PTH116 - asked for with every request
        file = (kept.st_ino, kept.st_dev)
        source = seen.source if seen.file == file else self._opened(file)
        assert source is not None  # noqa: S101 - opened above
        (stamp,) = source.execute("PRAGMA data_version").fetchone()
        if stamp != seen.stamp or len(seen.fresh) > MOST_KNOWN:
            seen.fresh.clear()
            seen.stamp = stamp
        if slug not in seen.fresh:
            seen.fresh[slug] = _read_version(self._rows, seen, slug)
        return seen.fresh[slug]

    def _opened(self, file: tuple[int, int]) -> sqlite3.Connection:
        seen = self.seen
        if seen.source is not None:
            seen.source.close()
        seen.source = None
        seen.fresh, seen.known, seen.stamp = {}, {}, -1
        address = f"file:{quote(self.path)}?mode=ro"
        source = sqlite3.connect(address, uri=True, timeout=1, isolation_level=None)
        seen.source, seen.file = source, file
        return source

    def _rows(self, sql: str, values: Sequence[int | str]) -> Sequence[Any]:
        assert self.seen.source is not None  # noqa: S101 - opened by ``current``
        return self.seen.source.execute(sql.replace("%s", "?"), values).fetchall()


def site_data_versions() -> DataVersions | None:
    """Return this site's reader of data versions, None for a database in memory."""
    database = settings.DATABASES["default"]
    if connection.vendor == "sqlite":
        return SqliteVersionReader(str(database["NAME"])) if is_sqlite_file(database) else None
    return DjangoVersionReader(snapshot="pg_current_snapshot()::text")


def _read_version(
    rows: Any, seen: ThreadState, slug: str | None, snapshot: str = NO_SNAPSHOT
) -> DataVersion | None:
    if len(seen.known) > MOST_KNOWN:
        seen.known.clear()
    before = seen.known.get(slug)
    found: DataVersion | None
    if slug is None:
        found = _version_of_all(rows, before, snapshot)
    elif slug.startswith(SERIES):
        found = _version_of_series(rows, slug.removeprefix(SERIES))
    elif slug.startswith(DAY):
        found = _version_of_day(rows, before, slug.removeprefix(DAY))
    else:
        found = _version_of_event(rows, before, slug)
    if found is None:
        seen.known.pop(slug, None)
    else:
        seen.known[slug] = found
    return found


def _version_of_event(rows: Any, before: DataVersion | None, slug: str) -> DataVersion | None:
    last = before.number if before else NOTHING_BEFORE
    row, *_none = rows(OF_EVENT, (last, *_harmless, slug)) or (None,)
    if row is None:
        return None
    kin = tuple(row[: len(SIGHT) + 1])
    version, head, minutes, published, *stored, taken = row[len(SIGHT) + 1 :]
    known = before is not None and before.kin == kin and before.number <= version
    floor = max(before.floor, taken or 0) if before and known else version
    clock = clock_from_columns(_as_stored(stored), minutes) if published else None
    return DataVersion((*kin, version, head), kin, version, floor, clock)


def _version_of_all(rows: Any, before: DataVersion | None, snapshot: str) -> DataVersion:
    last = before.number - UNORDERED if before else NOTHING_BEFORE
    sql = OF_ALL.format(snapshot=snapshot)
    ((count, keys, erased, newest, taken, state),) = rows(sql, (last, *_harmless))
    kin, number = (count, keys, erased), newest or 0
    known = before is not None and before.number <= number
    floor = max(before.floor, taken or 0) if before and known else number
    return DataVersion((*kin, newest, state), kin, number, floor)


def _version_of_series(rows: Any, slug: str) -> DataVersion | None:
    """Return the version of the pages of a series with public events, else None.

    After none of its changes are bytes of before shown.
    """
    found = tuple(map(tuple, rows(OF_SERIES, (slug,))))
    return DataVersion(found, found, 0, 0) if any(row[4] for row in found) else None


def _version_of_day(rows: Any, before: DataVersion | None, slug: str) -> DataVersion | None:
    last = before.number - UNORDERED if before else NOTHING_BEFORE
    found = [tuple(row) for row in rows(OF_DAY, (last, *_harmless, slug))]
    if not any(row[2] for row in found):
        return None
    kin = tuple(row[: len(SIGHT) + 3] for row in found)
    number = max(row[-2] or 0 for row in found)
    known = before is not None and before.kin == kin and before.number <= number
    taken = max(row[-1] or 0 for row in found)
    floor = max(before.floor, taken) if before and known else number
    return DataVersion(tuple(row[:-1] for row in found), kin, number, floor)


def _as_stored(columns: Sequence[Any]) -> list[Any]:
    """Return the columns of a clock with the moment that SQLite keeps as text."""
    values = list(columns)
    at = STORED.index("since")
    if isinstance(values[at], str):
        values[at] = datetime.fromisoformat(values[at]).replace(tzinfo=UTC)
    return values


Header = tuple[str, str]
MOST_BYTES = 64 * 1024 * 1024
STRIPES = 256
LONGEST_RENDERING = 3
"""Seconds after which Redis forgets who renders: a process that was killed gives nothing back."""
TIMES_LONGER = 3
"""Where the last rendering took long, it forgets after so many times as long."""


@dataclass(slots=True)
class CachedResponse:
    """A cached response, with the data version from before it was rendered.

    ``end`` is the rest of a page after the place of the round timer, ``checksum`` the CRC-32 of the
    bytes before. ``until`` (expiry), ``rendered`` (start) and ``fresh`` (last seen to be current by
    this process) are seconds since the epoch; ``took`` are the seconds of rendering.
    """

    label: tuple[Any, ...]
    kin: tuple[Any, ...]
    number: int
    headers: tuple[Header, ...]
    unchanged: tuple[Header, ...]
    etag: str
    body: bytes
    compressed: bool
    length: int
    until: float
    rendered: float
    took: float
    clock: bool = False
    end: bytes = b""
    checksum: int = 0
    fresh: float = 0.0


class ResponseMemory:
    """Least-recently-used cache of responses in memory, limited to ``most`` bytes."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most, self.size = most, 0
        self._kept: OrderedDict[str, CachedResponse] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str) -> CachedResponse | None:
        """Return an answer."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, key: str, kept: CachedResponse) -> None:
        """Keep an answer; drop those not used for longest."""
        with self._lock:
            former = self._kept.pop(key, None)
            self.size += _size(kept) - (_size(former) if former else 0)
            self._kept[key] = kept
            while self.size > self.most:
                _key, dropped = self._kept.popitem(last=False)
                self.size -= _size(dropped)


def _size(kept: CachedResponse) -> int:
    return len(kept.body) + 2_000  # of headers and the object itself


class SharedResponses:
    """Cache of responses shared by the site's processes.

    It also gives one process at a time the right to render a response.
    """

    def __init__(self, cache: BaseCache, folder: Path | None) -> None:
        self.cache, self.folder = cache, folder
        self._alone = tuple(Lock() for _stripe in range(STRIPES))

    def get(self, key: str) -> CachedResponse | None:
        """Return an answer; None if it is damaged. Raises OSError."""
        try:
            found = self.cache.get(key)
        except OSError:
            raise
        except Exception:  # noqa: BLE001 - reading damaged bytes may raise anything
            return None
        return found if isinstance(found, CachedResponse) else None

    def put(self, key: str, kept: CachedResponse) -> None:
        """Keep an answer. Raises OSError."""
        self.cache.set(key, kept, KEPT_FOR)

    @contextmanager
    def turn(self, key: str, took: float = 0.0) -> Iterator[bool]:
        """Hold the right to render; False if somebody else has it now.

        ``took``: seconds of the rendering before. Raises OSError.
        """
        stripe = zlib.crc32(key.encode()) % STRIPES
        if self.folder is None:
            with self._turn_by_cache(key, max(LONGEST_RENDERING, TIMES_LONGER * took)) as ours:
                yield ours
        elif (file := _opened(self.folder / f"{TURN}{stripe:03}")) is not None:
            with file:
                yield locks.lock(file, locks.LOCK_EX | locks.LOCK_NB)
        else:  # nothing can be written there: this process takes turns with itself
            ours = self._alone[stripe].acquire(blocking=False)
            try:
                yield ours
            finally:
                if ours:
                    self._alone[stripe].release()

    @contextmanager
    def _turn_by_cache(self, key: str, seconds: float) -> Iterator[bool]:
        name, sign = f"turn:{key}", secrets.token_hex(8)
        ours = self.cache.add(name, sign, seconds)
        try:
            yield ours
        finally:
            if ours and self.cache.get(name) == sign:  # else it ran out, and is somebody else's
                self.cache.delete(name)


def _opened(path: Path) -> IO[bytes] | None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path.open("ab")
    except OSError:
        return None


def site_shared_responses() -> SharedResponses:
    """Return the cache of responses shared by this site's processes."""
    cache = caches["finished"]
    return SharedResponses(cache, cache.folder if isinstance(cache, PageFileCache) else None)


logger = logging.getLogger(__name__)
OF_EVENTS = "events/<slug:slug>/"
REFUSALS = (Http404, PermissionDenied, SuspiciousOperation, BadRequest, DatabaseError)
"""Exceptions with an answer of their own: an event is not drawn for each of them."""


class DamagedEventMiddleware(MiddlewareMixin):
    """Middleware that shows an error page if an event's damaged data made a view fail.

    The status stays 500 and the error is logged. Other errors are left to Django.
    """

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the page or problem document for a damaged event, else None."""
        asked = request.resolver_match
        if isinstance(error, REFUSALS) or asked is None or OF_EVENTS not in asked.route:
            return None
        if not _is_damaged(asked.kwargs["slug"]):
            return None
        logger.error("An event can't be shown: %s", request.path, exc_info=error)
        sentence = _("This event’s data is damaged. Send the page’s URL to the site’s operator.")
        return error_page(request, 500, sentence=sentence, code="event_damaged")


def _is_damaged(slug: str) -> bool:
    """Return whether the rows of an event keep it from being drawn."""
    try:
        render_event(Event.objects.get(slug=slug))
    except (Event.DoesNotExist, DatabaseError):
        return False
    except Exception:  # noqa: BLE001 - rows may hold anything
        return True
    return False
