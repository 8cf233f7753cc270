"""The form of an event's settings, of new events too, and the parts that its script requests."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from config.criteria_fields import table_criteria_initial
from config.web import RuleFormView, is_fragment, page
from rules.criteria.of_tables import order_for
from tournaments.events.forms.choices import groups_of, usual_json
from tournaments.events.forms.event import EventForm
from tournaments.events.forms.forecast import advice_line
from tournaments.events.forms.table_points import is_by_place

PARTS = {
    "options": "tournaments/events/_options.html",
    "points": "tournaments/events/_points.html",
    "criteria": "components/criteria_fields.html",
}
"""Parts of the form that depend on the formula, by the name under which its script asks."""


class EventFormView(RuleFormView):
    """Base view of an event's settings form, and of the parts of it that its script requests."""

    form_class = EventForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the form, or the part named by the script: ``advice``, or one of ``PARTS``."""
        if not is_fragment(request):
            return super().get(request, *args, **kwargs)
        form = self.get_form()
        if template := PARTS.get(request.GET.get("part", "")):
            return page(request, template, {"fields": form.formula_fields(), "form": form})
        line = advice_line(form, self.players())
        return page(request, "tournaments/events/_advice_line.html", {"line": line})

    def players(self) -> int:
        """Return the number of players once it is known, else 0."""
        return 0

    def get_form_kwargs(self) -> dict[str, Any]:
        """Bind the form to the typed values if a script requests a part of it."""
        kwargs = super().get_form_kwargs()
        if is_fragment(self.request) and self.request.GET.get("part") == "advice":
            kwargs["data"] = self.request.GET
        return kwargs

    def get_initial(self) -> dict[str, Any]:
        """Return the initial values, with the formula that the script has just chosen.

        With the points at tables goes their usual order of criteria.
        """
        initial = super().get_initial()
        if self.request.GET.get("part") in PARTS:
            initial["formula"] = self.request.GET.get("formula", "")
            if worth := self.request.GET.get("table_worth"):
                order = order_for(by_place=is_by_place(worth))
                initial |= {"table_worth": worth} | table_criteria_initial(order)
        return initial

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the groups of choices."""
        context = super().get_context_data(**kwargs)
        groups = groups_of(context["form"])
        changed = sum(group.changed for group in groups)
        return context | {
            "groups": groups,
            "changed": changed,
            "usual": usual_json(context["form"]),
            "fields": context["form"].formula_fields(),
            "any_wrong": any(group.wrong for group in groups),
        }


def show_warnings(request: HttpRequest, notes: list[str]) -> None:
    """Show the notes of a form as warnings."""
    for note in notes:
        messages.warning(request, note)
