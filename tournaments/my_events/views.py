"""The page of a user's own events."""

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.my_events.selectors import my_events_context
from tournaments.pages.access import find_actor


@require_safe
def my_events_page(request: HttpRequest) -> HttpResponse:
    """Show the events in which the user plays or is staff."""
    user = find_actor(request).user
    if user is None:
        return redirect_to_login(request.get_full_path())
    asked = (request.GET.get(name, 1) for name in ("playing", "working", "going"))
    context = {"mine": my_events_context(user, *asked), "today": timezone.localdate()}
    return render(request, "tournaments/my_events/my_events.html", context)


urlpatterns = [path("me/", my_events_page, name="my-events")]
