"""Results entered at the desk: on one line saved at once, or by table number."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path
from django.utils import timezone
from django.utils.html import strip_spaces_between_tags
from django.utils.translation import gettext as _

from config.web import done, wants_json
from rules.errors import BadInput
from rules.matches.tables.settling import absent_so_far
from tournaments.core.facts_cache import read_facts
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import rights_of
from tournaments.core.replays import match_at
from tournaments.desk.selectors.conflict import Conflict, conflict_of
from tournaments.desk.views.desk import desk, step_part
from tournaments.matches.selectors import (
    absent_at,
    decision_of,
    find_match,
    names_of,
    table_in_words,
)
from tournaments.matches.services import check_opponent, check_shown, match_gone
from tournaments.matches.words import score_with_names
from tournaments.models import Match
from tournaments.pages.access import actor_of, staff_event
from tournaments.pages.acting import acts, undo_part, valid_form
from tournaments.pages.addresses import DESK
from tournaments.results.forms.desk import QuickForm, TableForm
from tournaments.results.services.results import decide_and_withdraw, enter_result
from tournaments.rounds.selectors.one_row import row_of


@acts(desk)
def desk_save(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Save one line of the desk; answer JSON to the script, a page or a redirect otherwise."""
    event, actor = staff_event(request, slug)
    match = find_match(event, match_id)
    if match is None:
        raise match_gone()
    check_opponent(match)
    form = valid_form(QuickForm(request.POST))
    version, shown, rules = *_seen(form), match_rules(match, event)
    claim = form.claim(rules)
    if absent_so_far(rules, claim) is not None:
        check_shown(match, shown)
        said = decide_and_withdraw(match=match, version=version, claim=claim, by=actor)
        return _saved_response(request, slug, said)
    chosen = request.POST.get("chosen") == "yes"
    entered = enter_result(
        match=match,
        version=version,
        claim=claim,
        reason=_("Two entries at the desk differed; this one was chosen.") if chosen else None,
        compare=True,
        shown=shown,
        by=actor,
    )
    if entered.refused is not None:
        conflict = conflict_of(entered.match, entered.refused, actor)
        return _conflict_response(request, entered.match, conflict, form.line())
    return _saved_response(request, slug, entered.match)


@acts(desk)
def desk_quick(request: HttpRequest, slug: str) -> HttpResponse:
    """Find a table by its number, and save the result typed beside it; for use without script."""
    event, actor = staff_event(request, slug)
    values = valid_form(TableForm(request.POST)).cleaned_data
    at_table = match_at(read_facts(event, drafts=True), values["ordinal"], values["table"])
    match = find_match(event, at_table.pk) if at_table else None
    if match is None:
        raise BadInput(
            "no_table",
            "Table %(table)s is not in this round. Nothing was stored.",
            table=values["table"],
        )
    if not values["text"]:
        return redirect("tournaments:desk-result", slug, match.pk)
    form = valid_form(QuickForm({"version": match.version, "text": values["text"]}))
    claim = form.claim(match_rules(match, event))
    saved = decide_and_withdraw(match=match, version=match.version, claim=claim, by=actor)
    return _saved_response(request, slug, saved)


def _seen(form: QuickForm) -> tuple[int, str]:
    """Return the version of the match that the page showed, and whom at which table."""
    return form.cleaned_data["version"], form.cleaned_data["shown"]


def _saved_words(match: Match) -> str:
    """Return what was stored: the result with the time, or who is absent while others play."""
    if match.state != Match.State.FINAL:
        return absent_at(match)
    decision = decision_of(match)
    return _("%(table)s: %(result)s, saved %(time)s") % {
        "table": table_in_words(match),
        "result": score_with_names(decision, *names_of(match)),
        "time": timezone.localtime(decision.at, match.round.event.zone).strftime("%H:%M:%S"),
    }


def _saved_response(request: HttpRequest, slug: str, match: Match) -> HttpResponse:
    sentence = _saved_words(match)
    if not wants_json(request):
        return done(request, sentence, "tournaments:desk", slug)
    content = {"status": "saved", "sentence": sentence, "row": _row_html(request, match)}
    content |= {"undo": undo_part(request, match.round.event)}
    return JsonResponse(content | step_part(request, slug))


def _row_html(request: HttpRequest, match: Match) -> str:
    event = match.round.event
    rights = rights_of(actor_of(request, event), event)
    context = {"event": event, "row": row_of(match), "rights": rights}
    row = render_to_string("tournaments/results/_row.html", context, request=request)
    return strip_spaces_between_tags(row.strip())


def _conflict_response(
    request: HttpRequest, match: Match, conflict: Conflict, line: str
) -> HttpResponse:
    context = {
        "event": match.round.event,
        "actor": actor_of(request, match.round.event),
        "conflict": conflict,
        "line": line,
    }
    if not wants_json(request):
        return render(request, "tournaments/results/conflict.html", context, status=409)
    panel = render_to_string("tournaments/results/_conflict.html", context, request=request)
    answer = {"status": "conflict", "sentence": conflict.sentence, "conflict": panel}
    answer |= {"row": _row_html(request, match)}
    return JsonResponse(answer | step_part(request, match.round.event.slug), status=409)


urlpatterns = [
    path(f"{DESK}quick/", desk_quick, name="desk-quick"),
    path(f"{DESK}save/<int:match_id>/", desk_save, name="desk-save"),
]
