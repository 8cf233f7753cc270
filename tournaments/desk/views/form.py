"""The page of one match, and its result entered or corrected: field by field, by battle cards, or
from a player's report.
"""

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.api import status_code
from config.web import render_page, wants_json
from config.wording import add_rule_error, error_message, translate
from rules.errors import BadInput, RuleError
from rules.matches.agreement import remove_absent_players
from rules.matches.match_rules import Claim
from rules.matches.settling import resolve_claim, seats_absent_so_far
from rules.matches.shorthand import parse_shorthand
from rules.results import Winner
from tournaments.checks.selectors import checks_of_players
from tournaments.clock.forms import ExtensionForm
from tournaments.core.clocks import match_extensions
from tournaments.core.facts_cache import read_facts
from tournaments.core.formulas import awards_points_by_place
from tournaments.core.labels import match_round_label
from tournaments.core.mapping import (
    absence_marks,
    event_points,
    event_table_points,
    match_rules,
    outcome_from_report,
    report_from_outcome,
    stored_plan,
)
from tournaments.core.permissions import Actor, can_judge, can_rule, desk_rights
from tournaments.corrections.acts import TAKEN_BACK
from tournaments.corrections.forms import CorrectionHeader, correction_response
from tournaments.corrections.selectors.choices import result_correction
from tournaments.corrections.selectors.seat import bye_change_refusal
from tournaments.corrections.services.results import carry_out_correction
from tournaments.judging.selectors import rulings_on_match, staff_notes
from tournaments.judging.views import RulingForm, StaffNoteForm
from tournaments.matches.selectors import (
    absence_message,
    describe_table,
    player_names,
    sides_absent_last_round,
    staff_match_context,
)
from tournaments.matches.words import (
    absent_label,
    first_and_other_names,
    points_earned_text,
    result_text,
    result_with_names,
    score_with_names,
)
from tournaments.models import Entry, Event, Match, Report, Stage
from tournaments.pages.access import MATCH, find_actor
from tournaments.pages.views import (
    action_view,
    find_staff_match,
    parse_posted_number,
    redirect_to_origin,
    repeatable_post,
    saved_response,
)
from tournaments.penalties.selectors import penalties_of_players
from tournaments.players.forms import DepartureForm
from tournaments.players.selectors.players import (
    drop_button_label,
    is_played_out,
    status_changes,
)
from tournaments.players.services.departures import DEPARTURES
from tournaments.results.forms.desk import BattleForm, ClaimForm, ResultForm, initial_result_values
from tournaments.results.forms.table_desk import TableResultForm, initial_table_values
from tournaments.results.selectors import may_correct
from tournaments.results.services.results import decide_and_withdraw, decide_result

DROP = "drop"
"""What an address asks for that leads to the question when a player is dropped."""


def match_detail(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Show a match to the staff: its reports and possible actions."""
    found, actor = find_staff_match(request, slug, match_id)
    return render_match(request, found, actor)


def render_match(
    request: HttpRequest,
    found: Match,
    actor: Actor,
    left: DepartureForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render the staff's page of a match.

    ``found``: the match; ``left``: a refused form to drop a player.
    """
    event = found.round.event
    context = match_context(found, actor)
    played_out = not context["leaves"]
    offered = [
        (entry, status_changes(event, entry, context["rights"], played_out=played_out))
        for entry in found.players
        if event.state == Event.State.RUNNING
    ]
    context |= {
        "corrects": found.decision is not None and may_correct(actor, found),
        "leaving": [
            (
                entry,
                left
                if left and left.data.get("number") == str(entry.number)
                else _leave_form(entry),
                moves,
                drop_button_label(entry, found),
            )
            for entry, moves in offered
            if moves
        ],
        "extend": ExtensionForm(),
        "checked": checks_of_players(found.players, event),
        "rulings": rulings_on_match(found.pk),
        "rule": RulingForm(auto_id="ruling_%s"),
        "notes": staff_notes(found),
        "bye_stays": _bye_stays(found) if found.size == 1 else None,
        "may_rule": can_rule(actor, event),
    }
    return render_page(request, "tournaments/results/match.html", context, status=status)


def _bye_stays(found: Match) -> str:
    why = bye_change_refusal(read_facts(found.round.event, for_staff=True), found)
    return translate(why) if why else ""


def match_context(found: Match, actor: Actor) -> dict[str, Any]:
    """Return the template context shared by a match's page and result form.

    ``found``: the match, with its players loaded. At most four queries.
    """
    event = found.round.event
    playing = found.group.stage.state == Stage.State.OPEN
    return {
        "event": event,
        "actor": actor,
        "rights": desk_rights(actor, event),
        "judges": can_judge(actor, event),
        "shown": staff_match_context(found),
        "extensions": match_extensions(found),
        "penalties": penalties_of_players(found.players, event),
        "note": StaffNoteForm(auto_id="note_%s"),
        "leaves": event.state == Event.State.RUNNING and (playing or not is_played_out(event)),
        "leavers": [(each, drop_button_label(each, found)) for each in found.players if each.plays],
    }


def _leave_form(entry: Entry, data: Any = None) -> DepartureForm:
    return DepartureForm(data, auto_id=f"leave_{entry.number}_%s")


@action_view(match_detail, "match_id")
def drop_match_player(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Drop, disqualify or reinstate a player of a match, as the form says."""
    found, actor = find_staff_match(request, slug, match_id)
    number = parse_posted_number(request, "number")
    entry = next((e for e in found.players if e.number == number), None)
    if entry is None:
        raise Http404
    form = _leave_form(entry, request.POST)
    if not form.is_valid():
        return render_match(request, found, actor, form, 400)
    values = form.cleaned_data
    try:
        changed = DEPARTURES[values["action"]](entry=entry, reason=values["reason"], by=actor)
    except RuleError as error:
        if wants_json(request):
            raise
        add_rule_error(form, error, {"reason_missing": "reason"})
        return render_match(request, found, actor, form, status_code(error))
    return saved_response(request, _("Saved: %(name)s") % {"name": changed.name}, found)


def result_form(found: Match, data: Any = None, **initial: object) -> ResultForm | TableResultForm:
    """Return the full result form of a match, for two players or a multiplayer table.

    ``found``: the match; ``data``: POST data, None for an unbound form; further keywords: initial
    values.
    """
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
            by_place=awards_points_by_place(found.round.event),
        )
    a, b = first_and_other_names(player_names(found))
    return ResultForm(
        data,
        initial={"version": found.version} | initial,
        rules=match_rules(found, found.round.event),
        a=a,
        b=b,
        points=event_points(found.round.event),
    )


def enter_match_result(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Show the full result form of a match; store the result on POST.

    A final result redirects to its correction.
    """
    found, actor = find_staff_match(request, slug, match_id)
    if found.size == 1:
        return redirect("tournaments:match", slug, match_id)
    picked = request.GET.get("pick")
    if found.state == Match.State.FINAL and request.method != "POST" and picked != DROP:
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
                add_rule_error(form, error)
                status = status_code(error)
            else:
                return redirect_saved(request, slug, decided)
    return render_result_form(request, found, form, status)


def _saved_words(found: Match) -> str:
    """Return the result that was stored, or who is absent while the others play."""
    decision = found.decision if found.state == Match.State.FINAL else None
    if decision is None:
        return absence_message(found)
    result = score_with_names(decision, *player_names(found))
    return _("Saved: %(name)s") % {"name": f"{describe_table(found)}: {result}"}


def redirect_saved(request: HttpRequest, slug: str, found: Match) -> HttpResponse:
    """Redirect to the page where a result was entered, with a message naming the result.

    ``found``: the match.
    """
    messages.success(request, _saved_words(found))
    return redirect_to_origin(request, slug)


def render_result_form(
    request: HttpRequest,
    found: Match,
    form: ResultForm | TableResultForm,
    status: int,
    **more: object,
) -> HttpResponse:
    """Render the result form of a match.

    ``found``: the match; further keywords are added to the template context.
    """
    actor = find_actor(request, found.round.event)
    context = match_context(found, actor) | {"form": form, "missed": sides_absent_last_round(found)}
    context["pick"] = request.GET.get("pick", "")
    if context["pick"] == DROP and (number := request.GET.get("player", "")):
        leavers = context["leavers"]
        context["leavers"] = [each for each in leavers if str(each[0].number) == number]
    return render_page(
        request,
        "tournaments/results/result.html",
        context | more,
        fragment="tournaments/results/_panel.html",
        status=status,
    )


@repeatable_post
@action_view(match_detail, "match_id")
def accept_report(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Make one of a match's reports its result, as a member of the staff."""
    found, actor = find_staff_match(request, slug, match_id)
    version = parse_posted_number(request, "version")
    report = found.reports.filter(version=parse_posted_number(request, "report")).first()
    if report is None:
        raise BadInput("bad_request", "Not found. Reload the page.")
    return redirect_saved(
        request, slug, decide_result(match=found, version=version, claim=_as_told(report), by=actor)
    )


def _as_told(report: Report) -> Claim:
    """Return what a report says, as claimed by the staff."""
    match = report.match
    outcome = outcome_from_report(report, match.size)
    if match.size > 2:
        outcome = remove_absent_players(outcome, absence_marks(match)) or outcome
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
def battle_card_totals(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Return both players' totals with battle cards, as plain text; "" for invalid input."""
    found, _actor = find_staff_match(request, slug, match_id)
    form = BattleForm(request.GET)
    return _plain(form.words(match_rules(found, found.round.event)) if form.is_valid() else "")


@require_safe
def preview_typed_result(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Return the result that a line typed at the desk would store, as plain text.

    A multiplayer table has its points too. If the line would be refused: the reason, with its HTTP
    status.
    """
    found, _actor = find_staff_match(request, slug, match_id)
    rules = match_rules(found, found.round.event)
    try:
        claim = parse_shorthand(request.GET.get("text", "")[:60], rules)
        absent = seats_absent_so_far(rules, claim)
        outcome = resolve_claim(rules, claim) if absent is None else None
    except RuleError as refused:
        return _plain(error_message(refused), status_code(refused))
    if outcome is None:
        names = player_names(found)
        return _plain(absent_label([names[seat - 1] for seat in absent or ()]))
    words = result_with_names(report_from_outcome(outcome), *player_names(found))
    if rules.size > 2:
        worth = points_earned_text(
            outcome, player_names(found), event_table_points(found.round.event)
        )
        words = " · ".join(filter(None, (words, worth)))
    return _plain(words)


def _plain(words: str, status: int = 200) -> HttpResponse:
    return HttpResponse(words, status=status, content_type="text/plain; charset=utf-8")


def correct_match_result(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Show and store the correction of a final result.

    Three pages: the result, the effects of correcting it, the chosen option.
    """
    found, actor = find_staff_match(request, slug, match_id)
    if found.size == 1:
        return redirect("tournaments:match", slug, match_id)
    if found.decision is None:
        return redirect("tournaments:desk-result", slug, match_id)
    if "confirm" not in request.POST and not may_correct(actor, found):
        return render_match(request, found, actor)  # it says who may
    if request.method != "POST":
        values = initial_table_values if found.size > 2 else initial_result_values
        form = result_form(found, None, **values(found.decision))
        return render_result_form(request, found, form, 200, correcting=True)
    form = result_form(found, request.POST)
    if not form.is_valid() or "change" in request.POST:
        status = 400 if form.errors else 200
        return render_result_form(request, found, form, status, correcting=True)
    stored_or_shown = correction_response(
        request,
        event=found.round.event,
        actor=actor,
        foretell=lambda facts, void: result_correction(facts, found, form.outcome, void),
        store=partial(
            carry_out_correction,
            match=found,
            version=form.cleaned_data["version"],
            claim=form.claim,
            by=actor,
        ),
        usual_reason=str(TAKEN_BACK.words),
        head=_head(found, form),
        correct=_("Correct the result"),
        sent=[(name, value) for name in form.fields for value in request.POST.getlist(name)],
    )
    if stored_or_shown is not None:
        return stored_or_shown
    found.refresh_from_db(fields=["decision"])
    return redirect_saved(request, slug, found)


def _head(found: Match, form: ClaimForm) -> CorrectionHeader:
    plan = stored_plan(found.round.event)
    where = [translate(plan.stages[found.group.stage.number - 1].label)]
    if at := read_facts(found.round.event).round_at(found.round.ordinal):
        where.append(match_round_label(*at, found))
    if found.table:
        where.append(_("Table %(table)s") % {"table": found.table})
    return CorrectionHeader(
        after=score_with_names(report_from_outcome(form.outcome), *player_names(found)),
        where=" · ".join(where),
        before=result_text(found.decision) if found.decision else "",
    )


urlpatterns = [
    path(MATCH, match_detail, name="match"),
    path(f"{MATCH}leave/", drop_match_player, name="match-leave"),
    path(f"{MATCH}said/", preview_typed_result, name="desk-said"),
    path(f"{MATCH}result/", enter_match_result, name="desk-result"),
    path(f"{MATCH}battle-cards/", battle_card_totals, name="desk-battle"),
    path(f"{MATCH}take/", accept_report, name="match-take"),
    path(f"{MATCH}correct/", correct_match_result, name="match-correct"),
]
