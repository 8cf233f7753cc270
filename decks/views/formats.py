"""The public pages of the deck formats."""

from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View
from django.views.generic import TemplateView

from decks.checking import check_text
from decks.forms import PasteForm
from decks.rulebook import DeckRules, rules_of
from decks.selectors import checked_row
from decks.selectors_formats import format_page, format_rows
from rules.deckbuilding.formats import DeckFormat
from rules.errors import BadInput


class FormatList(TemplateView):
    """All formats, by game."""

    template_name = "decks/format_list.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the formats with their names."""
        return super().get_context_data(formats=format_rows(), **kwargs)


class Format(View):
    """One format: its rules in words, how to write a list, and a place to try one."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show the rules and an empty form."""
        return self._page(request, rules_or_404(slug).format, PasteForm(), {})

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Check the pasted list; nothing is stored."""
        rules = rules_or_404(slug)
        form = PasteForm(request.POST)
        checked = {}
        if form.is_valid():
            found = check_text(rules, text=form.cleaned_data["text"])
            checked = {"decklist": checked_row(found)}
        return self._page(request, rules.format, form, checked)

    def _page(
        self, request: HttpRequest, deck_format: DeckFormat, form: PasteForm, more: dict[str, Any]
    ) -> HttpResponse:
        context = {"format": format_page(deck_format), "form": form, **more}
        status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
        return render(request, "decks/format.html", context, status=status)


def rules_or_404(slug: str) -> DeckRules:
    """Return the rules of a format that hold today, or raise Http404."""
    try:
        return rules_of(slug)
    except BadInput:
        raise Http404 from None
