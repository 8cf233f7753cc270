"""The page that changes the plan of an event in play, and its form."""

import json
from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.http import HttpResponse
from django.urls import path
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from config.web import redirect_with_message
from rules.formulas.base import Option
from rules.formulas.swiss_cut import AS_FITS, MOST_ROUNDS
from rules.plan_changes import CUT, ROUNDS, THIRD_PLACE
from tournaments.core.facts_cache import read_facts
from tournaments.core.formulas import formula_by_slug
from tournaments.core.permissions import can_rule
from tournaments.core.valid_columns import integer_limits
from tournaments.models import Event
from tournaments.pages.access import EVENT, OrganiserFormView
from tournaments.plan_changes.api import FIELDS
from tournaments.plan_changes.selectors import (
    MINUTES,
    changeable_settings,
    compute_plan_change,
    plan_change_effects,
    stage_in_play,
)
from tournaments.plan_changes.services import change_plan


class PlanForm(forms.Form):
    """Form to change the plan of a running event.

    ``settings``: {name: value} of those that may change now, which the page sends back as
    ``expected``. ``cut``: the option of the tournament format that lists top cut sizes, None
    without.
    """

    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS)
    cut = forms.TypedChoiceField(label=_("Top cut"), coerce=int)
    third_place = forms.BooleanField(label=_("Match for third place"), required=False)
    minutes = forms.IntegerField(label=_("Minutes per round"), **integer_limits(Event, MINUTES))
    expected = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, settings: Mapping[str, int | bool], cut: Option | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.initial = {**settings, "expected": json.dumps(settings), **self.initial}
        for name in {ROUNDS, CUT, THIRD_PLACE.key, MINUTES} - settings.keys():
            del self.fields[name]
        if CUT in self.fields:
            sizes = [choice.value for choice in cut.choices if choice.value] if cut else []
            sizes = sorted({int(size) for size in sizes if size != AS_FITS} | {settings[CUT]} - {0})
            cast(forms.ChoiceField, self.fields[CUT]).choices = [
                (0, capfirst(pgettext("top cut", "none"))),
                *((size, str(size)) for size in sizes),
            ]

    def clean_expected(self) -> dict[str, int | bool]:
        """Return the settings that the page showed."""
        try:
            found = json.loads(self.cleaned_data["expected"])
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise forms.ValidationError(_("This is no longer possible. Reload the page."))
        return found

    @property
    def change(self) -> dict[str, int | bool]:
        """Return the settings that differ from those that the page showed, of a valid form."""
        shown = self.cleaned_data["expected"]
        sent = {name: self.cleaned_data[name] for name in self.fields if name != "expected"}
        return {name: value for name, value in sent.items() if shown.get(name) != value}


class PlanPage(OrganiserFormView):
    """Page that previews a change of the plan, and stores it once confirmed."""

    template_name, form_class, beside = "tournaments/plan_changes/plan.html", PlanForm, FIELDS
    may = staticmethod(can_rule)

    def prepare(self) -> None:
        """Read the settings that may change now."""
        self.facts = read_facts(self.event, for_staff=True)
        self.settings = changeable_settings(self.facts)

    def get_initial(self) -> dict[str, Any]:
        """Return what the address asks for, such as ``?rounds=3``; the form has the rest."""
        return {key: value for key, value in self.request.GET.items() if key in self.settings}

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the settings that may change now."""
        cut = formula_by_slug(self.event.formula).option(CUT) if CUT in self.settings else None
        return super().get_form_kwargs() | {"settings": self.settings, "cut": cut}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add how many rounds are made."""
        found = stage_in_play(self.facts)
        made = found.made if found and ROUNDS in self.settings else 0
        return super().get_context_data(made=made, stage=found, **kwargs)

    def act(self, form: PlanForm) -> HttpResponse:
        """Show what follows; change the plan once that has been seen."""
        if "confirmed" not in self.request.POST:
            found = compute_plan_change(self.facts, form.change)
            follows = plan_change_effects(self.facts, found)
            return self.render_to_response(self.get_context_data(form=form, follows=follows))
        change_plan(
            event=self.event,
            change=form.change,
            expected=form.cleaned_data["expected"],
            by=self.actor,
        )
        return redirect_with_message(
            self.request, gettext("Saved."), "tournaments:desk", self.event.slug
        )


urlpatterns = [path(f"{EVENT}plan/", PlanPage.as_view(), name="plan")]
