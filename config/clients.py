"""Who the client is, for every limit: pages, sign-in and the API ask here and nowhere else.

Each proxy appends to ``X-Forwarded-For`` the address from which it was asked. Whatever stands
further left than the entries of the trusted proxies was written by the client, and is not read.
"""

import ipaddress
import logging
import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

NOBODY = "unknown"
"""The one client that all are where nothing is known, as on a socket without a trusted proxy."""
NETWORK = 64
"""Bits of an IPv6 address that are one client: a home or a phone has all that follow them."""
BETWEEN_LINES = 60
"""Seconds from one line of the log about missing proxies to the next."""

log = logging.getLogger("config.clients")
_silent_until = [0.0]


def client_of(request: HttpRequest) -> str:
    """Return the client's IPv4 address or IPv6 network.

    ``TRUSTED_PROXIES`` says how many proxies of the site's own stand in front; 0 means that the
    header is nobody's. Where it has fewer entries than there should be proxies, or no address, the
    connection itself counts: that can't be forged, so at worst many are one client.
    """
    connection = _address(str(request.META.get("REMOTE_ADDR") or "")) or NOBODY
    proxies: int = settings.TRUSTED_PROXIES
    if proxies < 1:
        return connection
    passed = str(request.META.get("HTTP_X_FORWARDED_FOR") or "").split(",")
    told = _address(passed[-proxies]) if len(passed) >= proxies else None
    if told is None:
        _complain(proxies)
    return told or connection


def is_too_often(action: str, request: HttpRequest, *, most: int, seconds: int) -> bool:
    """Count one more act of the request's client; say whether there were more than ``most``.

    The seconds are counted from the first act; those of others don't matter.
    """
    key = f"limit:{action}:{seconds}:{client_of(request)}"
    cache.add(key, 0, timeout=seconds)
    try:
        return cache.incr(key) > most
    except ValueError:  # it ran out between the two calls
        return False


def _address(text: str) -> str | None:
    """Return an address as it is counted, with or without a port; None where it is none."""
    text = text.strip().strip('"')
    if text.startswith("["):  # [2001:db8::1]:4711
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:  # 192.0.2.1:4711
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, NETWORK), strict=False))
    return str(found)


def _complain(proxies: int) -> None:
    now = time.monotonic()
    if now >= _silent_until[0]:
        _silent_until[0] = now + BETWEEN_LINES
        log.warning("X-Forwarded-For does not name what %s trusted proxies add to it.", proxies)
