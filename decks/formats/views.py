"""Public pages of the deck formats: the list, a format's help page, its empty sheet."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View
from django.views.decorators.http import require_safe
from django.views.generic import TemplateView

from decks.card_lists.selectors import version_rows
from decks.cards.catalogues import completion_attributes
from decks.decklists.forms import CheckDecklistForm
from decks.decklists.live_check import live_check_context
from decks.decklists.sheets import blank_sheet_context
from decks.formats.selectors import format_context, format_rows
from decks.labels import format_label
from decks.permissions import can_change_format, can_create_formats, can_load_lists, signed_in_user
from decks.rulebook import DeckRules, get_rules_or_404
from decks.stored_formats import base_format, is_custom_game_format


class FormatListPage(TemplateView):
    """Page of all formats, by game."""

    template_name = "decks/format_list.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the formats with their names."""
        return super().get_context_data(formats=format_rows(), **kwargs)


class FormatPage(View):
    """Page of a format: its rules as sentences, how to write a list, a form to check one."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show the rules and an empty form."""
        rules = get_rules_or_404(slug)
        return self._page(request, rules, CheckDecklistForm(rules), {})

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Check a pasted or uploaded list; nothing is stored."""
        rules = get_rules_or_404(slug)
        form = CheckDecklistForm(rules, request.POST, request.FILES)
        if not form.is_valid() or form.checked is None:
            return self._page(request, rules, form, {})
        live = live_check_context(form.checked, form.written, rules.catalogue)
        more = {"decklist": live["decklist"], "live": live}
        return self._page(request, rules, form.after_check(), more)

    def _page(
        self, request: HttpRequest, rules: DeckRules, form: CheckDecklistForm, more: dict[str, Any]
    ) -> HttpResponse:
        user = signed_in_user(request)
        form.fields["text"].widget.attrs |= completion_attributes(rules.catalogue)
        context = {
            "format": format_context(rules.format),
            "house": rules.house,
            "base": format_label(base_format(rules.format.key)),
            "own": is_custom_game_format(rules.format.key),
            "versions": version_rows(rules, user),
            "can_copy": can_create_formats(user),
            "can_load": can_load_lists(user, rules.house),
            "can_change": rules.house is not None and can_change_format(user, rules.house),
            "form": form,
            **more,
        }
        status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
        return render(request, "decks/format.html", context, status=status)


@require_safe
def empty_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Page with the empty decklist sheet of a format, to be printed."""
    sheet = blank_sheet_context(get_rules_or_404(slug).format)
    return render(request, "decks/sheet.html", {"sheet": sheet})
