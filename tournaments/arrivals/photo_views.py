"""A photo of a player's code at the door, in place of a camera that reads by itself."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.views.decorators.http import require_POST

from config.api import status_of
from config.clients import is_too_often
from config.problems import too_many
from config.web import page, refusal_as_json, wants_json
from config.wording import explain
from rules.errors import BadInput, RuleError
from tournaments.arrivals.codes import entry_of_code
from tournaments.arrivals.photos import LARGEST, codes_in
from tournaments.models import Event
from tournaments.pages.access import staff_event

MOST = 120
SECONDS = 60


@require_POST
def photographed(request: HttpRequest, slug: str) -> HttpResponse:
    """Go to the page of the player whose code was photographed.

    A refusal is a page to take the next photo from, or JSON as in the API for who accepts that.
    """
    event, actor = staff_event(request, slug)
    if is_too_often("photo", request, most=MOST, seconds=SECONDS):
        return too_many(request)
    try:
        return redirect("tournaments:arrive", slug, _code_in_photo(request, event))
    except RuleError as refused:
        if wants_json(request):
            return refusal_as_json(request, refused)
        refusal = {"sentence": explain(refused), "code": refused.code}
        context = {"event": event, "actor": actor} | refusal
        template = "tournaments/arrivals/photographed.html"
        return page(request, template, context, status=status_of(refused))


photographed.largest_body = LARGEST  # type: ignore[attr-defined]


def _code_in_photo(request: HttpRequest, event: Event) -> str:
    """Return the code in the photo that was sent; raises BadInput without one of this event."""
    photo = request.FILES.get("photo")
    if photo is None or photo.file is None:
        raise BadInput("no_photo", "No photo was sent. Nothing was stored: take one.")
    for text in codes_in(photo.file):
        code = _code_in_text(text)
        if code and entry_of_code(event, code):
            return code
    raise BadInput(
        "other_code",
        "This code is of nobody in this event. Nothing was stored: look on the player’s page.",
    )


def _code_in_text(text: str) -> str:
    """Return the code of an arrival's address, whatever the host; else an empty string."""
    try:
        match = resolve(urlsplit(text).path)
    except (Resolver404, ValueError):
        return ""
    return str(match.kwargs["code"]) if match.view_name == "tournaments:arrive" else ""
