"""Empty deck sheets."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from decks.decklists.sheets import blank_sheet
from decks.formats.views import rules_or_404


@require_safe
def empty_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the empty sheet of a format, to be printed and filled in by hand."""
    sheet = blank_sheet(rules_or_404(slug).format)
    return render(request, "decks/sheet.html", {"sheet": sheet})
