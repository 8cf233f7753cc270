"""Answers as the bytes that leave: made of what Django answers, and sent."""

import gzip
import hashlib
import re
import secrets
import struct
import zlib
from collections.abc import Callable, Iterable
from typing import Any

from django.utils.http import parse_etags

from config.middleware import CLEAN_ID
from tournaments.core.clocks import clock_value
from tournaments.pages.offers import Offer
from tournaments.public.data_versions import DataVersion
from tournaments.public.storage import CachedAnswer, Header

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


def answer_of(application: Application, environ: Environ) -> tuple[str, list[Header], bytes]:
    """Return status, headers and body of an application's answer."""
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


def cached_answer(
    offer: Offer,
    version: DataVersion,
    headers: Iterable[Header],
    body: bytes,
    *,
    until: float,
    began: float,
    now: float,
) -> CachedAnswer:
    """Return an answer as it leaves: compressed, with an ETag of its view or of its bytes.

    A whole page with a clock stays open where its body ends: what the clock shows is written there
    in each moment.
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
    return CachedAnswer(
        label=version.label,
        kin=version.kin,
        number=version.number,
        headers=every,
        unchanged=tuple(pair for pair in every if pair[0].lower() not in OF_BODY),
        etag=etag,
        body=packed(whole, open_end=bool(end)) if compressed else whole,
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


def packed(content: bytes, *, open_end: bool = False) -> bytes:
    """Return bytes compressed as gzip; with an open end ``with_end`` must follow."""
    if not open_end:
        return gzip.compress(content, 6, mtime=0)
    packing = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return GZIP + packing.compress(content) + packing.flush(zlib.Z_SYNC_FLUSH)


def with_end(kept: CachedAnswer, end: bytes) -> bytes:
    """Return gzip bytes extended by an uncompressed block, as in RFC 1951 and 1952."""
    size = len(end)
    block = struct.pack("<BHH", 1, size, size ^ 0xFFFF)
    checked = struct.pack("<LL", zlib.crc32(end, kept.checksum), kept.length + size)
    return b"".join((kept.body, block, end, checked))


def unpacked(kept: CachedAnswer) -> bytes:
    """Return the bytes of an answer as they were before they were compressed."""
    return zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(kept.body)


def send(
    kept: CachedAnswer, version: DataVersion, environ: Environ, start_response: Start
) -> Iterable[bytes]:
    """Send an answer, compressed if the client accepts that, or 304 if it has it."""
    given = environ.get("HTTP_X_REQUEST_ID", "")
    number = given if given and CLEAN_ID.fullmatch(given) else secrets.token_hex(6)
    etag, own = kept.etag, [("X-Request-ID", number)]
    clock = clock_value(version.clock) if kept.clock and version.clock is not None else ""
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
        body = with_end(kept, end) if end else body
    else:
        body = (unpacked(kept) if kept.compressed else body) + end
    own.append(("Content-Length", str(len(body))))
    start_response("200 OK", [*kept.headers, *own])
    return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]


def _takes_gzip(accepted: str) -> bool:
    return "gzip" in accepted and REFUSED.search(accepted) is None


def _matches_etag(sent: str, etag: str) -> bool:
    bare = etag.removeprefix("W/")
    return any(each.removeprefix("W/") == bare for each in parse_etags(sent))
