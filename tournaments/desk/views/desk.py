"""The desk's page, its polled tables, what is typed on a line, and drafting and undoing rounds."""

from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from config.alive import read_heartbeat
from config.offline import keep_offline
from config.pages import help_section
from config.web import (
    not_modified_response,
    redirect_with_message,
    render_page,
    version_tag,
    wants_json,
)
from rules.errors import BadInput
from rules.matches.settling import seats_absent_so_far
from tournaments.arrivals.selectors import check_in_list
from tournaments.core.clocks import clock_display, downtime_minutes
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import Actor, can_judge, can_keep_time, desk_rights
from tournaments.core.replays import match_at_table
from tournaments.core.visibility import (
    former_announcements,
    visible_announcements,
    withheld_content,
)
from tournaments.corrections.selectors.choices import is_draw_correctable, next_seat_replacement
from tournaments.desk.selectors.closing import finishing_disclosures
from tournaments.desk.selectors.desk import (
    desk_content,
    desk_row,
    players_before_round,
    result_conflict,
    rows_changed_since,
)
from tournaments.events.selectors.timetable import late_end_warning
from tournaments.events.services import change_event_state
from tournaments.judging.selectors import open_calls
from tournaments.judging.views import AnnouncementForm
from tournaments.matches.selectors import absence_message, describe_table, find_match, player_names
from tournaments.matches.services import check_match_stamp, check_opponent, match_gone_error
from tournaments.matches.words import score_with_names
from tournaments.models import Event, Match
from tournaments.pages.access import DESK, ROUND, find_organiser_event, find_staff_event
from tournaments.pages.views import (
    action_view,
    add_clock_header,
    parse_posted_number,
    render_for_script,
    render_undo_buttons,
    require_valid_form,
    strip_scheme,
)
from tournaments.paper.services import round_write_failure
from tournaments.players.selectors.players import joining_players, match_offers
from tournaments.players.selectors.returns import rejoin_requests
from tournaments.publishers.selectors import publisher_programs
from tournaments.results.forms.desk import QuickForm, TableForm
from tournaments.results.services.results import decide_and_withdraw, enter_result
from tournaments.rounds.services import delete_last_round, draft_round
from tournaments.screen.selectors import pin_note

HALF_A_DAY = timedelta(hours=12)
"""How long the desk says that the site has another address."""


@keep_offline
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the round in progress, what blocks the next step, and the button for that step."""
    event, actor = find_staff_event(request, slug)
    facts = read_facts(event, for_staff=True)
    context = _page_context(event, actor, facts)
    context["announce"] = AnnouncementForm(auto_id="announcement_%s")
    context["former_address"] = _former_address(event)
    shown = context["desk"]
    if shown.stage is not None and shown.round is None and event.state == Event.State.RUNNING:
        context["before"] = players_before_round(shown.stage, facts.entries)
        context["in_line"] = next_seat_replacement(facts)
    if event.plan is None:
        context["arrivals"] = check_in_list(event)
    context["pin_note"] = pin_note(read_facts(event)) if event.screen_view else ""
    if context["judges"] and event.state == Event.State.RUNNING:
        context["former"] = former_announcements(event)
    context["keys"] = help_section("organising", "keys")
    context["lots_by_hand"] = any(is_draw_correctable(facts, draw) for draw in facts.draws)
    return render_page(request, "tournaments/desk/home.html", context)


def _former_address(event: Event) -> str:
    """Return the address that codes printed for an event may still show, "" if they are right."""
    found = read_heartbeat()
    over, moved = event.state == Event.State.FINISHED, found.moved_at
    if moved is None or over or event.created_at > moved or timezone.now() - moved > HALF_A_DAY:
        return ""
    return strip_scheme(found.former)


def _step_context(event: Event, actor: Actor, facts: EventFacts) -> dict[str, Any]:
    """Return the context of a row and of the next step; two queries, and the actor's."""
    rights, calls = desk_rights(actor, event), open_calls(event)
    return {
        "event": event,
        "actor": actor,
        "rights": rights,
        "calls": calls,
        "desk": desk_content(facts, rights, {row.match.pk for row in calls}),
        "held": withheld_content(facts),
        "late": late_end_warning(facts),
        "takes_late": bool(match_offers(facts)),
    }


def _page_context(event: Event, actor: Actor, facts: EventFacts) -> dict[str, Any]:
    """Return the context of the desk and its fragment; one query more with announcements."""
    context = _step_context(event, actor, facts)
    shown = context["desk"]
    return context | {
        "has_seats": any(row.seats for row in shown.rows),
        "by_place": any(row.by_place for row in shown.rows),
        "clock": clock_display(shown.stage, shown.round) if shown.stage and shown.round else None,
        "keeps_time": can_keep_time(actor, event),
        "away": downtime_minutes(event, shown.round) if shown.round else 0,
        "judges": can_judge(actor, event),
        "asking": joining_players(facts, rejoin_requests(facts)),
        "announcements": visible_announcements(facts),
        "unprinted": round_write_failure(facts),
        "programs": publisher_programs(event),
    }


def _after_act(request: HttpRequest, actor: Actor, match: Match) -> dict[str, str]:
    """Return JSON for the desk's script after an act on a match, with the event as it left it.

    The match's row and the next step as HTML, the step's round, and all rows' marks.
    """
    event = match.round.event
    facts = read_facts(event, for_staff=True)
    context = _step_context(event, actor, facts)
    shown = context["desk"]
    context["row"] = row = desk_row(facts, shown, match)
    return {
        "row": render_for_script(request, "tournaments/results/_row.html", context) if row else "",
        "next": render_for_script(request, "tournaments/desk/_next.html", context),
        "round": shown.shape,
        "marks": shown.marks,
    }


@require_safe
def poll_desk_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer a polling page: the tables changed after report ``since`` as HTML, or 304."""
    event, actor = find_staff_event(request, slug)
    since = request.GET.get("since", "")
    facts = read_facts(event, for_staff=True)
    announced = visible_announcements(facts)
    tag = version_tag(request, event.pk, event.version, since, *(each.pk for each in announced))
    if answer := not_modified_response(request, tag):
        return add_clock_header(answer, facts)
    context = _page_context(event, actor, facts)
    known = int(since) if since.isdecimal() and len(since) < 16 else 0
    context["rows"] = rows_changed_since(context["desk"], known)
    return add_clock_header(
        render_page(request, "tournaments/desk/_tables.html", context, tag=tag), facts
    )


@action_view(desk)
def draft_next_round(request: HttpRequest, slug: str) -> HttpResponse:
    """Draft the next round, and redirect to the draft."""
    event, actor = find_staff_event(request, slug)
    item = draft_round(
        event=event, expected_round=parse_posted_number(request, "expected_round"), by=actor
    )
    return redirect("tournaments:desk-round", slug, item.ordinal)


@action_view(desk)
def delete_latest_round(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Delete the latest round while it has no result."""
    event, actor = find_staff_event(request, slug)
    delete_last_round(event=event, ordinal=ordinal, by=actor)
    return redirect_with_message(request, _("Removed."), "tournaments:desk", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def finish_event(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what becomes public when the event is finished; finish the event on POST."""
    if request.method == "POST":
        return _finish(request, slug=slug)
    event, actor = find_organiser_event(request, slug)
    facts, rights = read_facts(event, for_staff=True), desk_rights(actor, event)
    context = {
        "event": event,
        "actor": actor,
        "rights": rights,
        "desk": desk_content(facts, rights),
    }
    context["public"] = finishing_disclosures(facts)
    return render_page(request, "tournaments/desk/finish.html", context)


@action_view(desk)
def _finish(request: HttpRequest, slug: str) -> HttpResponse:
    event, actor = find_staff_event(request, slug)
    change_event_state(event=event, action="finish", by=actor)
    return redirect_with_message(
        request, _("The event is finished."), "tournaments:standings", slug
    )


@action_view(desk)
def save_row_result(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Save the result typed in a row of the desk; respond with JSON to a script, else HTML."""
    event, actor = find_staff_event(request, slug)
    match = find_match(event, match_id)
    if match is None:
        raise match_gone_error()
    check_opponent(match)
    form = require_valid_form(QuickForm(request.POST))
    version, shown = form.cleaned_data["version"], form.cleaned_data["shown"]
    rules = match_rules(match, event)
    claim = form.claim(rules)
    if seats_absent_so_far(rules, claim) is not None:
        check_match_stamp(match, shown)
        said = decide_and_withdraw(match=match, version=version, claim=claim, by=actor)
        return _saved_response(request, actor, said)
    chosen = request.POST.get("chosen") == "yes"
    entered = enter_result(
        match=match,
        version=version,
        claim=claim,
        reason=_("Two results entered at the desk differed; this result was chosen.")
        if chosen
        else None,
        compare=True,
        shown=shown,
        by=actor,
    )
    if entered.refused is not None:
        conflict = result_conflict(entered.match, entered.refused)
        return _conflict_response(request, actor, conflict, form.line())
    return _saved_response(request, actor, entered.match)


@action_view(desk)
def save_table_result(request: HttpRequest, slug: str) -> HttpResponse:
    """Save a result typed beside a table number; for browsers without JavaScript."""
    event, actor = find_staff_event(request, slug)
    values = require_valid_form(TableForm(request.POST)).cleaned_data
    at_table = match_at_table(read_facts(event, for_staff=True), values["ordinal"], values["table"])
    match = find_match(event, at_table.pk) if at_table else None
    if match is None:
        raise BadInput(
            "no_table",
            "Table %(table)s is not in this round.",
            table=values["table"],
        )
    if not values["text"]:
        return redirect("tournaments:desk-result", slug, match.pk)
    form = require_valid_form(QuickForm({"version": match.version, "text": values["text"]}))
    claim = form.claim(match_rules(match, event))
    saved = decide_and_withdraw(match=match, version=match.version, claim=claim, by=actor)
    return _saved_response(request, actor, saved)


def _saved_words(match: Match) -> str:
    """Return what was stored: the result with the time, or who is absent while others play."""
    decision = match.decision if match.state == Match.State.FINAL else None
    if decision is None:
        return absence_message(match)
    result = score_with_names(decision, *player_names(match))
    time = timezone.localtime(decision.at, match.round.event.zone).strftime("%H:%M:%S")
    return _("Saved: %(name)s") % {"name": f"{describe_table(match)}: {result} · {time}"}


def _saved_response(request: HttpRequest, actor: Actor, match: Match) -> HttpResponse:
    sentence, event = _saved_words(match), match.round.event
    if not wants_json(request):
        return redirect_with_message(request, sentence, "tournaments:desk", event.slug)
    content = {
        "status": "saved",
        "sentence": sentence,
        "undo": render_undo_buttons(request, event, actor),
    }
    return JsonResponse(content | _after_act(request, actor, match))


def _conflict_response(
    request: HttpRequest, actor: Actor, conflict: dict[str, Any], line: str
) -> HttpResponse:
    match = conflict["match"]
    context = {"event": match.round.event, "actor": actor, "conflict": conflict, "line": line}
    if not wants_json(request):
        return render(request, "tournaments/results/conflict.html", context, status=409)
    panel = render_to_string("tournaments/results/_conflict.html", context, request=request)
    answer = {"status": "conflict", "sentence": conflict["sentence"], "conflict": panel}
    return JsonResponse(answer | _after_act(request, actor, match), status=409)


urlpatterns = [
    path(DESK, desk, name="desk"),
    path(f"{DESK}tables/", poll_desk_tables, name="desk-tables"),
    path(f"{DESK}draft/", draft_next_round, name="desk-draft"),
    path(f"{DESK}finish/", finish_event, name="desk-finish"),
    path(f"{ROUND}undo/", delete_latest_round, name="desk-undo-round"),
    path(f"{DESK}quick/", save_table_result, name="desk-quick"),
    path(f"{DESK}save/<int:match_id>/", save_row_result, name="desk-save"),
]
