"""The page on which an organiser changes the rules of a game of one's own."""

from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.models import User
from config.web import RuleFormView, is_fragment_request, redirect_with_message
from config.wording import add_rule_error, translate
from decks.cards.catalogues import find_catalogue
from decks.cards.index import CardIndex
from decks.checking import check_decklist_text
from decks.decklists.selectors import checked_deck_row
from decks.formats.selectors import house_format_label
from decks.labels import unchecked_rules
from decks.models import HouseFormat
from decks.own_formats.forms import RulesForm
from decks.own_formats.services import FormatInput, change_custom_format, create_custom_format
from decks.permissions import can_change_format, can_create_formats, signed_in_user
from decks.rulebook import DeckRules
from decks.stored_formats import (
    build_format,
    find_organiser_format,
    game_slug,
    is_custom_game_format,
)
from rules.deckbuilding.data.rules import rule_messages
from rules.errors import BadInput


class CustomFormatPage(LoginRequiredMixin, RuleFormView):
    """Page to change the rules of a custom game's format, and try them on a decklist.

    Saving stores the next version. Rules as sentences and the checked list follow the fields (a
    fragment).
    """

    template_name, form_class = "decks/own_rules.html", RulesForm
    is_new = False
    user: User
    house: HouseFormat

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Find the format; raise Http404 for others, PermissionDenied unless the user owns it."""
        house = (
            find_organiser_format(kwargs["slug"]) if is_custom_game_format(kwargs["slug"]) else None
        )
        if house is None:
            raise Http404
        self.house = house
        user = signed_in_user(request)
        if user is not None:
            self.user = user
            if not self.admits(user, house):
                raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def admits(self, user: User, house: HouseFormat) -> bool:
        """Return whether the user may open the page."""
        return can_change_format(user, house)

    def get_form_kwargs(self) -> dict[str, Any]:
        """Pass the present version, and the formats that the game's catalogue knows."""
        cards = self._cards()
        columns = None if cards is None else cards.columns
        return super().get_form_kwargs() | {"present": self.house, "columns": columns}

    def _cards(self) -> CardIndex | None:
        return find_catalogue(game_slug(self.house.game), owner_id=self.user.pk)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the format and its rules in words: what was typed, else what is stored."""
        shown = kwargs.pop("shape", None) or build_format(self.house, self.house.slug)
        return super().get_context_data(
            house=self.house,
            label=house_format_label(self.house),
            is_new=self.is_new,
            words=list(map(translate, rule_messages(shown))),
            checked=shown.checked,
            not_checked=unchecked_rules(shown),
            **kwargs,
        )

    def act(self, form: RulesForm) -> HttpResponse:
        """Show what was typed in words, or store it; errors stand at their fields."""
        try:
            content = form.content()
            if "show" in self.request.POST:
                return self._show(form, content)
            house = self.store(content, form)
        except BadInput as refused:
            add_rule_error(form, refused)
            return self.form_invalid(form)
        words = _("Saved.")
        return redirect_with_message(self.request, words, "decks:format", house.slug)

    def store(self, content: FormatInput, form: RulesForm) -> HouseFormat:
        """Store the next version."""
        version = form.cleaned_data["version"]
        return change_custom_format(content, slug=self.house.slug, version=version, by=self.user)

    def form_invalid(self, form: RulesForm) -> HttpResponse:  # type: ignore[override]
        """Show the form with what is wrong; in place of new words only what is wrong."""
        if not is_fragment_request(self.request):
            return super().form_invalid(form)
        response = render(self.request, "components/error_summary.html", {"form": form})
        response["HX-Retarget"] = "#rules-wrong"
        response["HX-Reswap"] = "innerHTML"
        return response

    def _show(self, form: RulesForm, content: FormatInput) -> HttpResponse:
        typed = HouseFormat(slug=self.house.slug, **content.checked())
        shape = build_format(typed, self.house.slug)
        text = form.cleaned_data["text"]
        rules = DeckRules(format=shape, catalogue=self._cards())
        tried = checked_deck_row(check_decklist_text(rules, text=text)) if text else None
        context = self.get_context_data(form=form, shape=shape, decklist=tried)
        name = "decks/_own_words.html" if is_fragment_request(self.request) else self.template_name
        return render(self.request, name, context)


class CopyCustomFormatPage(CustomFormatPage):
    """Page that creates the user's own format from the rules of any custom game."""

    is_new = True

    def admits(self, user: User, house: HouseFormat) -> bool:
        """Return whether the user may create formats."""
        return can_create_formats(user)

    def store(self, content: FormatInput, form: RulesForm) -> HouseFormat:
        """Make a format."""
        return create_custom_format(content, by=self.user)
