"""The adviser: which formula fits. A public page."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from config.web import render_page
from rules.formulas.adviser import TURN_ROUND
from tournaments.advice.selectors import advice_context
from tournaments.core.formulas import available_formulas
from tournaments.core.permissions import can_create_events
from tournaments.pages.access import find_actor

MOST_PLAYERS = 1_000
USUAL_MINUTES = 50


class AdviceForm(forms.Form):
    """Form of the adviser on tournament formats; sent by GET, so that results can be linked."""

    players = forms.IntegerField(label=_("Players"), min_value=1, max_value=MOST_PLAYERS)
    minutes = forms.IntegerField(
        label=_("Minutes per round"), min_value=1, max_value=600, initial=USUAL_MINUTES
    )
    turn_round = forms.IntegerField(
        label=_("Minutes between rounds"),
        min_value=0,
        max_value=240,
        initial=TURN_ROUND,
    )
    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=MOST_PLAYERS,
        required=False,
    )
    hours = forms.FloatField(
        label=_("Hours"),
        min_value=0.5,
        max_value=200,
        required=False,
    )

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data, auto_id="advice_%s")  # beside the form of an event

    def asked(self) -> dict[str, Any]:
        """Return the adviser's arguments from a valid form."""
        return dict(self.cleaned_data)


@require_safe
def advice(request: HttpRequest) -> HttpResponse:
    """Show the form of the adviser and, once it is filled in, the formats that fit."""
    form, shown = advice_form_and_context(request)
    actor = find_actor(request)
    context = {
        "form": form,
        "advice": shown,
        "may_take": actor.user is None or can_create_events(actor),
    }
    return render_page(request, "tournaments/advice/advice.html", context)


def add_default_minutes(query: QueryDict) -> QueryDict:
    """Return a copy of the query with the default minutes where it has none."""
    asked = query.copy()
    for name in ("minutes", "turn_round"):
        if not asked.get(name):
            asked[name] = str(AdviceForm.base_fields[name].initial)
    return asked


def advice_form_and_context(
    request: HttpRequest, *, kept: Mapping[str, str] | None = None
) -> tuple[AdviceForm, dict[str, Any] | None]:
    """Return (form, context of the advice) for the query of a request.

    The context is None if the form is unbound or invalid. kept: query parameters for the links to a
    new event.
    """
    form = AdviceForm(add_default_minutes(request.GET) if "players" in request.GET else None)
    if not form.is_bound or not form.is_valid():
        return form, None
    formulas = available_formulas(request.user.pk)
    return form, advice_context(form.asked(), kept=kept or {}, formulas=formulas)


urlpatterns = [
    path("advice/", advice, name="advice"),
]
