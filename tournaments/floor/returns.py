"""Where an act returns to: the judge's phone if it came from there, else the desk."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tournaments.desk.views.desk import desk
from tournaments.floor.views import floor

HERE = "floor"


def from_floor(request: HttpRequest) -> bool:
    """Say whether a form was sent from the judge's phone."""
    return request.POST.get("back") == HERE


def show_hall(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the page on which a refused act is explained."""
    return floor(request, slug) if from_floor(request) else desk(request, slug)


def to_hall(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the redirect after an act that was stored."""
    return redirect("tournaments:floor" if from_floor(request) else "tournaments:desk", slug)
