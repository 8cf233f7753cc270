"""The page that changes the order of the criteria while an event runs."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.criteria_fields import TiebreakerFieldsForm, initial_tiebreaker_positions
from config.web import redirect_with_message
from tournaments.core.facts_cache import read_facts
from tournaments.core.formulas import is_multiplayer
from tournaments.criteria.selectors import criteria_change
from tournaments.events.services import change_event
from tournaments.pages.access import MANAGE, OrganiserFormView

LONGEST_REASON = 300


class CriteriaForm(TiebreakerFieldsForm):
    """Form to change the order of tiebreakers after the start.

    ``seen``: fingerprint of the effects that the page showed.
    """

    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, at_tables: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.add_criteria(at_tables=at_tables)

    @property
    def order(self) -> list[str]:
        """Return the chosen order of a valid form."""
        return self.criteria_in(self.cleaned_data)


class CriteriaPage(OrganiserFormView):
    """Page to change the order of tiebreakers after the start.

    Before the start it redirects to the settings.
    """

    template_name, form_class = "tournaments/criteria/criteria.html", CriteriaForm

    def prepare(self) -> HttpResponse | None:
        """Go to the settings before the start."""
        begun = self.event.plan is not None
        return None if begun else redirect("tournaments:manage-settings", self.event.slug)

    def get_initial(self) -> dict[str, Any]:
        """Return the present order."""
        at_tables = is_multiplayer(self.event.formula)
        return dict(initial_tiebreaker_positions(self.event.criteria, at_tables=at_tables))

    def get_form_kwargs(self) -> dict[str, Any]:
        """Offer the criteria that the event can have."""
        return super().get_form_kwargs() | {"at_tables": is_multiplayer(self.event.formula)}

    def act(self, form: CriteriaForm) -> HttpResponse:
        """Show the effects; store the order once the organiser has confirmed them."""
        change = criteria_change(read_facts(self.event, for_staff=True), form.order)
        if form.cleaned_data["seen"] != change["fingerprint"] or change["is_unchanged"]:
            return self.render_to_response(self.get_context_data(form=form, change=change))
        change_event(
            event=self.event,
            changes={"criteria": form.order},
            by=self.actor,
            reason=form.cleaned_data["reason"],
        )
        words = gettext("Saved.")
        return redirect_with_message(
            self.request, words, "tournaments:manage-settings", self.event.slug
        )


urlpatterns = [
    path(f"{MANAGE}criteria/", CriteriaPage.as_view(), name="manage-criteria"),
]
