"""Where cached answers are kept: in the memory of each process, and where processes share them.

They share them through Redis (``CACHE_URL``), else through a folder beside the database.
"""

import logging
import secrets
import zlib
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import IO, Any

from django.core.cache import BaseCache, caches
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.core.files import locks
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from config.pages import KEPT_FOR, TURN, PageFiles
from config.problems import error_page
from tournaments.models import Event
from tournaments.public.drawn import draw_event

Header = tuple[str, str]
MOST_BYTES = 64 * 1024 * 1024
STRIPES = 256
LONGEST_RENDERING = 3
"""Seconds after which Redis forgets who renders: a process that was killed gives nothing back."""
TIMES_LONGER = 3
"""Where the last rendering took long, it forgets after so many times as long."""


@dataclass(slots=True)
class CachedAnswer:
    """A cached answer: its bytes, headers, and the data version that it was made after.

    ``end`` is what follows the place where the clock is written into a whole page, ``checksum``
    that of the bytes before. ``until`` and ``rendered`` (its beginning) are seconds since the
    epoch, ``took`` those of the rendering. ``fresh`` is when this process last saw it be current.
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


class Memory:
    """The answers used last, up to a number of bytes."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most, self.size = most, 0
        self._kept: OrderedDict[str, CachedAnswer] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str) -> CachedAnswer | None:
        """Return an answer."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, key: str, kept: CachedAnswer) -> None:
        """Keep an answer; drop those not used for longest."""
        with self._lock:
            former = self._kept.pop(key, None)
            self.size += _size(kept) - (_size(former) if former else 0)
            self._kept[key] = kept
            while self.size > self.most:
                _key, dropped = self._kept.popitem(last=False)
                self.size -= _size(dropped)


def _size(kept: CachedAnswer) -> int:
    return len(kept.body) + 2_000  # of headers and the object itself


class Shared:
    """Answers shared by the processes of a site, and who of them renders which."""

    def __init__(self, cache: BaseCache, folder: Path | None) -> None:
        self.cache, self.folder = cache, folder
        self._alone = tuple(Lock() for _stripe in range(STRIPES))

    def get(self, key: str) -> CachedAnswer | None:
        """Return an answer; None if it is damaged. Raises OSError."""
        try:
            found = self.cache.get(key)
        except OSError:
            raise
        except Exception:  # noqa: BLE001 - reading damaged bytes may raise anything
            return None
        return found if isinstance(found, CachedAnswer) else None

    def put(self, key: str, kept: CachedAnswer) -> None:
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


def shared_of_site() -> Shared:
    """Return the storage of answers shared by this site's processes."""
    cache = caches["finished"]
    return Shared(cache, cache.folder if isinstance(cache, PageFiles) else None)


logger = logging.getLogger(__name__)
OF_EVENTS = "events/<slug:slug>/"
REFUSALS = (Http404, PermissionDenied, SuspiciousOperation, BadRequest, DatabaseError)
"""Exceptions with an answer of their own: an event is not drawn for each of them."""


class DamagedEvent(MiddlewareMixin):
    """Middleware: answer "can't be shown" if a fault in an event's stored data stops a view.

    The status stays 500, and the fault is logged. Other faults of views are left to Django.
    """

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the page or problem document for a damaged event, else None."""
        asked = request.resolver_match
        if isinstance(error, REFUSALS) or asked is None or OF_EVENTS not in asked.route:
            return None
        if not _is_damaged(asked.kwargs["slug"]):
            return None
        logger.error("An event can't be shown: %s", request.path, exc_info=error)
        sentence = _(
            "This event can’t be shown, as something stored of it is damaged. Nothing else is "
            "touched: tell the site’s operator its address."
        )
        return error_page(request, 500, sentence=sentence, code="event_damaged")


def _is_damaged(slug: str) -> bool:
    """Return whether the rows of an event keep it from being drawn."""
    try:
        draw_event(Event.objects.get(slug=slug))
    except (Event.DoesNotExist, DatabaseError):
        return False
    except Exception:  # noqa: BLE001 - rows may hold anything
        return True
    return False
