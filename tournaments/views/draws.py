"""The draws of an event, for everybody."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.core.views import live_page
from tournaments.selectors.draws import draws_page


@require_safe
def draws(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every draw, and how to check it."""
    return live_page(
        request, slug, "tournaments/public/draws.html", lambda facts: {"draws": draws_page(facts)}
    )
