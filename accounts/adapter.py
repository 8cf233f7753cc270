"""How allauth signs people in here."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class Adapter(DefaultAccountAdapter):
    """Counts wrong passwords by account and address together.

    By account alone, anybody could lock an organiser out in the middle of an event by typing
    five wrong passwords.
    """

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}@{self.get_client_ip(request)}"
