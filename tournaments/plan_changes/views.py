"""The page that changes the plan of an event in play."""

from typing import Any

from django.http import HttpResponse
from django.urls import path
from django.utils.translation import gettext as _

from config.web import redirect_with_message
from rules.plan_changes import CUT, ROUNDS
from tournaments.core.facts_cache import read_facts
from tournaments.core.formulas import formula_by_slug
from tournaments.core.permissions import can_rule
from tournaments.pages.access import EVENT, OrganiserFormView
from tournaments.plan_changes.api import FIELDS
from tournaments.plan_changes.forms import PlanForm
from tournaments.plan_changes.selectors import (
    changeable_settings,
    compute_plan_change,
    plan_change_effects,
    stage_in_play,
)
from tournaments.plan_changes.services import change_plan


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
        return redirect_with_message(self.request, _("Saved."), "tournaments:desk", self.event.slug)


urlpatterns = [path(f"{EVENT}plan/", PlanPage.as_view(), name="plan")]
