"""The page on which a final result is corrected."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext_lazy as _

from config.api import status_of
from config.wording import explain
from rules.errors import RuleError
from tournaments.core.facts_cache import read_facts
from tournaments.desk.views.form import form_page, redirect_saved, result_form
from tournaments.desk.views.match import show_match
from tournaments.models import Match
from tournaments.pages.access import actor_of
from tournaments.pages.acting import desk_match
from tournaments.pages.addresses import MATCH
from tournaments.results.forms.desk import ResultForm, first_values
from tournaments.results.selectors.correction import correction_page, may_correct
from tournaments.results.services.results import correct_result


class ConfirmForm(forms.Form):
    """The reason for a correction, and whether later rounds and stages are taken back."""

    reason = forms.CharField(
        label=_("Reason for the correction"),
        max_length=500,
        help_text=_("The old result stays on record with it."),
        widget=forms.TextInput(attrs={"autofocus": True}),
    )
    later = forms.ChoiceField(
        label=_("What was made from the old result"),
        required=False,
        initial="keep",
        widget=forms.RadioSelect,
        choices=[
            ("keep", _("Keep it as it is")),
            ("take_back", _("Take it back, so that it can be made anew")),
        ],
    )

    @property
    def take_back(self) -> bool:
        """Return whether later rounds and stages are taken back."""
        return self.cleaned_data.get("later") == "take_back"


def match_correct(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Correct a final result in three steps: the form, its effects, the confirmation."""
    found, actor = desk_match(request, slug, match_id)
    if found.size == 1:
        return redirect("tournaments:match", slug, match_id)
    if found.decision is None:
        return redirect("tournaments:desk-result", slug, match_id)
    if "confirm" not in request.POST and not may_correct(actor, found):
        return show_match(request, found, actor)  # it says who may
    if request.method != "POST":
        form = result_form(found, None, **first_values(found.decision))
        return form_page(request, found, form, 200, correcting=True)
    form = result_form(found, request.POST)
    if not form.is_valid() or "change" in request.POST:
        status = 400 if form.errors else 200
        return form_page(request, found, form, status, correcting=True)
    if "confirm" not in request.POST:
        return _effects(request, found, form, ConfirmForm(), 200)
    confirm = ConfirmForm(request.POST)
    if not confirm.is_valid():
        return _effects(request, found, form, confirm, 400)
    try:
        corrected, _effects_were = correct_result(
            match=found,
            version=form.cleaned_data["version"],
            claim=form.claim,
            reason=confirm.cleaned_data["reason"],
            take_back=confirm.take_back,
            by=actor,
        )
    except RuleError as error:
        confirm.add_error(None, explain(error))
        return _effects(request, found, form, confirm, status_of(error))
    return redirect_saved(request, slug, corrected)


def _effects(
    request: HttpRequest, found: Match, form: ResultForm, confirm: ConfirmForm, status: int
) -> HttpResponse:
    event = found.round.event
    context = {
        "event": event,
        "actor": actor_of(request, event),
        "form": form,
        "confirm": confirm,
        "shown": correction_page(read_facts(event, drafts=True), found, form.outcome),
    }
    return render(request, "tournaments/results/effects.html", context, status=status)


urlpatterns = [
    path(f"{MATCH}correct/", match_correct, name="match-correct"),
]
