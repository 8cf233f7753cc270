"""Pages of advancing to the next stage, and of the second leg."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils.translation import gettext as _

from config.web import done, page
from config.wording import translate
from tournaments.core.event_state import load_facts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import rights_of
from tournaments.corrections.selectors.next_in_line import next_in_line
from tournaments.corrections.services.seats import give_away
from tournaments.desk.selectors.closing import closing_of
from tournaments.desk.selectors.desk import desk_of
from tournaments.desk.views.desk import desk
from tournaments.pages.access import staff_event
from tournaments.pages.acting import acts, posted_number
from tournaments.pages.addresses import EVENT
from tournaments.rounds.services import close_and_draft
from tournaments.stages.selectors import advance_page
from tournaments.stages.services import close_stage, decide_second_leg, take_back_stage


def advance(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who goes where when the open stage closes."""
    event, actor = staff_event(request, slug)
    rights, facts = rights_of(actor, event), read_facts(event, drafts=True)
    context = {
        "event": event,
        "actor": actor,
        "rights": rights,
        "advance": advance_page(facts),
        "closing": closing_of(facts),
        "desk": desk_of(facts, rights),
        "in_line": next_in_line(facts),
    }
    return page(request, "tournaments/stages/advance.html", context)


@acts(advance)
def advance_close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the open stage and seat the next; with a round to expect, draft that too.

    ``standings`` is ``held`` where a hold on the standings outlives the closing, ``lists`` where
    the lists that the next stage opens are held back.
    """
    event, actor = staff_event(request, slug)
    expected = posted_number(request, "expected_stage")
    hold, lists_held = (request.POST.get(name) == "held" for name in ("standings", "lists"))
    drafted = None
    if "expected_round" in request.POST:
        following, drafted = close_and_draft(
            event=event,
            expected_stage=expected,
            expected_round=posted_number(request, "expected_round"),
            by=actor,
            hold=hold,
            lists_held=lists_held,
        )
    else:
        following = close_stage(
            event=event, expected_stage=expected, by=actor, hold=hold, lists_held=lists_held
        )
    if following is None:
        messages.success(request, _("The last stage is closed."))
    else:
        plan = load_facts(event).stages[following.number - 1].plan
        messages.success(
            request, _("The players are seated: %(stage)s.") % {"stage": translate(plan.label)}
        )
    if drafted is not None:
        return redirect("tournaments:desk-round", slug, drafted.ordinal)
    return redirect("tournaments:desk", slug)


@acts(desk)
def second_leg(request: HttpRequest, slug: str) -> HttpResponse:
    """Add the second leg to the open stage."""
    event, actor = staff_event(request, slug)
    decide_second_leg(
        event=event, expected_stage=posted_number(request, "expected_stage"), by=actor
    )
    return done(request, _("The second leg will be played."), "tournaments:desk", slug)


@acts(desk)
def advance_undo(request: HttpRequest, slug: str) -> HttpResponse:
    """Reopen the stage before one that has no round yet."""
    event, actor = staff_event(request, slug)
    take_back_stage(event=event, expected_stage=posted_number(request, "expected_stage"), by=actor)
    return done(request, _("The stage before is open again."), "tournaments:desk", slug)


@acts(desk)
def move_up(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the seat of a player who left after qualifying to who is next in line."""
    event, actor = staff_event(request, slug)
    entry = get_object_or_404(event.entries, number=posted_number(request, "number"))
    shown = request.POST.get("shown", "")
    reason = _("%(name)s plays no more, and the next one comes in.") % {"name": entry.name}
    give_away(entry=entry, reason=reason, shown=shown, by=actor)
    words = _("The seat is given to who comes next.")
    return done(request, words, "tournaments:desk", slug)


urlpatterns = [
    path(f"{EVENT}advance/", advance, name="advance"),
    path(f"{EVENT}advance/close/", advance_close, name="advance-close"),
    path(f"{EVENT}advance/undo/", advance_undo, name="advance-undo"),
    path(f"{EVENT}advance/next-in-line/", move_up, name="next-in-line"),
    path(f"{EVENT}advance/second-leg/", second_leg, name="second-leg"),
]
