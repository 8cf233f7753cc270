"""The pages on which a final result is corrected: the entry, what it changes, the seat to give."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path

from config.api import status_of
from config.web import page
from config.wording import explain, translate
from rules.errors import RuleError
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_manage, can_rule
from tournaments.corrections.acts import TAKEN_BACK
from tournaments.corrections.forms import FOLLOW, TAKE_BACK, ConfirmForm
from tournaments.corrections.selectors.choices import Correction, correction_of
from tournaments.corrections.selectors.names import ShortNames
from tournaments.corrections.selectors.page import choices_page
from tournaments.corrections.selectors.seat import seat_page
from tournaments.corrections.services import follow, keep, take_back
from tournaments.desk.views.form import form_page, redirect_saved, result_form
from tournaments.desk.views.match import show_match
from tournaments.matches.selectors import names_of
from tournaments.matches.words import in_words, report_of, score_with_names
from tournaments.models import Match
from tournaments.pages.access import actor_of
from tournaments.pages.acting import desk_match
from tournaments.pages.addresses import MATCH
from tournaments.results.forms.desk import ResultForm, first_values
from tournaments.results.selectors.correction import contradicted_rounds, may_correct


def match_correct(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Correct a final result: its form, then what that changes, then one of the ways to go on."""
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
    facts = read_facts(found.round.event, drafts=True)
    correction = correction_of(facts, found, form.outcome)
    confirm = ConfirmForm(request.POST, found=correction)
    shows = _seat if confirm.way == FOLLOW else _choices
    if "confirm" not in request.POST:
        again = confirm.void if "recount" in request.POST else ()
        correction = correction_of(facts, found, form.outcome, again)
        return shows(request, found, form, ConfirmForm(found=correction), correction, 200)
    if not confirm.is_valid():
        correction = correction_of(facts, found, form.outcome, confirm.void)
        return shows(request, found, form, confirm, correction, 400)
    try:
        _store(confirm, found, form, actor)
    except RuleError as error:
        confirm.add_error(None, explain(error))
        correction = correction_of(
            read_facts(found.round.event, drafts=True), found, form.outcome, confirm.void
        )
        if correction.follows is None or correction.why_not is not None:
            shows = _choices
        return shows(request, found, form, confirm, correction, status_of(error))
    return redirect_saved(request, slug, found)


def _store(confirm: ConfirmForm, found: Match, form: ResultForm, actor: Any) -> None:
    values = confirm.cleaned_data
    more: dict[str, Any] = {"shown": values["shown"]}
    acts: dict[str, Callable[..., object]] = {FOLLOW: follow, TAKE_BACK: take_back}
    act = acts.get(confirm.way, keep)
    if act is follow:
        more["void"] = confirm.void
    elif act is take_back:
        more["confirm"] = values["typed"]
    else:
        more = {}
    act(
        match=found,
        version=form.cleaned_data["version"],
        claim=form.claim,
        reason=values["reason"] or str(TAKEN_BACK.words),
        by=actor,
        **more,
    )


def _choices(
    request: HttpRequest,
    found: Match,
    form: ResultForm,
    confirm: ConfirmForm,
    correction: Correction,
    status: int,
) -> HttpResponse:
    names = ShortNames(correction.facts.entries)
    shown = choices_page(correction, names)
    rounds = contradicted_rounds(correction.facts, correction.stage, correction.effects)
    return _page(request, "choices", found, form, confirm, status, shown=shown, effects=rounds)


def _seat(
    request: HttpRequest,
    found: Match,
    form: ResultForm,
    confirm: ConfirmForm,
    correction: Correction,
    status: int,
) -> HttpResponse:
    if correction.follows is None or correction.why_not is not None:
        return _choices(request, found, form, confirm, correction, status)
    shown = seat_page(correction, ShortNames(correction.facts.entries))
    return _page(request, "seat", found, form, confirm, status, shown=shown)


def _page(
    request: HttpRequest,
    name: str,
    found: Match,
    form: ResultForm,
    confirm: ConfirmForm,
    status: int,
    **more: object,
) -> HttpResponse:
    event, correction, new = found.round.event, confirm.found, report_of(form.outcome)
    actor = actor_of(request, event)
    context = {
        "event": event,
        "actor": actor,
        "match": found,
        "stage": translate(correction.stage.plan.label),
        "after": score_with_names(new, *names_of(found)),
        "figures": in_words(new),
        "before": in_words(found.decision) if found.decision else "",
        "sent": [(name, value) for name in form.fields for value in request.POST.getlist(name)],
        "confirm": confirm,
        "may_follow": can_rule(actor, event),
        "may_take_back": can_manage(actor, event),
    }
    return page(request, f"tournaments/corrections/{name}.html", context | more, status=status)


urlpatterns = [
    path(f"{MATCH}correct/", match_correct, name="match-correct"),
]
