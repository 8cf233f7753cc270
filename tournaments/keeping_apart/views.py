"""Pages for pairs that Swiss rounds keep apart: list, add, remove."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.web import post_only, redirect_with_message
from tournaments.core.names import surname_sort_key
from tournaments.keeping_apart.selectors import organiser_pairs
from tournaments.keeping_apart.services import add_separated_pair, remove_separated_pair
from tournaments.models import Entry
from tournaments.pages.access import MANAGE, OrganiserFormView, find_organiser_event
from tournaments.players.views.players import players_context


class SeparatedPairForm(forms.Form):
    """Form for the numbers of two players who should not be paired."""

    first = forms.TypedChoiceField(label=_("Player 1"), coerce=int)
    second = forms.TypedChoiceField(label=_("Player 2"), coerce=int)

    def __init__(self, *args: Any, entries: Iterable[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = [
            ("", "–"),
            *((str(item.number), f"{item.name} ({item.number})") for item in entries),
        ]
        for name in ("first", "second"):
            self.fields[name].choices = known  # type: ignore[attr-defined]


class SeparatedPairsPage(OrganiserFormView):
    """List the pairs of players who should not be paired, with a form to add one."""

    template_name, form_class = "tournaments/keeping_apart/apart.html", SeparatedPairForm

    def get_form_kwargs(self) -> dict[str, Any]:
        """Offer the players of the event."""
        return super().get_form_kwargs() | {
            "entries": sorted(self.event.entries.all(), key=surname_sort_key)
        }

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the pairs."""
        known = players_context(self.event, self.actor) | {"pairs": organiser_pairs(self.event)}
        return super().get_context_data(**known, **kwargs)

    def act(self, form: Form) -> HttpResponse:
        """Add a pair."""
        numbers = (form.cleaned_data["first"], form.cleaned_data["second"])
        add_separated_pair(event=self.event, numbers=numbers, by=self.actor)
        return redirect_with_message(
            self.request, gettext("Saved."), "tournaments:manage-apart", self.event.slug
        )


@post_only
def separated_pair_remove(request: HttpRequest, slug: str, pair_id: int) -> HttpResponse:
    """Remove a pair of players who should not be paired."""
    event, actor = find_organiser_event(request, slug)
    remove_separated_pair(event=event, pair_id=pair_id, by=actor)
    return redirect_with_message(request, gettext("Saved."), "tournaments:manage-apart", slug)


urlpatterns = [
    path(f"{MANAGE}apart/", SeparatedPairsPage.as_view(), name="manage-apart"),
    path(f"{MANAGE}apart/<int:pair_id>/end/", separated_pair_remove, name="manage-apart-end"),
]
