"""The limits of the API, counted by the same clients as those of pages."""

from rest_framework import throttling
from rest_framework.request import Request

from config.clients import client_of


class ByClient(throttling.SimpleRateThrottle):
    """Counts readers without an account by what :mod:`config.clients` says of them."""

    def get_ident(self, request: Request) -> str:
        """Return the client of the request."""
        return client_of(request._request)


class Anonymous(ByClient, throttling.AnonRateThrottle):
    """Requests of a minute without an account."""


class SignedIn(ByClient, throttling.UserRateThrottle):
    """Requests of a minute of an account."""


class Costly(ByClient, throttling.ScopedRateThrottle):
    """Requests of a minute for what takes long, as ``throttle_scope`` says."""
