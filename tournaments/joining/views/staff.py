"""What the staff sees of the phones that wait, and the answers to them."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.http import require_safe

from config.problems import too_many, way_back
from config.web import is_fragment, not_modified, page, posted, version_tag
from rules.errors import RuleError
from rules.wording import gettext_noop
from tournaments.core.permissions import Actor
from tournaments.joining.requested import types_too_often
from tournaments.joining.selectors import waiting_claims
from tournaments.joining.services import confirm_by_code, refuse
from tournaments.models import Entry, Event, JoinClaim
from tournaments.pages.access import DESK, staff_event
from tournaments.players.views.players import entry_of

TEMPLATE, FRAGMENT = "tournaments/joining/desk.html", "tournaments/joining/_waiting.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A player for whom phones wait; the code is "" where it must be typed."""

    entry: Entry
    code: str
    held: bool
    linked: bool
    phones: int


@require_safe
def waiting(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the phones that wait; two queries while none does."""
    event, actor = staff_event(request, slug)
    return _shown(request, event, actor)


def _shown(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    rows = tuple(_rows(event))
    marks = [
        (row.entry.pk, row.entry.display_name, row.code, row.held, row.linked, row.phones)
        for row in rows
    ]
    tag = version_tag(request, event.pk, marks)
    if request.method != "POST" and (same := not_modified(request, tag)):
        return same
    context = {"event": event, "actor": actor, "waiting": rows}
    return page(request, TEMPLATE, context, fragment=FRAGMENT, tag=tag)


def _rows(event: Event) -> Iterator[Waiting]:
    claims = waiting_claims(event)
    for number in dict.fromkeys(claim.entry.number for claim in claims):
        own = [claim for claim in claims if claim.entry.number == number]
        first = own[0]
        yield Waiting(
            entry=first.entry,
            code=first.code,
            held=first.held,
            linked=first.linked,
            phones=len(own),
        )


@posted
def confirm_phone(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Sign in the phone whose code the button shows, or the staff has typed."""
    event, actor = staff_event(request, slug)
    if "typed" in request.POST and types_too_often(request, event):
        return too_many(request)
    code = request.POST.get("typed", request.POST.get("code", ""))[:20]
    try:
        confirm_by_code(event=event, number=number, code=code, by=actor)
    except JoinClaim.DoesNotExist:
        raise _nobody_waits() from None
    return _answer(request, event, actor)


@posted
def refuse_phone(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Refuse the phones that wait for a player."""
    event, actor = staff_event(request, slug)
    try:
        refuse(entry=entry_of(event, number), by=actor)
    except JoinClaim.DoesNotExist:
        raise _nobody_waits() from None
    return _answer(request, event, actor)


def _nobody_waits() -> RuleError:
    return RuleError(
        "phone_gone",
        gettext_noop("This phone is not waiting any more. Ask the player to try again."),
    )


def _answer(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    if is_fragment(request):
        return _shown(request, event, actor)
    return redirect(way_back(request))


urlpatterns = [
    path(f"{DESK}join/", waiting, name="desk-join"),
    path(f"{DESK}join/<int:number>/confirm/", confirm_phone, name="desk-join-confirm"),
    path(f"{DESK}join/<int:number>/refuse/", refuse_phone, name="desk-join-refuse"),
]
