"""One match: its reports, its result field by field, corrections with their effects."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.web import page, status_of
from config.wording import explain
from rules.errors import BadInput, RuleError
from rules.matches import Claim
from rules.wording import gettext_noop
from tournaments.forms.checks import ExtensionForm
from tournaments.forms.correction import ConfirmForm
from tournaments.forms.judging import RulingForm, StaffNoteForm
from tournaments.forms.players import LeaveForm
from tournaments.forms.result import BattleForm, ResultForm, first_values
from tournaments.mapping import match_rules, outcome_of
from tournaments.models import Entry, Match
from tournaments.permissions import Actor, can_judge
from tournaments.selectors.checks import checked_at
from tournaments.selectors.correction import correction_page, may_correct
from tournaments.selectors.extensions import extensions_of
from tournaments.selectors.facts import load_facts
from tournaments.selectors.match import decision_of, match_page, score_with_names
from tournaments.selectors.notes import rulings_on, staff_notes
from tournaments.selectors.penalties import penalties_at
from tournaments.services.departures import DEPARTURES
from tournaments.services.results import correct_result, decide_result
from tournaments.views.access import actor_of
from tournaments.views.desk_access import acts, desk_match, posted_number, rights_of


def match(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Show everything that was said of a match, and what can be done about it."""
    found, actor = desk_match(request, slug, match_id)
    return _match_page(request, found, actor)


def _match_page(
    request: HttpRequest,
    found: Match,
    actor: Actor,
    left: LeaveForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show a match; ``left`` is the form of a player's leaving that was refused."""
    event = found.round.event
    context = {
        "event": event,
        "actor": actor,
        "rights": rights_of(actor, event),
        "shown": match_page(found),
        "corrects": found.decision is not None and may_correct(actor, found),
        "leaving": [
            (
                entry,
                left if left and left.data.get("number") == str(entry.number) else _leave(entry),
            )
            for entry in (found.a, found.b)
            if entry is not None
        ],
        "judges": can_judge(actor, event),
        "extensions": extensions_of(found),
        "extend": ExtensionForm(),
        "penalties": penalties_at([found.a, found.b], event),
        "checked": checked_at([found.a, found.b], event),
        "rulings": rulings_on(found),
        "rule": RulingForm(auto_id="ruling_%s"),
        "notes": staff_notes(found),
        "note": StaffNoteForm(auto_id="note_%s"),
    }
    return page(request, "tournaments/desk/match.html", context, status=status)


def _leave(entry: Entry, data: Any = None) -> LeaveForm:
    return LeaveForm(data, auto_id=f"leave_{entry.number}_%s")


def result_form(found: Match, data: Any = None, **initial: object) -> ResultForm:
    """Return the form of every result that this match can have."""
    return ResultForm(
        data,
        initial={"version": found.version} | initial,
        rules=match_rules(found, found.round.event),
        a=str(found.a),
        b=str(found.b),
    )


def desk_result(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Enter a result field by field; a final one is corrected instead."""
    found, actor = desk_match(request, slug, match_id)
    if found.b is None:
        return redirect("tournaments:match", slug, match_id)
    if found.state == Match.State.FINAL and request.method != "POST":
        return redirect("tournaments:match-correct", slug, match_id)
    typed = {"text": request.GET.get("text", "")[:60]}
    form = result_form(found, request.POST if request.method == "POST" else None, **typed)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                decided = decide_result(
                    match=found, version=form.cleaned_data["version"], claim=form.claim, by=actor
                )
            except RuleError as error:
                form.add_error(None, explain(error))
                status = status_of(error)
            else:
                return _told(request, slug, decided)
    return _form_page(request, found, form, status)


def _told(request: HttpRequest, slug: str, found: Match) -> HttpResponse:
    sentence = _("Table %(table)s: %(result)s, saved.") % {
        "table": found.table or found.number,
        "result": score_with_names(decision_of(found), str(found.a), str(found.b)),
    }
    messages.success(request, sentence)
    return redirect("tournaments:desk", slug)


def _form_page(
    request: HttpRequest, found: Match, form: ResultForm, status: int, **more: object
) -> HttpResponse:
    event = found.round.event
    actor = actor_of(request, event)
    context = {"event": event, "actor": actor, "form": form, "shown": match_page(found)}
    return page(request, "tournaments/desk/result.html", context | more, status=status)


@acts(match, "match_id")
def match_take(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Decide by one of the reports, as its button showed it."""
    found, actor = desk_match(request, slug, match_id)
    version = posted_number(request, "version")
    report = found.reports.filter(version=posted_number(request, "report")).first()
    if report is None:
        raise BadInput("bad_request", gettext_noop("There is no such report. Nothing was stored."))
    said = outcome_of(report)
    claim = Claim(
        score=said.score,
        games=said.games or None,
        winner=said.winner,
        ended_by=said.ended_by,
        tie_break=said.tie_break,
        note=report.note,
        by_staff=True,
    )
    return _told(request, slug, decide_result(match=found, version=version, claim=claim, by=actor))


def match_correct(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Correct a final result: the form, then its effects, then the confirmed correction."""
    found, actor = desk_match(request, slug, match_id)
    if found.b is None:
        return redirect("tournaments:match", slug, match_id)
    if found.decision is None:
        return redirect("tournaments:desk-result", slug, match_id)
    if "confirm" not in request.POST and not may_correct(actor, found):
        return _match_page(request, found, actor)  # it says who may
    if request.method != "POST":
        form = result_form(found, None, **first_values(found.decision))
        return _form_page(request, found, form, 200, correcting=True)
    form = result_form(found, request.POST)
    if not form.is_valid() or "change" in request.POST:
        status = 400 if form.errors else 200
        return _form_page(request, found, form, status, correcting=True)
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
    return _told(request, slug, corrected)


def _effects(
    request: HttpRequest, found: Match, form: ResultForm, confirm: ConfirmForm, status: int
) -> HttpResponse:
    event = found.round.event
    context = {
        "event": event,
        "actor": actor_of(request, event),
        "form": form,
        "confirm": confirm,
        "shown": correction_page(load_facts(event), found, form.outcome),
    }
    return render(request, "tournaments/desk/effects.html", context, status=status)


@acts(match, "match_id")
def match_leave(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Withdraw or disqualify a player of the match, or take one back."""
    found, actor = desk_match(request, slug, match_id)
    number = posted_number(request, "number")
    entry = next((e for e in (found.a, found.b) if e and e.number == number), None)
    if entry is None:
        raise Http404
    form = _leave(entry, request.POST)
    if not form.is_valid():
        return _match_page(request, found, actor, form, 400)
    values = form.cleaned_data
    try:
        changed = DEPARTURES[values["action"]](entry=entry, reason=values["reason"], by=actor)
    except RuleError as error:
        form.add_error("reason" if error.code == "reason_missing" else None, explain(error))
        return _match_page(request, found, actor, form, status_of(error))
    messages.success(request, f"{changed.name}: {changed.get_status_display()}")
    return redirect("tournaments:match", slug, match_id)


@require_safe
def desk_battle(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Answer the totals with battle cards, as the form would store them."""
    found, _actor = desk_match(request, slug, match_id)
    form = BattleForm(request.GET)
    words = form.words(match_rules(found, found.round.event)) if form.is_valid() else ""
    return HttpResponse(words, content_type="text/plain; charset=utf-8")
