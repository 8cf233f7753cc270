"""The pages on which a final result is corrected: the entry, what it changes, the seat to give."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _

from config.wording import translate
from tournaments.core.facts_cache import read_facts
from tournaments.core.labels import round_of_match
from tournaments.core.mapping import plan_of, report_of
from tournaments.corrections.acts import TAKEN_BACK
from tournaments.corrections.forms import ConfirmForm
from tournaments.corrections.guided import Head, go_on
from tournaments.corrections.selectors.causes import IN_STAGE, RESULT
from tournaments.corrections.selectors.choices import FOLLOW, TAKE_BACK, correction_of
from tournaments.corrections.services.results import follow, keep, take_back
from tournaments.desk.views.form import form_page, redirect_saved, result_form
from tournaments.desk.views.match import show_match
from tournaments.matches.selectors import names_of
from tournaments.matches.words import in_words, score_with_names
from tournaments.models import Match, Stage
from tournaments.pages.acting import desk_match
from tournaments.pages.addresses import MATCH
from tournaments.results.forms.claims import ClaimForm
from tournaments.results.forms.desk import first_values
from tournaments.results.forms.table_desk import table_values
from tournaments.results.selectors.correction import may_correct


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
        values = table_values if found.size > 2 else first_values
        form = result_form(found, None, **values(found.decision))
        return form_page(request, found, form, 200, correcting=True)
    form = result_form(found, request.POST)
    if not form.is_valid() or "change" in request.POST:
        status = 400 if form.errors else 200
        return form_page(request, found, form, status, correcting=True)
    stored_or_shown = go_on(
        request,
        event=found.round.event,
        actor=actor,
        foretell=lambda facts, void: correction_of(facts, found, form.outcome, void),
        store=lambda confirm: _store(confirm, found, form, actor),
        head=_head(found, form),
        cause=RESULT if found.group.stage.state == Stage.State.CLOSED else IN_STAGE,
        sent=[(name, value) for name in form.fields for value in request.POST.getlist(name)],
    )
    return stored_or_shown or redirect_saved(request, slug, found)


def _store(confirm: ConfirmForm, found: Match, form: ClaimForm, actor: Any) -> None:
    values = confirm.cleaned_data
    more: dict[str, Any] = {"shown": values["shown"]}
    acts: dict[str, Callable[..., object]] = {FOLLOW: follow, TAKE_BACK: take_back}
    act = acts.get(confirm.way, keep)
    if act is follow:
        more |= {"void": confirm.void, "now": confirm.now}
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


def _head(found: Match, form: ClaimForm) -> Head:
    new, plan = report_of(form.outcome), plan_of(found.round.event)
    where = [translate(plan.stages[found.group.stage.number - 1].label)]
    if at := read_facts(found.round.event).round_at(found.round.ordinal):
        where.append(round_of_match(*at, found))
    if found.table:
        where.append(_("table %(number)s") % {"number": found.table})
    return Head(
        after=score_with_names(new, *names_of(found)),
        where=" · ".join(where),
        before=in_words(found.decision) if found.decision else "",
        figures=in_words(new),
    )


urlpatterns = [
    path(f"{MATCH}correct/", match_correct, name="match-correct"),
]
