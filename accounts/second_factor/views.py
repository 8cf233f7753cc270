"""The first page of the second factor, with the way back to the event somebody came from."""

from typing import Any

from allauth.mfa.base.views import IndexView
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme

SESSION_KEY = "second_factor_came_from"


def keep_way_back(request: HttpRequest, path: str) -> None:
    """Keep in the session where the reader goes on once the second factor is set up.

    A path that leads away from this site is not kept.
    """
    if path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None):
        request.session[SESSION_KEY] = path


@method_decorator(login_required, name="dispatch")
class Index(IndexView):  # type: ignore[misc]
    """Shows what is set up; ``?next=`` names the page that the reader came from."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Keep ``?next=`` and take it out of the address, or show the page."""
        if came_from := request.GET.get("next"):
            keep_way_back(request, came_from)
            return redirect("mfa_index")
        shown: HttpResponse = super().get(request, *args, **kwargs)
        return shown

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the path of the page to go back to, or nothing."""
        way_back = self.request.session.get(SESSION_KEY, "")
        return {**super().get_context_data(**kwargs), "way_back": way_back}
