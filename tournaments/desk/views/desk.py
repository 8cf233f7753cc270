"""The desk's page, its polled tables, and drafting and undoing rounds."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import path
from django.utils.html import strip_spaces_between_tags
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from config.offline import kept_offline
from config.web import done, not_modified, page, version_tag
from tournaments.arrivals.selectors import arrivals
from tournaments.core.announcements import announcements_in, former_announcements
from tournaments.core.clocks import clock_of
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import Actor, can_judge, can_keep_time, rights_of
from tournaments.corrections.selectors.lots import is_correctable
from tournaments.corrections.selectors.next_in_line import next_in_line
from tournaments.desk.selectors.before import before_round
from tournaments.desk.selectors.closing import still_held
from tournaments.desk.selectors.desk import changed_since, desk_of
from tournaments.desk.selectors.finishing import finishing_of
from tournaments.events.selectors.timetable import late_in_words
from tournaments.events.services.events import move_event
from tournaments.judging.forms import AnnouncementForm
from tournaments.judging.selectors import open_calls
from tournaments.models import Event
from tournaments.pages.access import organiser_event, staff_event
from tournaments.pages.acting import acts, posted_number
from tournaments.pages.addresses import DESK, ROUND
from tournaments.pages.views import with_clock
from tournaments.paper.selectors import unprinted
from tournaments.players.selectors.returns import asked_back
from tournaments.rounds.services import draft_round, take_back_round
from tournaments.screen.selectors import pin_note


@kept_offline
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the round in progress, what blocks the next step, and the step's button."""
    event, actor = staff_event(request, slug)
    facts = read_facts(event, drafts=True)
    context = _desk_context(event, actor, facts)
    context["announce"] = AnnouncementForm(auto_id="announcement_%s")
    shown = context["desk"]
    if shown.stage is not None and shown.round is None and event.state == Event.State.RUNNING:
        context["before"] = before_round(shown.stage, facts.entries)
        context["in_line"] = next_in_line(facts)
    if event.plan is None:
        context["arrivals"] = arrivals(event)
    context["pin_note"] = pin_note(read_facts(event)) if event.screen_view else ""
    if context["judges"] and event.state == Event.State.RUNNING:
        context["former"] = former_announcements(event)
    context["lots_by_hand"] = any(is_correctable(facts, draw) for draw in facts.draws)
    return page(request, "tournaments/desk/home.html", context)


def _desk_context(event: Event, actor: Actor, facts: EventFacts) -> dict[str, Any]:
    """Return the context of the desk and its fragment; three queries, four with announcements."""
    rights, calls = rights_of(actor, event), open_calls(event)
    shown = desk_of(facts, rights, {row.match.pk for row in calls})
    return {
        "event": event,
        "actor": actor,
        "rights": rights,
        "desk": shown,
        "has_seats": any(row.seats for row in shown.rows),
        "by_place": any(row.by_place for row in shown.rows),
        "held": still_held(facts),
        "late": late_in_words(facts),
        "clock": clock_of(shown.stage, shown.round) if shown.stage and shown.round else None,
        "keeps_time": can_keep_time(actor, event),
        "judges": can_judge(actor, event),
        "calls": calls,
        "asking": asked_back(facts),
        "announcements": announcements_in(facts),
        "unprinted": unprinted(facts),
    }


def step_part(request: HttpRequest, slug: str) -> dict[str, str]:
    """Return JSON for the desk's script: the next step as HTML, its round, all rows' marks."""
    event, actor = staff_event(request, slug)
    context = _desk_context(event, actor, read_facts(event, drafts=True))
    shown = context["desk"]
    drawn = render_to_string("tournaments/desk/_next.html", context, request=request)
    part = strip_spaces_between_tags(drawn.strip())
    return {"next": part, "round": shown.shape, "marks": shown.marks}


@require_safe
def desk_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer polling: the tables changed after ``since`` and the panel; 304 if none."""
    event, actor = staff_event(request, slug)
    since = request.GET.get("since", "")
    facts = read_facts(event, drafts=True)
    announced = announcements_in(facts)
    tag = version_tag(request, event.pk, event.version, since, *(each.pk for each in announced))
    if answer := not_modified(request, tag):
        return with_clock(answer, facts)
    context = _desk_context(event, actor, facts)
    known = int(since) if since.isdecimal() and len(since) < 16 else 0
    context["rows"] = changed_since(context["desk"], known)
    return with_clock(page(request, "tournaments/desk/_tables.html", context, tag=tag), facts)


@acts(desk)
def desk_draft(request: HttpRequest, slug: str) -> HttpResponse:
    """Draft the next round and show it for review."""
    event, actor = staff_event(request, slug)
    item = draft_round(
        event=event, expected_round=posted_number(request, "expected_round"), by=actor
    )
    return redirect("tournaments:desk-round", slug, item.ordinal)


@acts(desk)
def desk_take_back_round(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Undo the last round while it has no result."""
    event, actor = staff_event(request, slug)
    take_back_round(event=event, ordinal=ordinal, by=actor)
    words = _("Round %(number)s was taken back.") % {"number": ordinal}
    return done(request, words, "tournaments:desk", slug)


@require_http_methods(["GET", "HEAD", "POST"])
def desk_finish(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what becomes public when the event is finished; finish it when sent."""
    if request.method == "POST":
        return _finish(request, slug=slug)
    event, actor = organiser_event(request, slug)
    facts = read_facts(event, drafts=True)
    context = {"event": event, "actor": actor, "rights": rights_of(actor, event)}
    context |= {"stage": facts.open_stage, "public": finishing_of(facts)}
    return page(request, "tournaments/desk/finish.html", context)


@acts(desk)
def _finish(request: HttpRequest, slug: str) -> HttpResponse:
    event, actor = staff_event(request, slug)
    move_event(event=event, action="finish", by=actor)
    return done(request, _("The event is finished."), "tournaments:desk", slug)


urlpatterns = [
    path(DESK, desk, name="desk"),
    path(f"{DESK}tables/", desk_tables, name="desk-tables"),
    path(f"{DESK}draft/", desk_draft, name="desk-draft"),
    path(f"{DESK}finish/", desk_finish, name="desk-finish"),
    path(f"{ROUND}undo/", desk_take_back_round, name="desk-undo-round"),
]
