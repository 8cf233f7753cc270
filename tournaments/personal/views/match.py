"""What players do at their match: report the result in two steps, confirm one, call a judge.

What became of it is said by the state of their page alone, which changes with what others do: no
sentence is added that would stay there.
"""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views import View

from config.api import status_of
from config.web import posted
from config.wording import explain
from rules.errors import RuleError
from tournaments.core.facts_cache import read_facts
from tournaments.judging.forms import CallForm
from tournaments.judging.services.calls import call_judge
from tournaments.matches.words import game_winners, result_sentence
from tournaments.pages.acting import checked
from tournaments.personal.selectors.own_matches import MyMatch, my_match
from tournaments.players.views.access import no_match, player_of, stored_match
from tournaments.results.forms.player import ReportForm
from tournaments.results.services.reports import confirm_result, report_result

PAGES = "tournaments/results"


class Report(View):
    """Report a result: choose, read the sentence, send.

    The first of the two steps of one form stores nothing. Both work without JavaScript.
    """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Find the player's own match; raises Http404 for any other."""
        self.event, self.entry, self.actor = player_of(request, kwargs["slug"])
        found = my_match(read_facts(self.event), self.entry, kwargs["match_id"])
        if found is None or found.is_bye:
            raise no_match(self.event)
        self.found: MyMatch = found
        return super().dispatch(request, *args, **kwargs)  # type: ignore[return-value]

    def get(self, request: HttpRequest, **_kwargs: Any) -> HttpResponse:
        """Show the results to choose from; with ``more`` every field."""
        return self._page(self._form(), more="more" in request.GET)

    def post(self, request: HttpRequest, **_kwargs: Any) -> HttpResponse:
        """Show the result as a sentence; store it if ``sure`` was sent, else ask to confirm."""
        if "change" in request.POST or "another" in request.POST:
            again = self._form(initial=request.POST, another="another" in request.POST)
            return self._page(again, more=True)
        form = self._form(request.POST)
        if not form.is_valid():
            return self._page(form, HTTPStatus.BAD_REQUEST, more=True)
        if "sure" not in request.POST:
            return self._ask_to_confirm(form)
        try:
            stored = stored_match(self.event, self.found.match.pk)
            report_result(match=stored, claim=form.claim, by=self.actor)
        except RuleError as refused:
            form.add_error(None, explain(refused))
            return self._page(form, status_of(refused), more=True)
        return redirect("tournaments:me", self.event.slug)

    def _form(self, *args: Any, **kwargs: Any) -> ReportForm:
        found = self.found
        opponent = found.opponent.display_name if found.opponent else ""
        return ReportForm(*args, rules=found.rules, side=found.side, opponent=opponent, **kwargs)

    def _ask_to_confirm(self, form: ReportForm) -> HttpResponse:
        names = self.found.names
        context = {"event": self.event, "entry": self.entry, "mine": self.found, "form": form}
        context |= {"sentence": result_sentence(form.outcome, *names)}
        context |= {"games": game_winners(form.outcome, *names)}
        return render(self.request, f"{PAGES}/report_sure.html", context)

    def _page(self, form: ReportForm, status: int = HTTPStatus.OK, *, more: bool) -> HttpResponse:
        context = {"event": self.event, "entry": self.entry, "mine": self.found, "form": form}
        context["more"] = more
        return render(self.request, f"{PAGES}/report.html", context, status=status)


@posted
def confirm(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Confirm the opponent's report, also in a dispute."""
    event, entry, actor = player_of(request, slug)
    found = my_match(read_facts(event), entry, match_id)
    if found is None:
        raise no_match(event)
    version = request.POST.get("version", "")
    number = int(version) if version.isdecimal() and len(version) < 9 else -1
    confirm_result(match=stored_match(event, match_id), version=number, by=actor)
    return redirect("tournaments:me", event.slug)


@posted
def call(request: HttpRequest, slug: str, match_id: int) -> HttpResponse:
    """Call a judge to the player's own table."""
    event, entry, actor = player_of(request, slug)
    found = my_match(read_facts(event), entry, match_id)
    if found is None or found.is_bye:
        raise no_match(event)
    values = checked(CallForm(request.POST)).cleaned_data
    call_judge(match=stored_match(event, match_id), entry=entry, reason=values["reason"], by=actor)
    return redirect("tournaments:me", event.slug)


MY_MATCH = "events/<slug:slug>/me/matches/<int:match_id>/"

urlpatterns = [
    path(f"{MY_MATCH}report/", Report.as_view(), name="my-report"),
    path(f"{MY_MATCH}confirm/", confirm, name="my-confirm"),
    path(f"{MY_MATCH}call/", call, name="my-call"),
]
