"""A player's page, check-in and withdrawal, and reports of a match."""

from functools import cached_property
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views import View
from django.views.decorators.http import require_safe

from config.addresses import absolute_url
from config.api import status_code
from config.offline import keep_offline
from config.web import RuleErrorMixin, post_only, wants_json
from config.wording import add_rule_error
from rules.errors import RuleError
from rules.events.own_page import PlayerState
from rules.results import MatchEnding
from tournaments.arrivals.photos import check_in_code
from tournaments.core.facts_cache import read_facts
from tournaments.core.names import attach_name_marks
from tournaments.core.permissions import Actor
from tournaments.core.visibility import visible_announcements
from tournaments.decklists.selectors.versions import deck_window_with_draft
from tournaments.judging.services import call_judge
from tournaments.judging.views import CallForm
from tournaments.matches.words import game_winners_text, result_sentence
from tournaments.models import Entry, Event, PersonalLink
from tournaments.pages.views import add_clock_header, qr_code, repeatable_post, require_valid_form
from tournaments.personal.selectors.ended import next_event
from tournaments.personal.selectors.own_matches import OwnMatch, own_match
from tournaments.personal.selectors.player import link_by_organiser, page_digest, player_page
from tournaments.personal.selectors.rounds import expected_decision_time
from tournaments.personal.selectors.state import (
    current_page_state,
    drop_consequences,
    state_before_start,
)
from tournaments.players.services.departures import (
    drop_after_round,
    has_undecided_match,
    request_rejoin,
    withdraw,
)
from tournaments.players.services.entries import check_in
from tournaments.players.views.access import match_gone_error, require_match, require_own_entry
from tournaments.results.forms.player import ReportForm
from tournaments.results.forms.table_desk import TableReportForm
from tournaments.results.services.reports import confirm_result, dispute_result, report_result

PAGES = "tournaments/personal"
AT_DOOR = (PlayerState.EARLY, PlayerState.ARRIVING)


@keep_offline
@require_safe
def me(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a player's own page: current match, report form and standing."""
    event, entry, _actor = require_own_entry(request, slug)
    shown = _OwnPage(event, entry)
    body = shown.body(request)
    context = {"event": event, "entry": entry, "body": body, "tag": shown.tag, "link": shown.link}
    response = render(request, f"{PAGES}/me.html", context)
    response["Cache-Control"] = "private, no-cache"
    return response


@require_safe
def own_page_update(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer a player's page that polls: 304 if nothing on it has changed."""
    event, entry, _actor = require_own_entry(request, slug)
    shown = _OwnPage(event, entry)
    response: HttpResponse
    if shown.is_held(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    else:
        context = {"event": event, "body": shown.body(request), "link": shown.link}
        response = render(request, f"{PAGES}/_body.html", context)
    response["ETag"] = shown.tag
    response["Cache-Control"] = "private, no-cache"
    return add_clock_header(response, shown.facts)


@post_only
def check_in_self(request: HttpRequest, slug: str) -> HttpResponse:
    """Check in the player who sends the request."""
    event, entry, actor = require_own_entry(request, slug)
    check_in(entry=entry, by=actor)
    return redirect("tournaments:me", event.slug)


@post_only
def ask_to_rejoin(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the staff for permission to rejoin, after dropping."""
    event, entry, actor = require_own_entry(request, slug)
    request_rejoin(entry=entry, by=actor)
    return redirect("tournaments:me", event.slug)


class Drop(RuleErrorMixin):
    """View: drop from the event, after a confirmation page."""

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show the confirmation page."""
        event, entry, _actor = require_own_entry(request, slug)
        facts = read_facts(event)
        state = current_page_state(facts, entry)
        costs = drop_consequences(facts, entry.number, state)
        context = {"event": event, "entry": entry, "state": state, "costs": costs}
        context["playing"] = has_undecided_match(entry)
        return render(request, f"{PAGES}/drop.html", context)

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Withdraw the player, now or after the round."""
        event, entry, actor = require_own_entry(request, slug)
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
        attach_name_marks([entry], {row.number: row.mark for row in self.facts.rows.entries})
        self.announced = visible_announcements(self.facts)
        self.window = deck_window_with_draft(event, entry)
        self.asked = entry.asked and event.takes_phones
        moment = (event.version, event.head, entry.pk, get_language())
        opened = (
            self.window.open,
            self.window.draft,
            state_before_start(event, entry),
            expected_decision_time(self.facts),
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
    path = reverse("tournaments:arrive", args=[entry.event.slug, check_in_code(entry)])
    return qr_code(absolute_url(request, path))


REPORTS = "tournaments/results"
LONGEST_VERSION = 9


class Report(View):
    """View: report a result of the player's own match.

    A page asks to confirm it first unless the button states the whole result. Requests by scripts
    are answered in JSON.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Find the player's own match; raises Http404 for any other."""
        self.event, self.entry, self.actor = _sender(request, kwargs["slug"])
        found = own_match(read_facts(self.event), self.entry, kwargs["match_id"])
        if found is None or found.is_bye:
            raise match_gone_error(self.event)
        self.found: OwnMatch = found
        return super().dispatch(request, *args, **kwargs)  # type: ignore[return-value]

    def get(self, request: HttpRequest, **_kwargs: Any) -> HttpResponse:
        """Show the results to choose from, points as reported last; with ``more`` every field."""
        points = dict(zip(("own", "other"), self.found.points or (), strict=False))
        return self._page(self._form(initial=points), more="more" in request.GET)

    def post(self, request: HttpRequest, **_kwargs: Any) -> HttpResponse:
        """Store the result if the button has said it (``_is_said``), else ask to confirm."""
        if "change" in request.POST or "another" in request.POST:
            again = self._form(initial=request.POST, another="another" in request.POST)
            return self._page(again, more=True)
        form = self._form(request.POST)
        if wants_json(request):
            require_valid_form(form)
        if not form.is_valid():
            return self._page(form, HTTPStatus.BAD_REQUEST, more=True)
        if not _is_said(request):
            return self._ask_to_confirm(form)
        try:
            stored = require_match(self.event, self.found.match.pk)
            shown = _version(request)
            report_result(match=stored, claim=form.claim, shown=shown, by=self.actor)
        except RuleError as refused:
            if wants_json(request):
                raise
            add_rule_error(form, refused)
            return self._page(form, status_code(refused), more=True)
        return redirect("tournaments:me", self.event.slug)

    def _form(self, *args: Any, **kwargs: Any) -> ReportForm | TableReportForm:
        found = self.found
        if found.at_table:
            return TableReportForm(*args, rules=found.rules, seat=found.at_table.own.number)
        opponent = found.opponent.display_name if found.opponent else ""
        return ReportForm(*args, rules=found.rules, side=found.side, opponent=opponent, **kwargs)

    def _ask_to_confirm(self, form: ReportForm | TableReportForm) -> HttpResponse:
        names = self.found.names
        context = {"event": self.event, "entry": self.entry, "mine": self.found, "form": form}
        context |= {"sentence": result_sentence(form.outcome, *names)}
        context |= {
            "games": game_winners_text(form.outcome, *names),
            "version": _version(self.request),
        }
        return render(self.request, f"{REPORTS}/report_sure.html", context)

    def _page(
        self, form: ReportForm | TableReportForm, status: int = HTTPStatus.OK, *, more: bool
    ) -> HttpResponse:
        context = {"event": self.event, "entry": self.entry, "mine": self.found, "form": form}
        context["more"] = more
        return render(self.request, f"{REPORTS}/report.html", context, status=status)


def _sender(request: HttpRequest, slug: str) -> tuple[Event, Entry, Actor]:
    """Return (event, entry, actor); raises PermissionDenied if another player kept the form.

    On a phone of several players the session may be another one by the time that it is sent.
    """
    event, entry, actor = require_own_entry(request, slug)
    if request.POST.get("player", str(entry.number)) != str(entry.number):
        raise PermissionDenied
    return event, entry, actor


def _is_said(request: HttpRequest) -> bool:
    """Return whether the button that was pressed has said the whole result."""
    ended = request.POST.get("ended", "")
    return "sure" in request.POST or "preset" in request.POST or ended not in ("", MatchEnding.TIME)


def _version(request: HttpRequest) -> int | None:
    """Return the version of the match that the page showed, None if it did not say."""
    version = request.POST.get("version", "")
    return int(version) if version.isdecimal() and len(version) < LONGEST_VERSION else None


def _shown(request: HttpRequest) -> int:
    """Return the version that the page showed, one that no match has if it did not say."""
    version = _version(request)
    return -1 if version is None else version


@post_only
def confirm(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Confirm the reported result of the player's own match, also in a dispute."""
    event, entry, actor = require_own_entry(request, slug)
    if own_match(read_facts(event), entry, match_id) is None:
        raise match_gone_error(event)
    confirm_result(match=require_match(event, match_id), version=_shown(request), by=actor)
    return redirect("tournaments:me", event.slug)


@post_only
def contradict(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Contradict the reported result of the player's multiplayer table."""
    event, entry, actor = require_own_entry(request, slug)
    if own_match(read_facts(event), entry, match_id) is None:
        raise match_gone_error(event)
    dispute_result(match=require_match(event, match_id), version=_shown(request), by=actor)
    return redirect("tournaments:me", event.slug)


@post_only
@repeatable_post
def call(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Call a judge to the player's own table."""
    event, entry, actor = _sender(request, slug)
    found = own_match(read_facts(event), entry, match_id)
    if found is None or found.is_bye:
        raise match_gone_error(event)
    values = require_valid_form(CallForm(request.POST)).cleaned_data
    call_judge(match=require_match(event, match_id), entry=entry, reason=values["reason"], by=actor)
    return redirect("tournaments:me", event.slug)


MY_MATCH = "events/<slug:slug>/me/matches/<int:match_id>/"

urlpatterns = [
    path("events/<slug:slug>/me/", me, name="me"),
    path("events/<slug:slug>/me/now/", own_page_update, name="me-now"),
    path("events/<slug:slug>/me/check-in/", check_in_self, name="my-check-in"),
    path("events/<slug:slug>/me/return/", ask_to_rejoin, name="my-return"),
    path("events/<slug:slug>/me/drop/", Drop.as_view(), name="my-drop"),
    path(f"{MY_MATCH}report/", repeatable_post(Report.as_view()), name="my-report"),  # type: ignore[arg-type]
    path(f"{MY_MATCH}confirm/", confirm, name="my-confirm"),
    path(f"{MY_MATCH}contradict/", contradict, name="my-contradict"),
    path(f"{MY_MATCH}call/", call, name="my-call"),
]
