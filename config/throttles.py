"""Rate limits of the API, by the same clients as those of pages."""

from rest_framework import throttling
from rest_framework.request import Request

from config.clients import client_of


class ByClient(throttling.SimpleRateThrottle):
    """Identify anonymous clients by :mod:`config.clients`."""

    def get_ident(self, request: Request) -> str:
        return client_of(request._request)


class Anonymous(ByClient, throttling.AnonRateThrottle):
    """Requests per minute without an account."""


class SignedIn(ByClient, throttling.UserRateThrottle):
    """Requests per minute of an account."""


class Costly(ByClient, throttling.ScopedRateThrottle):
    """Requests per minute of expensive endpoints, by ``throttle_scope``."""
