"""Which answer a request means, and the request of a reader of whom nothing is known.

Every header that Django is shown when it renders is named here: one that is not can change nothing
in an answer that others are sent.
"""

import hashlib
import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.wsgi import WSGIRequest
from django.http import parse_cookie
from django.urls import Resolver404, resolve
from django.utils.translation import get_language_from_request

from config.addresses import known_host
from config.clients import PASSED_ON
from config.version import VERSION
from tournaments.pages.offers import public_parameters
from tournaments.public.answers import Environ

FOLDERS = ("accounts", "config", "decks", "locale", "rules", "templates", "tournaments")
ENDINGS = frozenset({".py", ".html", ".txt", ".mo"})


@cache
def release() -> str:
    """Return a digest of the program's files and settings that pages depend on; once a process."""
    base, digest = Path(settings.BASE_DIR), hashlib.sha256()
    files = sorted(
        path for name in FOLDERS for path in (base / name).rglob("*") if path.suffix in ENDINGS
    )
    for path in (*files, Path(settings.STATIC_ROOT) / "staticfiles.json"):
        if path.is_file():
            digest.update(f"{path.name}\0".encode() + path.read_bytes())
    digest.update(repr((VERSION, settings.EXTENSIONS)).encode())
    return digest.hexdigest()


MOST_REQUESTS = 10_000
SHORT = 200
LONG = 600
"""Letters of a request above which it is not remembered: with them memory is bounded, too."""
OWN = ("HTTP_AUTHORIZATION", "HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_RANGE")
FRAGMENT = ("HTTP_HX_REQUEST", "HTTP_HX_BOOSTED", "HTTP_HX_HISTORY_RESTORE_REQUEST")
SENT = (
    *("HTTP_HOST", "PATH_INFO", "QUERY_STRING", "HTTP_ACCEPT_LANGUAGE", *FRAGMENT),
    *("HTTP_X_FORWARDED_PROTO", "SCRIPT_NAME", "SERVER_NAME", "SERVER_PORT", "wsgi.url_scheme"),
)
"""What of a request decides which answer is meant, besides the cookie of the language."""
SHOWN = frozenset(
    {
        *("HTTP_HOST", "HTTP_X_FORWARDED_PROTO", *FRAGMENT),
        *(PASSED_ON, "HTTP_X_REQUEST_ID"),  # for the limits by address, for the log
    }
)
"""The headers that a rendering is shown; the cookie of the language is made anew."""
MARKS = frozenset(
    {
        *("fbclid", "igsh", "igshid", "mibextid", "gclid", "gbraid", "wbraid", "msclkid"),
        *("mc_cid", "mc_eid"),
    }
)
"""What others add to a link that is shared, besides ``utm_…``; no page of ours reads it."""


@dataclass(frozen=True, slots=True)
class RequestedAnswer:
    """The identity of an answer: key, event (None: all events), and its sorted query.

    ``host`` is the host that it is rendered for.
    """

    key: str
    host: str
    slug: str | None
    query: str
    language: str


class Requests:
    """Parses requests to the public pages, remembering the latest ones."""

    def __init__(self) -> None:
        self.release = release()
        self._known: dict[tuple[Any, ...], RequestedAnswer | None] = {}
        self._own_cookies = (f"{settings.SESSION_COOKIE_NAME}=", "messages=")

    def __len__(self) -> int:
        return len(self._known)

    def answer_to(self, environ: Environ) -> RequestedAnswer | None:
        """Return the identity of the cached answer to a request; None if it is not public."""
        if environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return None
        if any(name in environ for name in OWN) or environ.get("HTTP_IF_NONE_MATCH") == "*":
            return None
        language, cookie = "", environ.get("HTTP_COOKIE", "")
        if cookie:
            if any(name in cookie for name in self._own_cookies):
                return None
            language = parse_cookie(cookie).get(settings.LANGUAGE_COOKIE_NAME, "")
        laid_out = "indent" in environ.get("HTTP_ACCEPT", "").lower()
        request_key = (*map(environ.get, SENT), language, laid_out)
        try:
            return self._known[request_key]
        except KeyError:
            found = None if laid_out else self._parsed_request(environ, language)
            if sum(map(len, filter(None, request_key[:-1]))) <= LONG:
                if len(self._known) >= MOST_REQUESTS:
                    self._known.clear()
                self._known[request_key] = found
            return found

    def _parsed_request(self, environ: Environ, language: str) -> RequestedAnswer | None:
        query = environ.get("QUERY_STRING", "")
        if len(query) > LONG:
            return None
        sent = _without_marks(query)
        query = urlencode(sorted(sent))
        if len(query) + len(environ["PATH_INFO"]) > SHORT or len(language) > SHORT:
            return None
        request = WSGIRequest(anonymous_environ(environ, ""))
        request.META["HTTP_ACCEPT_LANGUAGE"] = environ.get("HTTP_ACCEPT_LANGUAGE", "")
        request.COOKIES = {settings.LANGUAGE_COOKIE_NAME: language}
        try:
            host = known_host(request.get_host())
            match = resolve(request.path_info)
        except (DisallowedHost, Resolver404, UnicodeError):
            return None
        known = public_parameters(match.func)
        names = {name for name, _value in sent}
        if known is None or len(names) < len(sent) or not names <= known:
            return None
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            return None
        spoken = get_language_from_request(request)
        shown = [environ.get(name) == "true" for name in FRAGMENT]
        below = request.META.get("SCRIPT_NAME", "")
        meant = (self.release, request.scheme, host, below, request.path_info, query, spoken, shown)
        key = hashlib.sha256(repr(meant).encode()).hexdigest()
        return RequestedAnswer(key, host, match.kwargs.get("slug"), query, spoken)


def _without_marks(query: str) -> list[tuple[str, str]]:
    sent = parse_qsl(query, keep_blank_values=True)
    return [pair for pair in sent if pair[0] not in MARKS and not pair[0].startswith("utm_")]


def anonymous_environ(environ: Environ, language: str, host: str = "") -> Environ:
    """Return the environment of the same GET request without what identifies its reader.

    ``host`` takes the place of the one that was sent.
    """
    found = {
        name: value
        for name, value in environ.items()
        if name in SHOWN or not name.startswith(("HTTP_", "CONTENT_"))
    }
    if host:
        found["HTTP_HOST"] = host
    found["HTTP_COOKIE"] = f"{settings.LANGUAGE_COOKIE_NAME}={language}"
    return found | {"REQUEST_METHOD": "GET", "wsgi.input": io.BytesIO()}
