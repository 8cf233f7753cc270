"""Which answer a request means, and answers as the bytes that leave: made by Django, and sent."""

import gzip
import hashlib
import io
import re
import secrets
import struct
import sys
import zlib
from collections.abc import Callable, Iterable
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
from django.utils.http import parse_etags
from django.utils.translation import get_language_from_request

from config import VERSION
from config.addresses import canonical_host
from config.clients import PASSED_ON
from config.data_folder import is_frozen
from config.middleware import CLEAN_ID
from tournaments.core.clocks import clock_header_value
from tournaments.pages.access import CachePermission, changes_with_every_act, public_parameters
from tournaments.public.storage import DAY, SERIES, CachedResponse, DataVersion, Header

Environ = dict[str, Any]
Start = Callable[..., Any]
Application = Callable[[Environ, Start], Iterable[bytes]]
SMALL = 200
"""Bytes that are not compressed."""
EACH_ITS_OWN = frozenset({"content-length", "x-request-id", "x-clock", "date", "etag"})
GZIP = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
REFUSED = re.compile(r"gzip\s*;\s*q\s*=\s*0(\.0*)?\s*(,|$)", re.IGNORECASE)
"""How a reader says that bytes compressed by gzip are not wanted (RFC 9110)."""
OF_BODY = frozenset({"content-type", "content-language"})


def call_application(application: Application, environ: Environ) -> tuple[str, list[Header], bytes]:
    """Call a WSGI application; return the (status, headers, body) of its response."""
    started: list[Any] = []

    def start_response(status: str, headers: list[Header], exc_info: Any = None) -> None:
        started[:] = [status, headers]

    chunks = application(environ, start_response)
    try:
        body = b"".join(chunks)
    finally:
        if hasattr(chunks, "close"):
            chunks.close()
    return started[0], started[1], body


def build_cached_response(
    offer: CachePermission,
    version: DataVersion,
    headers: Iterable[Header],
    body: bytes,
    *,
    until: float,
    began: float,
    now: float,
) -> CachedResponse:
    """Return a rendered response prepared for the cache: compressed, with an ETag.

    ``version`` is the data version from before the rendering. ``until`` (expiry), ``began`` (start
    of the rendering) and ``now`` are seconds since the epoch. A page with a round timer is cut at
    "</body>", where `send_cached` inserts the remaining time.
    """
    known = {name.lower(): value for name, value in headers}
    etag = known.get("etag") or f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    etag = f"W/{etag.removeprefix('W/')}"  # compressed or not
    every = tuple(pair for pair in headers if pair[0].lower() not in EACH_ITS_OWN)
    if "cache-control" not in known:
        every += (("Cache-Control", "private, no-cache"),)
    cut = body.rfind(b"</body>") if offer.clock or offer.running else -1
    whole, end = (body[:cut], body[cut:]) if cut >= 0 else (body, b"")
    compressed = len(body) >= SMALL
    return CachedResponse(
        label=version.label,
        kin=version.kin,
        number=version.number,
        headers=every,
        unchanged=tuple(pair for pair in every if pair[0].lower() not in OF_BODY),
        etag=etag,
        body=gzip_compress(whole, open_end=bool(end)) if compressed else whole,
        compressed=compressed,
        length=len(whole),
        until=until,
        rendered=began,
        took=now - began,
        clock=offer.clock or bool(end),
        end=end,
        checksum=zlib.crc32(whole),
        fresh=began,
    )


def gzip_compress(content: bytes, *, open_end: bool = False) -> bytes:
    """Compress bytes as gzip; with ``open_end``, `append_to_gzip` must complete them."""
    if not open_end:
        return gzip.compress(content, 6, mtime=0)
    packing = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return GZIP + packing.compress(content) + packing.flush(zlib.Z_SYNC_FLUSH)


def append_to_gzip(kept: CachedResponse, end: bytes) -> bytes:
    """Return a cached gzip body, made with ``open_end``, completed by more bytes.

    They are appended uncompressed (RFC 1951, 1952).
    """
    size = len(end)
    block = struct.pack("<BHH", 1, size, size ^ 0xFFFF)
    checked = struct.pack("<LL", zlib.crc32(end, kept.checksum), kept.length + size)
    return b"".join((kept.body, block, end, checked))


def uncompressed_body(kept: CachedResponse) -> bytes:
    """Return the uncompressed body of a cached response."""
    return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(kept.body)


def send_cached(
    kept: CachedResponse, version: DataVersion, environ: Environ, start_response: Start
) -> Iterable[bytes]:
    """Answer a WSGI request from the cache, compressed if accepted, or with 304."""
    given = environ.get("HTTP_X_REQUEST_ID", "")
    number = given if given and CLEAN_ID.fullmatch(given) else secrets.token_hex(6)
    etag, own = kept.etag, [("X-Request-ID", number)]
    clock = clock_header_value(version.clock) if kept.clock and version.clock is not None else ""
    if clock and kept.end:
        etag = f'{etag[:-1]}-{clock.replace(" ", "-")}"'  # else a page opened again has an old one
    elif clock:
        own.append(("X-Clock", clock))
    own.append(("ETag", etag))
    seen = environ.get("HTTP_IF_NONE_MATCH")
    if seen and (seen == etag or _matches_etag(seen, etag)):
        start_response("304 Not Modified", [*kept.unchanged, *own])
        return [b""]
    body, end = kept.body, kept.end
    if end and clock:
        end = b'<i hidden data-now="%s"></i>%s' % (clock.encode(), end)
    if kept.compressed and _takes_gzip(environ.get("HTTP_ACCEPT_ENCODING", "")):
        own.append(("Content-Encoding", "gzip"))
        body = append_to_gzip(kept, end) if end else body
    else:
        body = (uncompressed_body(kept) if kept.compressed else body) + end
    own.append(("Content-Length", str(len(body))))
    start_response("200 OK", [*kept.headers, *own])
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]


def _takes_gzip(accepted: str) -> bool:
    return "gzip" in accepted and REFUSED.search(accepted) is None


def _matches_etag(sent: str, etag: str) -> bool:
    bare = etag.removeprefix("W/")
    return any(each.removeprefix("W/") == bare for each in parse_etags(sent))


FOLDERS = ("accounts", "config", "decks", "locale", "rules", "templates", "tournaments")
ENDINGS = frozenset({".py", ".html", ".txt", ".mo"})


@cache
def release_digest() -> str:
    """Return a digest of the code, templates and settings, cached in the process.

    It changes with every release, so that cached pages of an older one are not used.
    """
    base, digest = Path(settings.BASE_DIR), hashlib.sha256()
    files = sorted(
        path for name in FOLDERS for path in (base / name).rglob("*") if path.suffix in ENDINGS
    )
    if is_frozen():
        files.append(Path(sys.executable))  # which holds the code
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
class ResponseIdentity:
    """What identifies a cached response to a request.

    ``slug`` is the event's, None for pages about all events; that of a series has ``SERIES`` or
    ``DAY`` before it (``DataVersions.current``). ``query`` is sorted; ``host`` is the host to
    render for; ``route`` is the URL name.
    """

    key: str
    host: str
    slug: str | None
    query: str
    language: str
    route: str


OF_SERIES = "series/<slug:slug>/"


class RequestParser:
    """Parser of requests for public pages, with a cache of the latest results."""

    def __init__(self) -> None:
        self.release = release_digest()
        self._known: dict[tuple[Any, ...], ResponseIdentity | None] = {}
        self._own_cookies = (f"{settings.SESSION_COOKIE_NAME}=", "messages=")

    def __len__(self) -> int:
        return len(self._known)

    def answer_to(self, environ: Environ) -> ResponseIdentity | None:
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
        # the address of a hall that may open meanwhile: codes on pages for the laptop lead to it
        site = settings.SITE_ADDRESS
        request_key = (*map(environ.get, SENT), language, site, laid_out)
        try:
            return self._known[request_key]
        except KeyError:
            found = None if laid_out else self._parsed_request(environ, language)
            if sum(map(len, filter(None, request_key[:-1]))) <= LONG:
                if len(self._known) >= MOST_REQUESTS:
                    self._known.clear()
                self._known[request_key] = found
            return found

    def _parsed_request(self, environ: Environ, language: str) -> ResponseIdentity | None:
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
            host = canonical_host(request.get_host())
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
        site = (self.release, request.scheme, host, settings.SITE_ADDRESS, below)
        meant = (*site, request.path_info, query, spoken, shown)
        key = hashlib.sha256(repr(meant).encode()).hexdigest()
        slug = match.kwargs.get("slug")
        if OF_SERIES in match.route:
            slug = (DAY if changes_with_every_act(match.func) else SERIES) + match.kwargs["slug"]
        return ResponseIdentity(key, host, slug, query, spoken, match.view_name)


def _without_marks(query: str) -> list[tuple[str, str]]:
    sent = parse_qsl(query, keep_blank_values=True)
    return [pair for pair in sent if pair[0] not in MARKS and not pair[0].startswith("utm_")]


def anonymous_environ(environ: Environ, language: str, host: str = "") -> Environ:
    """Return the WSGI environment as a GET of an anonymous reader.

    Cookies other than ``language`` and most headers are removed; ``host`` replaces the one sent.
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
