"""What players do at their match: report the result, confirm one, call a judge.

What became of it is said by the state of their page alone, which changes with what others do: no
sentence is added that would stay there.
"""

from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views import View

from config.api import status_of
from config.web import posted, wants_json
from config.wording import add_refusal
from rules.errors import RuleError
from rules.results import EndedBy
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import Actor
from tournaments.judging.forms import CallForm
from tournaments.judging.services import call_judge
from tournaments.matches.words import game_winners, result_sentence
from tournaments.models import Entry, Event
from tournaments.pages.views import sent_once, valid_form
from tournaments.personal.selectors.own_matches import MyMatch, my_match
from tournaments.players.views.access import no_match, player_of, stored_match
from tournaments.results.forms.player import ReportForm
from tournaments.results.forms.table_desk import TableReportForm
from tournaments.results.services.reports import confirm_result, contradict_result, report_result

PAGES = "tournaments/results"
LONGEST_VERSION = 9


class Report(View):
    """Report a result: choose and send it.

    Where the button did not say the whole result, a page says it and asks once. Both work without
    JavaScript; a script gets JSON (``sent_once``).
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Find the player's own match; raises Http404 for any other."""
        self.event, self.entry, self.actor = _sender(request, kwargs["slug"])
        found = my_match(read_facts(self.event), self.entry, kwargs["match_id"])
        if found is None or found.is_bye:
            raise no_match(self.event)
        self.found: MyMatch = found
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
            valid_form(form)
        if not form.is_valid():
            return self._page(form, HTTPStatus.BAD_REQUEST, more=True)
        if not _is_said(request):
            return self._ask_to_confirm(form)
        try:
            stored = stored_match(self.event, self.found.match.pk)
            shown = _version(request)
            report_result(match=stored, claim=form.claim, shown=shown, by=self.actor)
        except RuleError as refused:
            if wants_json(request):
                raise
            add_refusal(form, refused)
            return self._page(form, status_of(refused), more=True)
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
        context |= {"games": game_winners(form.outcome, *names), "version": _version(self.request)}
        return render(self.request, f"{PAGES}/report_sure.html", context)

    def _page(
        self, form: ReportForm | TableReportForm, status: int = HTTPStatus.OK, *, more: bool
    ) -> HttpResponse:
        context = {"event": self.event, "entry": self.entry, "mine": self.found, "form": form}
        context["more"] = more
        return render(self.request, f"{PAGES}/report.html", context, status=status)


def _sender(request: HttpRequest, slug: str) -> tuple[Event, Entry, Actor]:
    """Return what ``player_of`` does; raises PermissionDenied if another player kept the form.

    On a phone of several players the session may be another one by the time that it is sent.
    """
    event, entry, actor = player_of(request, slug)
    if request.POST.get("player", str(entry.number)) != str(entry.number):
        raise PermissionDenied
    return event, entry, actor


def _is_said(request: HttpRequest) -> bool:
    """Return whether the button that was pressed has said the whole result."""
    ended = request.POST.get("ended", "")
    return "sure" in request.POST or "preset" in request.POST or ended not in ("", EndedBy.TIME)


def _version(request: HttpRequest) -> int | None:
    """Return the version of the match that the page showed, None if it did not say."""
    version = request.POST.get("version", "")
    return int(version) if version.isdecimal() and len(version) < LONGEST_VERSION else None


def _shown(request: HttpRequest) -> int:
    """Return the version that the page showed, one that no match has if it did not say."""
    version = _version(request)
    return -1 if version is None else version


@posted
def confirm(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Confirm the opponent's report, also in a dispute."""
    event, entry, actor = player_of(request, slug)
    if my_match(read_facts(event), entry, match_id) is None:
        raise no_match(event)
    confirm_result(match=stored_match(event, match_id), version=_shown(request), by=actor)
    return redirect("tournaments:me", event.slug)


@posted
def contradict(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Say that the reported result of the player's table is wrong: a judge decides."""
    event, entry, actor = player_of(request, slug)
    if my_match(read_facts(event), entry, match_id) is None:
        raise no_match(event)
    contradict_result(match=stored_match(event, match_id), version=_shown(request), by=actor)
    return redirect("tournaments:me", event.slug)


@posted
@sent_once
def call(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Call a judge to the player's own table."""
    event, entry, actor = _sender(request, slug)
    found = my_match(read_facts(event), entry, match_id)
    if found is None or found.is_bye:
        raise no_match(event)
    values = valid_form(CallForm(request.POST)).cleaned_data
    call_judge(match=stored_match(event, match_id), entry=entry, reason=values["reason"], by=actor)
    return redirect("tournaments:me", event.slug)


MY_MATCH = "events/<slug:slug>/me/matches/<int:match_id>/"

urlpatterns = [
    path(f"{MY_MATCH}report/", sent_once(Report.as_view()), name="my-report"),  # type: ignore[arg-type]
    path(f"{MY_MATCH}confirm/", confirm, name="my-confirm"),
    path(f"{MY_MATCH}contradict/", contradict, name="my-contradict"),
    path(f"{MY_MATCH}call/", call, name="my-call"),
]
