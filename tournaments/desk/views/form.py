"""Results entered at the desk field by field, by battle cards, or from a player's report."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.api import status_of
from config.web import page
from config.wording import add_refusal, explain
from rules.errors import BadInput, RuleError
from rules.matches.agreement import without_absent
from rules.matches.match_rules import Claim
from rules.matches.settling import settle
from rules.matches.shorthand import parse_shorthand
from rules.matches.tables.settling import absent_so_far
from rules.results import Winner
from tournaments.core.formulas import is_by_place
from tournaments.core.mapping import (
    gone_from,
    match_rules,
    outcome_of,
    points_of,
    report_of,
    table_points_of,
)
from tournaments.desk.views.match import match, match_context
from tournaments.matches.selectors import (
    absent_at,
    decision_of,
    missed_before,
    names_of,
    table_in_words,
)
from tournaments.matches.table_words import absent_words, worth_in_words
from tournaments.matches.words import first_and_others, score_with_names, with_names
from tournaments.models import Match, Report
from tournaments.pages.access import actor_of
from tournaments.pages.acting import acts, desk_match, posted_number, redirect_to_origin
from tournaments.pages.addresses import MATCH
from tournaments.pages.sent_once import sent_once
from tournaments.results.forms.desk import BattleForm, ResultForm
from tournaments.results.forms.table_desk import TableResultForm
from tournaments.results.services.results import decide_and_withdraw, decide_result


def result_form(found: Match, data: Any = None, **initial: object) -> ResultForm | TableResultForm:
    """Return the form of every result that this match can have."""
    if found.size > 2:
        seats = list(enumerate(found.players, start=1))
        absent = [seat for seat, player in seats if player.number in found.absent]
        return TableResultForm(
            data,
            initial={"version": found.version, "absent": absent} | initial,
            rules=match_rules(found, found.round.event),
            names=[player.display_name for _seat, player in seats],
            left=[seat for seat, player in seats if not player.plays],
            final=found.state == Match.State.FINAL,
            by_place=is_by_place(found.round.event),
        )
    a, b = first_and_others(names_of(found))
    return ResultForm(
        data,
        initial={"version": found.version} | initial,
        rules=match_rules(found, found.round.event),
        a=a,
        b=b,
        points=points_of(found.round.event),
    )


def desk_result(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Enter a result field by field; a final one is redirected to its correction."""
    found, actor = desk_match(request, slug, match_id)
    if found.size == 1:
        return redirect("tournaments:match", slug, match_id)
    if found.state == Match.State.FINAL and request.method != "POST":
        return redirect("tournaments:match-correct", slug, match_id)
    typed = {name: request.GET.get(name, "")[:60] for name in ("text", "pick")}
    if (first := request.GET.get("first", "")).isdecimal():
        typed[f"place_{first[:1]}"] = "1"
    form = result_form(found, request.POST if request.method == "POST" else None, **typed)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                decided = decide_and_withdraw(
                    match=found,
                    version=form.cleaned_data["version"],
                    claim=form.claim,
                    leaving=form.leaving,
                    by=actor,
                )
            except RuleError as error:
                add_refusal(form, error)
                status = status_of(error)
            else:
                return redirect_saved(request, slug, decided)
    return form_page(request, found, form, status)


def _saved_words(found: Match) -> str:
    """Return the result that was stored, or who is absent while the others play."""
    if found.state != Match.State.FINAL:
        return absent_at(found)
    return _("%(table)s: %(result)s, saved.") % {
        "table": table_in_words(found),
        "result": score_with_names(decision_of(found), *names_of(found)),
    }


def redirect_saved(request: HttpRequest, slug: str, found: Match) -> HttpResponse:
    """Redirect to the desk, or the judge's phone, with a message saying what was stored."""
    messages.success(request, _saved_words(found))
    return redirect_to_origin(request, slug)


def form_page(
    request: HttpRequest,
    found: Match,
    form: ResultForm | TableResultForm,
    status: int,
    **more: object,
) -> HttpResponse:
    """Render the form of a match's result; keyword arguments go to the template."""
    actor = actor_of(request, found.round.event)
    context = match_context(found, actor) | {"form": form, "missed": missed_before(found)}
    context["pick"] = request.GET.get("pick", "")
    return page(
        request,
        "tournaments/results/result.html",
        context | more,
        fragment="tournaments/results/_panel.html",
        status=status,
    )


@sent_once
@acts(match, "match_id")
def match_take(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Decide a match by one of its reports."""
    found, actor = desk_match(request, slug, match_id)
    version = posted_number(request, "version")
    report = found.reports.filter(version=posted_number(request, "report")).first()
    if report is None:
        raise BadInput("bad_request", "There is no such report. Nothing was stored.")
    return redirect_saved(
        request, slug, decide_result(match=found, version=version, claim=_as_told(report), by=actor)
    )


def _as_told(report: Report) -> Claim:
    """Return what a report says, as claimed by the staff."""
    match = report.match
    outcome = outcome_of(report, match.size)
    if match.size > 2:
        outcome = without_absent(outcome, gone_from(match)) or outcome
        return Claim(
            winner=None if outcome.counts else Winner.VOID,
            order=outcome.places if outcome.counts else None,
            marks=outcome.marks,
            ended_by=outcome.ended_by,
            note=report.note,
            by_staff=True,
        )
    return Claim(
        score=outcome.score,
        games=outcome.games or None,
        winner=outcome.winner,
        ended_by=outcome.ended_by,
        tie_break=outcome.tie_break,
        note=report.note,
        by_staff=True,
    )


@require_safe
def desk_battle(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Return the totals with battle cards, as the form would store them."""
    found, _actor = desk_match(request, slug, match_id)
    form = BattleForm(request.GET)
    return _plain(form.words(match_rules(found, found.round.event)) if form.is_valid() else "")


@require_safe
def desk_said(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Return with names what the desk's line would store for a match; 400 with why it can't be.

    For a table of three and more with the points that it gives.
    """
    found, _actor = desk_match(request, slug, match_id)
    rules = match_rules(found, found.round.event)
    try:
        claim = parse_shorthand(request.GET.get("text", "")[:60], rules)
        absent = absent_so_far(rules, claim)
        outcome = settle(rules, claim) if absent is None else None
    except RuleError as refused:
        return _plain(explain(refused), status_of(refused))
    if outcome is None:
        names = names_of(found)
        return _plain(absent_words([names[seat - 1] for seat in absent or ()]))
    words = with_names(report_of(outcome), *names_of(found))
    if rules.size > 2:
        worth = worth_in_words(outcome, names_of(found), table_points_of(found.round.event))
        words = " · ".join(filter(None, (words, worth)))
    return _plain(words)


def _plain(words: str, status: int = 200) -> HttpResponse:
    return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8")


urlpatterns = [
    path(f"{MATCH}said/", desk_said, name="desk-said"),
    path(f"{MATCH}result/", desk_result, name="desk-result"),
    path(f"{MATCH}battle-cards/", desk_battle, name="desk-battle"),
    path(f"{MATCH}take/", match_take, name="match-take"),
]
