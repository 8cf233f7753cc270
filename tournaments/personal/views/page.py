"""A player's page, check-in and withdrawal."""

from functools import cached_property
from hashlib import sha256

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from config.addresses import absolute_url
from config.offline import kept_offline
from config.web import RuleErrors, posted
from rules.events.own_page import PlayerState
from tournaments.arrivals.photos import code_of
from tournaments.core.event_state import announcements_in
from tournaments.core.facts_cache import read_facts
from tournaments.core.names import tell_apart
from tournaments.decklists.selectors.versions import own_window
from tournaments.models import Entry, Event, PersonalLink
from tournaments.pages.views import qr_code, with_clock
from tournaments.personal.selectors.ended import next_event
from tournaments.personal.selectors.marks import page_digest
from tournaments.personal.selectors.player import link_by_organiser, player_page
from tournaments.personal.selectors.rounds import decided_at
from tournaments.personal.selectors.state import before_start, leaving_words, state_of
from tournaments.players.services.departures import (
    ask_to_return,
    drop_after_round,
    is_playing,
    withdraw,
)
from tournaments.players.services.entries import check_in
from tournaments.players.views.access import player_of

PAGES = "tournaments/personal"
AT_DOOR = (PlayerState.EARLY, PlayerState.ARRIVING)


@kept_offline
@require_safe
def me(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a player's match, report form and standing."""
    event, entry, _actor = player_of(request, slug)
    shown = _OwnPage(event, entry)
    body = shown.body(request)
    context = {"event": event, "entry": entry, "body": body, "tag": shown.tag, "link": shown.link}
    response = render(request, f"{PAGES}/me.html", context)
    response["Cache-Control"] = "private, no-cache"
    return response


@require_safe
def me_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer the polling page: 304 while nothing of what the player sees has changed."""
    event, entry, _actor = player_of(request, slug)
    shown = _OwnPage(event, entry)
    response: HttpResponse
    if shown.is_held(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    else:
        context = {"event": event, "body": shown.body(request), "link": shown.link}
        response = render(request, f"{PAGES}/_body.html", context)
    response["ETag"] = shown.tag
    response["Cache-Control"] = "private, no-cache"
    return with_clock(response, shown.facts)


@posted
def check_in_me(request: HttpRequest, slug: str) -> HttpResponse:
    event, entry, actor = player_of(request, slug)
    check_in(entry=entry, by=actor)
    return redirect("tournaments:me", event.slug)


@posted
def ask_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the staff to be taken back, after leaving."""
    event, entry, actor = player_of(request, slug)
    ask_to_return(entry=entry, by=actor)
    return redirect("tournaments:me", event.slug)


class Drop(RuleErrors):
    """Withdraw from the event after a confirmation page."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show the confirmation page."""
        event, entry, _actor = player_of(request, slug)
        facts = read_facts(event)
        state = state_of(facts, entry)
        costs = leaving_words(facts, entry.number, state)
        context = {"event": event, "entry": entry, "state": state, "costs": costs}
        context["playing"] = is_playing(entry)
        return render(request, f"{PAGES}/drop.html", context)

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Withdraw the player, now or after the round."""
        event, entry, actor = player_of(request, slug)
        if request.POST.get("when") == "later":
            drop_after_round(entry=entry, by=actor)
        else:
            withdraw(entry=entry, by=actor)
        return redirect("tournaments:me", event.slug)


class _OwnPage:
    """A player's page as it is now.

    Its ETag has two parts: a version that changes with every act in the event, by which an
    unchanged event is recognised without loading it, and the digest of what the player sees.
    """

    def __init__(self, event: Event, entry: Entry) -> None:
        self.event, self.entry = event, entry
        self.facts = read_facts(event)
        tell_apart([entry], {row.number: row.mark for row in self.facts.rows.entries})
        self.announced = announcements_in(self.facts)
        self.window = own_window(event, entry)
        self.asked = entry.asked and event.takes_phones
        moment = (event.version, event.head, entry.pk, get_language())
        opened = (
            self.window.open,
            self.window.draft,
            before_start(event, entry),
            decided_at(self.facts),
            self.asked,
        )
        state = repr((*moment, *opened, *(each.pk for each in self.announced)))
        self.version = sha256(state.encode()).hexdigest()[:12]
        self.known = ""  # the digest in a reader's ETag that has the present version

    @cached_property
    def digest(self) -> str:
        if self.known:
            return self.known
        shown = page_digest(self.facts, self.entry, self.window, self.announced)
        return sha256(repr((shown, self.asked)).encode()).hexdigest()[:20]

    @property
    def tag(self) -> str:
        """Return the ETag of the page for this reader."""
        return f'W/"{self.version}.{self.digest}"'

    def is_held(self, tag: str) -> bool:
        """Return whether an ETag is that of the page as it is now."""
        version, _dot, digest = tag.removeprefix('W/"').removesuffix('"').partition(".")
        if version == self.version:
            self.known = digest
        return bool(digest) and digest == self.digest

    @property
    def link(self) -> PersonalLink | None:
        """Return the player's latest link if an organiser made or revoked it."""
        return link_by_organiser(self.facts, self.entry)

    def body(self, request: HttpRequest) -> dict[str, str]:
        """Return the fragment that the page polls, ``html``, and the current match's ``title``."""
        shown = player_page(self.facts, self.entry)
        context = {
            "me": shown,
            "event": self.event,
            "window": self.window,
            "announcements": self.announced,
            "asked": self.asked,
            "coming": None if shown.state.plays else next_event(self.event),
            "arrival": _door_code(request, self.entry) if shown.state.state in AT_DOOR else "",
        }
        html = render_to_string(f"{PAGES}/_now.html", context, request)
        return {"html": html, "title": shown.current.title if shown.current and shown.shown else ""}


def _door_code(request: HttpRequest, entry: Entry) -> SafeString:
    """Return the code that the staff scans at the door; it only checks in."""
    path = reverse("tournaments:arrive", args=[entry.event.slug, code_of(entry)])
    return qr_code(absolute_url(request, path))


urlpatterns = [
    path("events/<slug:slug>/me/", me, name="me"),
    path("events/<slug:slug>/me/now/", me_now, name="me-now"),
    path("events/<slug:slug>/me/check-in/", check_in_me, name="my-check-in"),
    path("events/<slug:slug>/me/return/", ask_back, name="my-return"),
    path("events/<slug:slug>/me/drop/", Drop.as_view(), name="my-drop"),
]
