"""The client of a request, as all limits of pages, sign-in and the API identify it.

Each proxy appends to ``X-Forwarded-For`` the address of its client. Entries to the left of those
of the trusted proxies can be forged by the client and are ignored.
"""

import ipaddress
import logging
import time
from collections.abc import Sequence
from hashlib import sha256

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from rest_framework import throttling
from rest_framework.request import Request

NOBODY = "unknown"
"""The single client that all requests share if no address is known, as on a Unix socket."""
CONNECTION = "REMOTE_ADDR"
"""Key of the WSGI environment: the address of the other end of the connection."""
PASSED_ON = "HTTP_X_FORWARDED_FOR"
"""The header in which proxies tell whom they ask for."""
NETWORK = 64
"""Prefix length by which IPv6 addresses are one client: a household or a phone has a /64."""
BETWEEN_LINES = 60
"""Minimum seconds between two log lines about missing proxies."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
log = logging.getLogger("config.clients")
_silent_until = [0.0]


def client_address(request: HttpRequest) -> str:
    """Return the client's IPv4 address or IPv6 network.

    ``TRUSTED_PROXIES`` is the number of the site's proxies; with 0 the header is ignored. If it has
    fewer entries than proxies, or no valid address, the address of the connection is used: it can't
    be forged, so at worst many clients count as one.
    """
    connection = _address(str(request.META.get(CONNECTION) or "")) or NOBODY
    proxies: int = settings.TRUSTED_PROXIES
    if proxies < 1:
        return connection
    passed = str(request.META.get(PASSED_ON) or "").split(",")
    forwarded = _address(passed[-proxies]) if len(passed) >= proxies else None
    if forwarded is None:
        _warn_of_proxies(proxies)
    return forwarded or connection


def is_client_in_networks(request: HttpRequest, networks: Sequence[Network]) -> bool:
    """Return whether a request's client is in one of these networks.

    A request that didn't pass through the trusted proxies is judged by its connection.
    """
    passed, proxies = request.META.get(PASSED_ON), settings.TRUSTED_PROXIES
    text = str(request.META.get(CONNECTION) or "")
    if passed is not None and proxies:
        entries = str(passed).split(",")
        text = entries[-proxies] if len(entries) >= proxies else ""
    client = _ip(text)
    return client is not None and any(client in network for network in networks)


def take_rate_limit_slot(name: str, *, most: int, seconds: int) -> str:
    """Count an action under a rate limit; return its slot's cache key, "" if over the limit.

    Each of the ``most`` slots expires ``seconds`` after it was taken, so the limit holds in any
    such span. If the action fails, ``cache.delete(key)`` frees its slot.
    """
    for key in _free_slots(name, most):
        if cache.add(key, 1, timeout=seconds):
            return key
    return ""


def has_free_rate_limit_slot(name: str, *, most: int) -> bool:
    """Return whether ``take_rate_limit_slot`` would succeed now."""
    return bool(_free_slots(name, most))


def _free_slots(name: str, most: int) -> list[str]:
    name = sha256(name.encode()).hexdigest()
    keys = [f"slot:{name}:{number}" for number in range(most)]
    taken = cache.get_many(keys)
    return [key for key in keys if key not in taken]


def exceeds_rate_limit(action: str, request: HttpRequest, *, most: int, seconds: int) -> bool:
    """Count an action of the request's client; return whether there were more than ``most``.

    action: name under which it is counted. The window of ``seconds`` begins with the client's first
    action.
    """
    return (
        increment_counter(f"limit:{action}:{seconds}:{client_address(request)}", seconds=seconds)
        > most
    )


def increment_counter(key: str, *, seconds: int) -> int:
    """Increment a counter in the cache and return its value.

    key: cache key. The counter expires ``seconds`` after its first increment.
    """
    cache.add(key, 0, timeout=seconds)
    try:
        return cache.incr(key)
    except ValueError:  # it expired between the two calls
        return 0


def _ip(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an address without port, an IPv4 one in IPv6 as itself; None if invalid."""
    text = text.strip().strip('"')
    if text.startswith("["):  # [2001:db8::1]:4711
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:  # 192.0.2.1:4711
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def _address(text: str) -> str | None:
    """Return an IP address (of IPv6 its network) without port; None if invalid."""
    found = _ip(text)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, NETWORK), strict=False))
    return str(found) if found is not None else None


def _warn_of_proxies(proxies: int) -> None:
    now = time.monotonic()
    if now >= _silent_until[0]:
        _silent_until[0] = now + BETWEEN_LINES
        log.warning("X-Forwarded-For does not name what %s trusted proxies add to it.", proxies)


class ClientThrottle(throttling.SimpleRateThrottle):
    """DRF throttle base class that identifies anonymous clients by ``client_address``."""

    def get_ident(self, request: Request) -> str:
        return client_address(request._request)


class AnonymousThrottle(ClientThrottle, throttling.AnonRateThrottle):
    """DRF throttle: requests per minute of a client without an account."""


class AccountThrottle(ClientThrottle, throttling.UserRateThrottle):
    """DRF throttle: requests per minute of an account."""


class CostlyCallThrottle(ClientThrottle, throttling.ScopedRateThrottle):
    """DRF throttle: requests per minute to expensive endpoints, by their ``throttle_scope``."""
