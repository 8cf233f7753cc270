"""The page of one match at the desk: its reports, and its players leaving."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from config.api import status_of
from config.web import page, wants_json
from config.wording import add_refusal, translate
from rules.errors import RuleError
from tournaments.checks.selectors.desk import checked_at
from tournaments.clock.forms import ExtensionForm
from tournaments.core.clocks import extensions_of
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import Actor, can_judge, can_rule, rights_of
from tournaments.corrections.selectors.byes import why_not_moved
from tournaments.judging.forms import RulingForm, StaffNoteForm
from tournaments.judging.selectors import rulings_on_match, staff_notes
from tournaments.matches.selectors import match_page
from tournaments.models import Entry, Event, Match, Stage
from tournaments.pages.acting import acts, answer_saved, desk_match, posted_number
from tournaments.pages.addresses import MATCH
from tournaments.penalties.selectors import penalties_at
from tournaments.players.forms import LeaveForm
from tournaments.players.selectors.moves import moves_of
from tournaments.players.selectors.players import is_played_out
from tournaments.players.services.departures import DEPARTURES
from tournaments.results.selectors.correction import may_correct


def match(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Show all reports of a match, and the acts that are possible."""
    found, actor = desk_match(request, slug, match_id)
    return show_match(request, found, actor)


def show_match(
    request: HttpRequest,
    found: Match,
    actor: Actor,
    left: LeaveForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render a match; ``left`` is the refused form of a player's withdrawal."""
    event = found.round.event
    context = match_context(found, actor)
    played_out = not context["leaves"]
    offered = [
        (entry, moves_of(event, entry, context["rights"], played_out=played_out))
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
            )
            for entry, moves in offered
            if moves
        ],
        "extend": ExtensionForm(),
        "checked": checked_at(found.players, event),
        "rulings": rulings_on_match(found.pk),
        "rule": RulingForm(auto_id="ruling_%s"),
        "notes": staff_notes(found),
        "bye_stays": _bye_stays(found) if found.size == 1 else None,
        "may_rule": can_rule(actor, event),
    }
    return page(request, "tournaments/results/match.html", context, status=status)


def _bye_stays(found: Match) -> str:
    """Return why nobody else can rest in the round of a bye, "" if somebody can."""
    why = why_not_moved(read_facts(found.round.event, drafts=True), found)
    return translate(why) if why else ""


def match_context(found: Match, actor: Actor) -> dict[str, Any]:
    """Return the template context of a match's page and result form; three queries.

    A further one for a match of a stage that is closed.
    """
    event = found.round.event
    playing = found.group.stage.state == Stage.State.OPEN
    return {
        "event": event,
        "actor": actor,
        "rights": rights_of(actor, event),
        "judges": can_judge(actor, event),
        "shown": match_page(found),
        "extensions": extensions_of(found),
        "penalties": penalties_at(found.players, event),
        "note": StaffNoteForm(auto_id="note_%s"),
        "leaves": event.state == Event.State.RUNNING and (playing or not is_played_out(event)),
    }


def _leave_form(entry: Entry, data: Any = None) -> LeaveForm:
    return LeaveForm(data, auto_id=f"leave_{entry.number}_%s")


@acts(match, "match_id")
def match_leave(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Withdraw or disqualify a player of the match, or reinstate one."""
    found, actor = desk_match(request, slug, match_id)
    number = posted_number(request, "number")
    entry = next((e for e in found.players if e.number == number), None)
    if entry is None:
        raise Http404
    form = _leave_form(entry, request.POST)
    if not form.is_valid():
        return show_match(request, found, actor, form, 400)
    values = form.cleaned_data
    try:
        changed = DEPARTURES[values["action"]](entry=entry, reason=values["reason"], by=actor)
    except RuleError as error:
        if wants_json(request):
            raise
        add_refusal(form, error, {"reason_missing": "reason"})
        return show_match(request, found, actor, form, status_of(error))
    change = f"{changed.name}: {changed.get_status_display()}"
    return answer_saved(request, change, found)


urlpatterns = [
    path(MATCH, match, name="match"),
    path(f"{MATCH}leave/", match_leave, name="match-leave"),
]
