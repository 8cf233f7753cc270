"""Finished answers of public pages and API reads, in front of Django.

A reader without session, token or personal link gets the same page as every other. It is rendered
by Django once a change and kept as the bytes that leave: compressed, with headers and ETag. What
happens to a request:

1. ``_asked`` says which answer is meant; None for what is not public, which Django answers.
2. The look (``looks``) says what the database holds now. An answer of the same look is sent.
3. Else one thread of all processes renders (``storage.Shared.turn``), at most once a second.
   Whoever comes meanwhile gets the bytes of before, for ``LAG`` seconds at most, and never after
   something was taken away; else they wait.

What may be kept is said by the view, after asking the visibility rule (``pages.offers``). Any fault
of the storage or the look leaves the request to Django. ``FINISHED_PAGES=0`` turns all of it off.
"""

import hashlib
import io
import logging
import sqlite3
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.wsgi import WSGIRequest
from django.db import Error as DatabaseError
from django.http import parse_cookie
from django.urls import Resolver404, resolve
from django.utils.translation import get_language_from_request

from tournaments.pages.offers import OFFER, Offer, public_parameters
from tournaments.public.answers import (
    Application,
    Environ,
    Start,
    answer_of,
    finished,
    send,
)
from tournaments.public.looks import Look, Looks, looks_of_site
from tournaments.public.release import release
from tournaments.public.storage import Kept, Memory, Shared, shared_of_site

LAG = 2.0
"""Seconds for which the bytes of before may be sent after a change."""
BETWEEN = 1.0
"""Minimum seconds from the beginning of one rendering of an answer to the next."""
LONGEST = 60.0
"""Seconds after which an answer is rendered again, for names of formats and the like."""
PATIENCE = 10.0
LOOK_AGAIN = 0.05
REFUSED_FOR = 5.0
MOST_QUESTIONS = 10_000
SHORT = 200

FAULTS = (OSError, sqlite3.Error, DatabaseError)
OWN = ("HTTP_AUTHORIZATION", "HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_RANGE")
FRAGMENT = ("HTTP_HX_REQUEST", "HTTP_HX_BOOSTED", "HTTP_HX_HISTORY_RESTORE_REQUEST")
SENT = (
    *("HTTP_HOST", "PATH_INFO", "QUERY_STRING", "HTTP_ACCEPT_LANGUAGE", *FRAGMENT),
    *("HTTP_X_FORWARDED_PROTO", "SCRIPT_NAME", "SERVER_NAME", "SERVER_PORT", "wsgi.url_scheme"),
)
"""What of a request decides which answer is meant, besides the cookie of the language."""
LEFT_OUT = frozenset(
    {
        *("HTTP_COOKIE", "HTTP_ACCEPT_ENCODING", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE"),
        *("CONTENT_LENGTH", "CONTENT_TYPE"),
    }
)

log = logging.getLogger("tournaments.finished")


@dataclass(frozen=True, slots=True)
class Asked:
    """Which answer is meant: its key, its event (None: all of them), its query put in order."""

    key: str
    slug: str | None
    query: str
    language: str


class Finished:
    """WSGI application that answers public reads by finished bytes, and leaves the rest."""

    def __init__(
        self,
        application: Application,
        looks: Looks,
        shared: Shared,
        *,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.application, self.looks, self.shared = application, looks, shared
        self.now, self.sleep = now, sleep
        self.memory = Memory()
        self.release = release()
        self._questions: dict[tuple[Any, ...], Asked | None] = {}
        self._refused: dict[str, float] = {}
        self._shared_at: dict[str, float] = {}
        self._silent_until = 0.0
        self._own_cookies = (f"{settings.SESSION_COOKIE_NAME}=", "messages=")

    def __call__(self, environ: Environ, start_response: Start) -> Iterable[bytes]:
        """Answer a request."""
        asked = self._asked(environ)
        if asked is None:
            return self.application(environ, start_response)
        try:
            look = self.looks.look(asked.slug)
            kept = self._kept(asked, look, environ) if look is not None else None
        except FAULTS as fault:
            self._complain(fault)
            kept = None
        if kept is None or look is None:
            return self.application(environ, start_response)
        return send(kept, look, environ, start_response)

    # --- Which answer ----------------------------------------------------------------------
    def _asked(self, environ: Environ) -> Asked | None:
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return None
        if any(name in environ for name in OWN) or environ.get("HTTP_IF_NONE_MATCH") == "*":
            return None
        language, cookie = "", environ.get("HTTP_COOKIE", "")
        if cookie:
            if any(name in cookie for name in self._own_cookies):
                return None
            language = parse_cookie(cookie).get(settings.LANGUAGE_COOKIE_NAME, "")
        question = (*map(environ.get, SENT), language, "indent" in environ.get("HTTP_ACCEPT", ""))
        try:
            return self._questions[question]
        except KeyError:
            if len(self._questions) >= MOST_QUESTIONS:
                self._questions.clear()
            self._questions[question] = found = self._understood(environ, language)
            return found

    def _understood(self, environ: Environ, language: str) -> Asked | None:
        query = environ.get("QUERY_STRING", "")
        if len(query) + len(environ["PATH_INFO"]) > SHORT or len(language) > SHORT:
            return None
        if "indent" in environ.get("HTTP_ACCEPT", ""):
            return None  # JSON as the client wants it laid out
        request = WSGIRequest(self._plain(environ, language))
        try:
            host = request.get_host()
            match = resolve(request.path_info)
        except (DisallowedHost, Resolver404, UnicodeError):
            return None
        known = public_parameters(match.func)
        sent = parse_qsl(query, keep_blank_values=True)
        names = {name for name, _value in sent}
        if known is None or len(names) < len(sent) or not names <= known:
            return None
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            return None
        query = urlencode(sorted(sent))
        spoken = get_language_from_request(request)
        shown = [environ.get(name) == "true" for name in FRAGMENT]
        meant = (self.release, request.scheme, host, request.path, query, spoken, shown)
        key = hashlib.sha256(repr(meant).encode()).hexdigest()
        return Asked(key, match.kwargs.get("slug"), query, language)

    # --- Its bytes -------------------------------------------------------------------------
    def _kept(self, asked: Asked, look: Look, environ: Environ) -> Kept | None:
        now, kept = self.now(), self.memory.get(asked.key)
        if kept is not None and _is_current(kept, look, now):
            kept.fresh = now
            return kept
        deadline = now + PATIENCE
        while True:
            kept = self._newest(asked.key, now)
            if kept is not None and _is_current(kept, look, now):
                kept.fresh = now
                return kept
            if now < self._refused.get(asked.key, 0.0):
                return None
            usable = kept is not None and _may_lag(kept, look, now)
            if kept is not None and usable and 0 <= now - kept.rendered < BETWEEN:
                return kept
            with self.shared.turn(asked.key) as ours:
                if ours:
                    return self._in_turn(asked, environ)
            if usable:
                return kept
            if now >= deadline:
                return None
            self.sleep(LOOK_AGAIN / 2)
            now = self.now()
            seen = self.looks.look(asked.slug)
            if seen is None:
                return None
            look = seen

    def _newest(self, key: str, now: float, *, surely: bool = False) -> Kept | None:
        """Return the newest answer of all processes; others are asked for theirs at times."""
        kept = self.memory.get(key)
        if not surely and 0 <= now - self._shared_at.get(key, 0.0) < LOOK_AGAIN:
            return kept
        if len(self._shared_at) > MOST_QUESTIONS:
            self._shared_at.clear()
        self._shared_at[key] = now
        other = self.shared.get(key)
        if other is None or (kept is not None and not _is_newer(other, kept)):
            return kept
        other.fresh = other.rendered
        self.memory.put(key, other)
        return other

    def _in_turn(self, asked: Asked, environ: Environ) -> Kept | None:
        """Render, unless another process has just done so."""
        now, look = self.now(), self.looks.look(asked.slug)
        if look is None:
            return None
        kept = self._newest(asked.key, now, surely=True)
        if kept is not None and _is_current(kept, look, now):
            return kept
        if kept is not None and _may_lag(kept, look, now) and 0 <= now - kept.rendered < BETWEEN:
            return kept
        rendered = self._rendered(asked, look, environ)
        if rendered is None:
            if len(self._refused) > MOST_QUESTIONS:
                self._refused.clear()
            self._refused[asked.key] = self.now() + REFUSED_FOR
            return None
        self.memory.put(asked.key, rendered)
        try:
            self.shared.put(asked.key, rendered)
        except OSError as fault:  # a full disk: this process has it all the same
            self._complain(fault)
        return rendered

    def _plain(self, environ: Environ, language: str) -> Environ:
        """Return the environment of the same request, from a reader of whom nothing is known."""
        plain = {name: value for name, value in environ.items() if name not in LEFT_OUT}
        if language:
            plain["HTTP_COOKIE"] = f"{settings.LANGUAGE_COOKIE_NAME}={language}"
        return plain | {"REQUEST_METHOD": "GET", "wsgi.input": io.BytesIO()}

    def _rendered(self, asked: Asked, look: Look, environ: Environ) -> Kept | None:
        """Let Django answer; return None if the answer may not be kept."""
        began, offer = self.now(), Offer()
        plain = self._plain(environ, asked.language)
        plain |= {"QUERY_STRING": asked.query, OFFER: offer}
        status, headers, body = answer_of(self.application, plain)
        found = {name.lower(): value for name, value in headers}
        secret = "set-cookie" in found or "content-encoding" in found
        secret = secret or "no-store" in found.get("cache-control", "")
        if secret or not (offer.granted and status.startswith("200")):
            return None
        until = began + LONGEST
        if offer.until is not None:
            until = min(until, offer.until.timestamp())
        now = self.now()
        return finished(offer, look, headers, body, until=until, began=began, now=now)

    def _complain(self, fault: Exception) -> None:
        now = time.monotonic()
        if now >= self._silent_until:
            self._silent_until = now + 60
            log.warning("Finished pages: %s: %s", type(fault).__name__, fault)


def front(application: Application) -> Application:
    """Return the application with finished answers in front; as it is if they can't be had."""
    looks = looks_of_site()
    return application if looks is None else Finished(application, looks, shared_of_site())


def _is_current(kept: Kept, look: Look, now: float) -> bool:
    return kept.label == look.label and kept.rendered <= now < kept.until


def _is_newer(one: Kept, other: Kept) -> bool:
    return (one.rendered, one.number) > (other.rendered, other.number)


def _may_lag(kept: Kept, look: Look, now: float) -> bool:
    """Say whether the bytes of before may still be sent."""
    if kept.kin != look.kin or not look.floor <= kept.number <= look.number:
        return False
    return 0 <= now - kept.fresh <= max(LAG, BETWEEN + 2 * kept.took)
