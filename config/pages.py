"""Pages that belong to no app: favicon, robots.txt, style guide."""

from pathlib import Path

from django import forms
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

ROBOTS = "User-agent: *\nDisallow: /admin/\nDisallow: /api/\nDisallow: /accounts/\n"


@require_safe
@cache_control(max_age=86400, public=True)
def favicon(request: HttpRequest) -> HttpResponse:
    """Serve the logo at /favicon.ico."""
    path = finders.find("girone/logo.svg")
    return HttpResponse(Path(str(path)).read_bytes(), content_type="image/svg+xml")


@require_safe
@cache_control(max_age=86400, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """Serve robots.txt."""
    return HttpResponse(ROBOTS, content_type="text/plain")


class SampleForm(forms.Form):
    """One field of each kind, for the style guide."""

    name = forms.CharField(label="Name", help_text="As others will read it.")
    seats = forms.IntegerField(label="Seats", required=False)
    formula = forms.ChoiceField(label="Formula", choices=[("a", "Groups"), ("b", "Single group")])
    legs = forms.ChoiceField(
        label="Legs", choices=[("1", "One"), ("2", "Two")], widget=forms.RadioSelect
    )
    public = forms.BooleanField(label="Public", help_text="Everybody can read it.", required=False)
    notes = forms.CharField(label="Notes", widget=forms.Textarea, required=False)


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Show every component; for staff and in development."""
    if not (settings.DEBUG or request.user.is_staff):
        raise Http404
    context = {
        "now": timezone.now(),
        "form": SampleForm(),
        "wrong": SampleForm({"seats": "many", "formula": "a"}, prefix="wrong"),
        "page": Paginator(range(30), 10).page(2),
        "looks": ("primary", "plain", "quiet", "danger"),
        "tones": ("neutral", "info", "good", "warn", "bad"),
    }
    return render(request, "style/style.html", context)
