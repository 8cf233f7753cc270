"""Pages of joining: what a phone shows, from the names to its code, and what the staff answers."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, re_path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from config.api import status_code
from config.problems import GoneError, referring_path, too_many_requests
from config.shown_once import mark_no_store
from config.web import (
    handle_rule_errors,
    is_fragment_request,
    not_modified_response,
    post_only,
    render_page,
    version_tag,
)
from config.wording import error_message
from rules.errors import RuleError
from rules.events.joining import check_event_not_over
from tournaments.core.names import attach_name_marks, load_name_marks, name_matches
from tournaments.core.permissions import Actor
from tournaments.core.slugs import event_id_from_code
from tournaments.joining.selectors import (
    find_claim,
    joinable_players,
    pending_request_rows,
    request_state,
)
from tournaments.joining.services import (
    MINUTE,
    confirm_by_code,
    exceeds_code_limit,
    exceeds_request_limit,
    fetch_link,
    refuse_request,
    request_sign_in,
)
from tournaments.models import Entry, Event, JoinClaim
from tournaments.pages.access import (
    DESK,
    EVENT,
    find_staff_event,
    find_visible_event,
    remember_link,
)
from tournaments.pages.views import parse_posted_number
from tournaments.players.selectors.answers import registration_state
from tournaments.players.views.access import require_own_entry
from tournaments.players.views.players import get_entry_or_404

TEMPLATE, FRAGMENT = "tournaments/joining/desk.html", "tournaments/joining/_waiting.html"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerWithPendingPhones:
    """A player as whom ``phones`` (their number) ask to sign in.

    ``code`` is "" if it must be typed. ``held``: somebody is signed in as the player; ``linked``:
    by a personal link.
    """

    entry: Entry
    code: str
    held: bool
    linked: bool
    phones: int


@require_safe
def pending_phones_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show staff the phones that ask to sign in; two queries if there are none."""
    event, actor = find_staff_event(request, slug)
    return _shown(request, event, actor)


def _shown(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    rows = tuple(_rows(event))
    marks = [
        (row.entry.pk, row.entry.display_name, row.code, row.held, row.linked, row.phones)
        for row in rows
    ]
    tag = version_tag(request, event.pk, marks)
    if request.method != "POST" and (same := not_modified_response(request, tag)):
        return same
    context = {"event": event, "actor": actor, "waiting": rows}
    return render_page(request, TEMPLATE, context, fragment=FRAGMENT, tag=tag)


def _rows(event: Event) -> Iterator[PlayerWithPendingPhones]:
    claims = pending_request_rows(event)
    for number in dict.fromkeys(claim.entry.number for claim in claims):
        own = [claim for claim in claims if claim.entry.number == number]
        first = own[0]
        yield PlayerWithPendingPhones(
            entry=first.entry,
            code=first.code,
            held=first.held,
            linked=first.linked,
            phones=len(own),
        )


@post_only
def confirm_phone(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Sign in the phone with the typed code, or that on the button."""
    event, actor = find_staff_event(request, slug)
    if "typed" in request.POST and exceeds_code_limit(request, event):
        return too_many_requests(request)
    code = request.POST.get("typed", request.POST.get("code", ""))[:20]
    try:
        confirm_by_code(event=event, number=number, code=code, by=actor)
    except JoinClaim.DoesNotExist:
        raise _nobody_waits() from None
    return _answer(request, event, actor)


@post_only
def refuse_phone(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Refuse all phones that ask to sign in as a player."""
    event, actor = find_staff_event(request, slug)
    try:
        refuse_request(entry=get_entry_or_404(event, number), by=actor)
    except JoinClaim.DoesNotExist:
        raise _nobody_waits() from None
    return _answer(request, event, actor)


def _nobody_waits() -> RuleError:
    return RuleError(
        "phone_gone",
    )


def _answer(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    if is_fragment_request(request):
        return _shown(request, event, actor)
    return redirect(referring_path(request))


PAGES = "tournaments/joining"
LONGEST = 80
COOKIE = "join_claim"
KEPT = 60 * MINUTE


def _door(request: HttpRequest, slug: str) -> tuple[Event, Actor]:
    """Return (event, actor). Raises Http404 for a draft, RuleError ``event_finished``."""
    event, actor = find_visible_event(request, slug)
    if event.state == Event.State.DRAFT:
        raise Http404
    check_event_not_over(event.state == Event.State.FINISHED)
    return event, actor


@require_http_methods(["GET", "HEAD", "POST"])
@handle_rule_errors
def join_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the players to sign in as; on POST ask to sign in as one."""
    event, actor = _door(request, slug)
    if request.method == "POST":
        if exceeds_request_limit(request, event):
            return too_many_requests(request)
        return _ask(request, event, actor)
    return _choice(request, event, actor)


def _ask(request: HttpRequest, event: Event, actor: Actor) -> HttpResponse:
    number, former = parse_posted_number(request, "number"), _read_secret_cookie(request, event)
    try:
        _claim, secret = request_sign_in(event=event, number=number, former=former)
    except Entry.DoesNotExist:
        words = _("Not found. Reload the page.")
        raise GoneError(words, back=reverse("tournaments:join", args=[event.slug])) from None
    except RuleError as error:
        more = {"refused": error_message(error)}
        return _choice(request, event, actor, more, status=status_code(error))
    response = redirect("tournaments:join-claim", event.slug)
    _set_secret_cookie(request, response, event, secret)
    return mark_no_store(response)


def _choice(
    request: HttpRequest,
    event: Event,
    actor: Actor,
    more: Mapping[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    sought = request.GET.get("name", "")[:LONGEST]
    players = joinable_players(event)
    rows = [(entry, bool(sought.strip()) and name_matches(entry.name, sought)) for entry in players]
    reader = actor.entry_in(event)
    own = next((entry for entry in players if entry == reader), reader)  # told apart
    context = {
        "event": event,
        "actor": actor,
        "own": own,
        "sought": sought,
        "rows": rows,
        "found": any(called for _entry, called in rows),
        "namesake": sought if request.GET.get("from") == "register" else "",
        "registration": registration_state(event),
        **(more or {}),
    }
    return render_page(request, f"{PAGES}/join.html", context, status=status)


@require_safe
@handle_rule_errors
def claim_status_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the phone's code until staff answer, then redirect to the player's page."""
    event, actor = find_visible_event(request, slug)
    if event.state == Event.State.DRAFT:
        raise Http404
    secret = _read_secret_cookie(request, event)
    found = find_claim(event, secret) if secret else None
    if found is None:
        return redirect("tournaments:join", slug)
    polls = bool(getattr(request, "htmx", None))
    fetches = request.method == "GET" and not polls
    if fetches and (opened := fetch_link(event=event, secret=secret)):
        remember_link(request, event, opened[0].pk)
        return mark_no_store(redirect("tournaments:me", slug))
    state = request_state(event, found)
    if found.state == JoinClaim.State.FETCHED and actor.entry_in(event) is not None:
        return redirect("tournaments:me", slug)
    tag = version_tag(request, found.pk, state, found.state)
    if polls and (same := not_modified_response(request, tag)):
        return same
    attach_name_marks((found.entry,), load_name_marks(event))
    context = {"event": event, "actor": actor, "claim": found, "state": state, "tag": tag}
    context["fetched"] = found.state == JoinClaim.State.FETCHED
    shown = render_page(
        request, f"{PAGES}/claim.html", context, fragment=f"{PAGES}/_claim.html", tag=tag
    )
    return mark_no_store(shown)


@post_only
def refuse_own_phones(request: HttpRequest, slug: str) -> HttpResponse:
    """Refuse all phones that ask to sign in as the reader."""
    event, entry, actor = require_own_entry(request, slug)
    with suppress(JoinClaim.DoesNotExist):  # it has expired, or somebody else has answered
        refuse_request(entry=entry, by=actor)
    return redirect("tournaments:me", event.slug)


@require_safe
def redirect_short_join_url(request: HttpRequest, short: str) -> HttpResponse:
    """Redirect an event's short joining URL ("/j/ABCD") to the full one."""
    found = get_object_or_404(Event.objects.only("slug"), pk=event_id_from_code(short))
    event, _actor = find_visible_event(request, found.slug)
    return redirect("tournaments:join", event.slug)


def _read_secret_cookie(request: HttpRequest, event: Event) -> str:
    """Return the secret of this phone's request from its cookie, or ""."""
    salt = _cookie_path(event)
    return str(request.get_signed_cookie(COOKIE, default="", salt=salt, max_age=KEPT) or "")


def _set_secret_cookie(
    request: HttpRequest, response: HttpResponse, event: Event, secret: str
) -> None:
    """Store the secret of a phone's request in a cookie for the joining pages."""
    place = _cookie_path(event)
    response.set_signed_cookie(
        COOKIE,
        secret,
        salt=place,
        max_age=KEPT,
        path=place,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure(),
    )


def _cookie_path(event: Event) -> str:
    return reverse("tournaments:join", args=[event.slug])


urlpatterns = [
    path(f"{DESK}join/", pending_phones_page, name="desk-join"),
    path(f"{DESK}join/<int:number>/confirm/", confirm_phone, name="desk-join-confirm"),
    path(f"{DESK}join/<int:number>/refuse/", refuse_phone, name="desk-join-refuse"),
    re_path(r"^j/(?P<short>[A-Za-z]{4,8})/?$", redirect_short_join_url, name="join-short"),
    path(f"{EVENT}join/", join_page, name="join"),
    path(f"{EVENT}join/claim/", claim_status_page, name="join-claim"),
    path(f"{EVENT}me/join/refuse/", refuse_own_phones, name="my-join-refuse"),
]
