"""A cache of public pages and API reads, in front of Django.

A reader without session, token or personal link gets the same page as every other. It is rendered
by Django once a change and kept as the bytes that leave: compressed, with headers and ETag. What
happens to a request:

1. ``answers`` says which answer is meant; None for what is not public, which Django answers.
2. The data version (``storage``) says what is stored now. An answer of the same is sent.
3. Else one thread of all processes renders (``storage.Shared.turn``), at most once a second.
   Whoever comes meanwhile gets the bytes of before, for ``LAG`` seconds at most, and never after
   something was taken away; else they wait.

What may be kept is said by the view, after asking the visibility rule (``pages.access``). Any fault
of the storage or the database leaves the request to Django. ``FINISHED_PAGES=0`` turns all of it
off.
"""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterable
from typing import Any

from django.db import Error as DatabaseError

from config.watching import FINISHED, RENDERED, ROUTE, SOURCE
from tournaments.pages.access import OFFER, CachePermission
from tournaments.public.answers import (
    Application,
    Environ,
    RequestParser,
    ResponseIdentity,
    Start,
    anonymous_environ,
    build_cached_response,
    call_application,
    send_cached,
)
from tournaments.public.storage import (
    CachedResponse,
    DataVersion,
    DataVersions,
    ResponseMemory,
    SharedResponses,
    site_data_versions,
    site_shared_responses,
)

LAG = 2.0
"""Seconds for which the bytes of before may be sent after a change."""
BETWEEN = 1.0
"""Minimum seconds from the beginning of one rendering of an answer to the next."""
LONGEST = 60.0
"""Seconds after which an answer is rendered again, for names of formats and the like."""
PATIENCE = 10.0
LOOK_AGAIN = 0.05
REFUSED_FOR = 5.0
MOST_KEYS = 10_000
LIMITED = "429"
"""The status of who asked too often: it says nothing of the answer that others get."""

FAULTS = (OSError, sqlite3.Error, DatabaseError)

log = logging.getLogger("tournaments.finished")


class PageCache:
    """WSGI application that answers requests for public pages from a cache.

    Other requests go to the wrapped Django application.
    """

    def __init__(
        self,
        application: Application,
        versions: DataVersions,
        shared: SharedResponses,
        *,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.application, self.versions, self.shared = application, versions, shared
        self.now, self.sleep = now, sleep
        self.memory, self.requests = ResponseMemory(), RequestParser()
        self._refused: dict[str, tuple[tuple[Any, ...], float]] = {}
        self._shared_at: dict[str, float] = {}
        self._silent_until = 0.0

    def __call__(self, environ: Environ, start_response: Start) -> Iterable[bytes]:
        """Answer a request."""
        wanted = self.requests.answer_to(environ)
        if wanted is None:
            return self.application(environ, start_response)
        try:
            version = self.versions.current(wanted.slug)
            kept = self._cached_answer(wanted, version, environ) if version is not None else None
        except FAULTS as fault:
            self._log_fault(fault)
            kept = None
        if kept is None or version is None:
            return self.application(environ, start_response)
        environ[ROUTE] = wanted.route
        environ.setdefault(SOURCE, FINISHED)
        return send_cached(kept, version, environ, start_response)

    def _cached_answer(
        self, wanted: ResponseIdentity, version: DataVersion, environ: Environ
    ) -> CachedResponse | None:
        now, kept = self.now(), self.memory.get(wanted.key)
        if kept is not None and _is_current(kept, version, now):
            kept.fresh = now
            return kept
        deadline = now + PATIENCE
        while True:
            kept = self._newest_answer(wanted.key, now)
            if kept is not None and _is_current(kept, version, now):
                kept.fresh = now
                return kept
            if self._is_refused(wanted, version, now):
                return None
            usable = kept is not None and _may_lag(kept, version, now)
            if kept is not None and usable and 0 <= now - kept.rendered < BETWEEN:
                return kept
            with self.shared.turn(wanted.key, kept.took if kept is not None else 0.0) as ours:
                if ours:
                    return self._in_turn(wanted, environ)
            if usable:
                return kept
            if now >= deadline:
                return None
            self.sleep(LOOK_AGAIN / 2)
            now = self.now()
            seen = self.versions.current(wanted.slug)
            if seen is None:
                return None
            version = seen

    def _newest_answer(
        self, key: str, now: float, *, surely: bool = False
    ) -> CachedResponse | None:
        """Return the newest answer of all processes; the shared storage is read at intervals."""
        kept = self.memory.get(key)
        if not surely and 0 <= now - self._shared_at.get(key, 0.0) < LOOK_AGAIN:
            return kept
        if len(self._shared_at) > MOST_KEYS:
            self._shared_at.clear()
        self._shared_at[key] = now
        other = self.shared.get(key)
        if other is None or (kept is not None and not _is_newer(other, kept)):
            return kept
        other.fresh = other.rendered
        self.memory.put(key, other)
        return other

    def _in_turn(self, wanted: ResponseIdentity, environ: Environ) -> CachedResponse | None:
        """Render, unless another process has just done so."""
        now, version = self.now(), self.versions.current(wanted.slug)
        if version is None:
            return None
        kept = self._newest_answer(wanted.key, now, surely=True)
        if kept is not None and _is_current(kept, version, now):
            return kept
        if kept is not None and _may_lag(kept, version, now) and 0 <= now - kept.rendered < BETWEEN:
            return kept
        rendered = self._render(wanted, version, environ)
        if rendered is None:
            return None
        self.memory.put(wanted.key, rendered)
        try:
            self.shared.put(wanted.key, rendered)
        except OSError as fault:  # a full disk: this process has it all the same
            self._log_fault(fault)
        return rendered

    def _render(
        self, wanted: ResponseIdentity, version: DataVersion, environ: Environ
    ) -> CachedResponse | None:
        """Return Django's answer, None if it may not be cached."""
        began, offer = self.now(), CachePermission()
        asks = anonymous_environ(environ, wanted.language, wanted.host) | {
            "QUERY_STRING": wanted.query,
            OFFER: offer,
        }
        status, headers, body = call_application(self.application, asks)
        found = {name.lower(): value for name, value in headers}
        secret = "set-cookie" in found or "content-encoding" in found
        secret = secret or "no-store" in found.get("cache-control", "")
        if secret or not (offer.granted and status.startswith("200")):
            if not status.startswith(LIMITED):
                self._refuse_for_a_while(wanted, version)
            return None
        until = began + LONGEST
        if offer.until is not None:
            until = min(until, offer.until.timestamp())
        now, environ[SOURCE] = self.now(), RENDERED
        return build_cached_response(
            offer, version, headers, body, until=until, began=began, now=now
        )

    def _refuse_for_a_while(self, wanted: ResponseIdentity, version: DataVersion) -> None:
        """Let Django itself answer this request for REFUSED_FOR seconds, or until a change."""
        if len(self._refused) > MOST_KEYS:
            self._refused.clear()
        self._refused[wanted.key] = (version.label, self.now() + REFUSED_FOR)

    def _is_refused(self, wanted: ResponseIdentity, version: DataVersion, now: float) -> bool:
        label, until = self._refused.get(wanted.key, (None, 0.0))
        return label == version.label and now < until

    def _log_fault(self, fault: Exception) -> None:
        now = time.monotonic()
        if now >= self._silent_until:
            self._silent_until = now + 60
            log.warning("Finished pages: %s: %s", type(fault).__name__, fault)


def wrap_in_page_cache(application: Application) -> Application:
    """Wrap a WSGI application in the page cache.

    It is returned unchanged if data versions can't be read, as with a database in memory.
    """
    versions = site_data_versions()
    return (
        application
        if versions is None
        else PageCache(application, versions, site_shared_responses())
    )


def _is_current(kept: CachedResponse, version: DataVersion, now: float) -> bool:
    return kept.label == version.label and kept.rendered <= now < kept.until


def _is_newer(one: CachedResponse, other: CachedResponse) -> bool:
    return (one.rendered, one.number) > (other.rendered, other.number)


def _may_lag(kept: CachedResponse, version: DataVersion, now: float) -> bool:
    """Return whether the bytes of before may still be sent."""
    if kept.kin != version.kin or not version.floor <= kept.number <= version.number:
        return False
    return 0 <= now - kept.fresh <= max(LAG, BETWEEN + 2 * kept.took)
