"""The overview page of the second factor, with a link back to the page before it."""

from typing import Any

from allauth.mfa.base.views import IndexView
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme

SESSION_KEY = "second_factor_came_from"


def remember_return_path(request: HttpRequest, path: str) -> None:
    """Store in the session the path to return to after setting up the second factor.

    A path to another site is ignored.
    """
    if path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None):
        request.session[SESSION_KEY] = path


@method_decorator(login_required, name="dispatch")
class AuthenticatorsPage(IndexView):  # type: ignore[misc]
    """Page of the user's authenticators; ``?next=`` is the path to return to."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Store ``?next=`` and redirect without it, or show the page."""
        if came_from := request.GET.get("next"):
            remember_return_path(request, came_from)
            return redirect("mfa_index")
        shown: HttpResponse = super().get(request, *args, **kwargs)
        return shown

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the path to return to, if any."""
        way_back = self.request.session.get(SESSION_KEY, "")
        return {**super().get_context_data(**kwargs), "way_back": way_back}
