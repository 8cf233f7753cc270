"""The public page of past draws."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from tournaments.lots.selectors import draws_page
from tournaments.pages.offers import public_read
from tournaments.pages.views import live_page


@public_read()
def draws(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every draw, and how to recompute it."""
    return live_page(
        request, slug, "tournaments/lots/draws.html", lambda facts: {"draws": draws_page(facts)}
    )


urlpatterns = [
    path("events/<slug:slug>/draws/", draws, name="draws"),
]
