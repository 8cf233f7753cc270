"""Middleware for sites that require a second factor of staff."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _

from accounts.second_factor import remember_return_path
from tournaments.models import StaffRole


class SecondFactorMiddleware(MiddlewareMixin):
    """Middleware: send staff without a second factor to the page that sets it up.

    Until then they have no rights by session (``User.lacks_second_factor``); API tokens keep
    working. It acts on the admin site and on responses 403 and 404; not used unless the site
    requires a second factor.
    """

    def __init__(self, get_response: Any) -> None:
        """Raise MiddlewareNotUsed where it is not demanded."""
        if settings.SECOND_FACTOR != "demanded":
            raise MiddlewareNotUsed
        super().__init__(get_response)

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Note that the user comes by session; redirect from the admin site if they lack it."""
        user = request.user
        request.user = SimpleLazyObject(lambda: _by_session(user))  # type: ignore[assignment]
        in_admin = request.path.startswith(reverse("admin:index"))
        return _set_up(request) if in_admin and _lacks_second_factor(request) else None

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Return a redirect if the request was refused for lack of a second factor."""
        refused = response.status_code in (403, 404) and not request.path.startswith("/api/")
        return (
            _set_up(request)
            if refused and _would_second_factor_help(request, response)
            else response
        )


def _by_session(user: object) -> object:
    if getattr(user, "is_authenticated", False):
        user.by_session = True  # type: ignore[attr-defined]
    return user


def _lacks_second_factor(request: HttpRequest) -> bool:
    return request.user.is_authenticated and request.user.lacks_second_factor


def _would_second_factor_help(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether a second factor would have given access: drafts are 404 without a role."""
    if not _lacks_second_factor(request):
        return False
    if response.status_code == 403:
        return True
    user, slug = request.user.pk or 0, None
    if request.resolver_match:
        slug = request.resolver_match.kwargs.get("slug")
    return StaffRole.objects.filter(user_id=user, event__slug=slug).exists()


def _set_up(request: HttpRequest) -> HttpResponse:
    messages.warning(request, _("Set up a second factor before you work on events."))
    if request.method == "GET":
        remember_return_path(request, request.get_full_path())
    return redirect("mfa_index")
