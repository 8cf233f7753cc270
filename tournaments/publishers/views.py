"""Pages where pairings are pasted, and where results are read to type them elsewhere."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from config.web import render_page
from config.wording import error_message
from rules.drafts.given import (
    MOST_SIGNS,
    ListedPlayer,
    PairingFault,
    PastedRound,
    correct_name,
    read_pairings,
)
from rules.errors import BadInput
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_run_rounds, desk_rights
from tournaments.models import Round
from tournaments.pages.access import DESK, ROUND, OrganiserFormView, find_staff_event
from tournaments.plan_changes.services import draft_pasted_round
from tournaments.publishers.selectors import PROGRAMS, listed_players, round_report


class PairingsForm(forms.Form):
    """Form for pasted pairings; ``found`` is the parsed round, ``faults`` the wrong lines."""

    text = forms.CharField(
        label=_("Pairings"),
        max_length=MOST_SIGNS,
        strip=False,
        widget=forms.Textarea(
            attrs={
                "rows": 12,
                "wrap": "off",
                "spellcheck": "false",
                "autocomplete": "off",
                "placeholder": "1  Anna Rossi  Luca Bianchi\n2  Marco Neri  BYE",
            }
        ),
    )
    expected_round = forms.IntegerField(min_value=1, max_value=9_999, widget=forms.HiddenInput)

    found: PastedRound | None = None

    def __init__(
        self, *args: Any, players: Sequence[ListedPlayer], sizes: Sequence[int], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.players, self.sizes = players, sizes

    @property
    def faults(self) -> tuple[PairingFault, ...]:
        """Return what is wrong with the list, by line."""
        return self.found.faults if self.found else ()

    def clean_text(self) -> str:
        """Read the list. Raises ValidationError for one that is none; faults are the view's."""
        text: str = self.cleaned_data["text"]
        try:
            self.found = read_pairings(text, self.players, sizes=self.sizes)
        except BadInput as refused:
            raise forms.ValidationError(error_message(refused)) from None
        return text


ACCEPT = "accept"
"""The button of a similar name: its line, the name there and the right one, parted by tabs."""


class PastePairings(OrganiserFormView):
    """Page to draft the next Swiss round from pasted pairings; it shows wrong lines."""

    template_name, form_class = "tournaments/publishers/paste.html", PairingsForm
    beside = {"invalid_pairings": "text"}
    may = staticmethod(can_run_rounds)

    def prepare(self) -> HttpResponse | None:
        """Find the stage; go to the desk unless Swiss rounds are played, to a draft's own page."""
        self.facts = read_facts(self.event, for_staff=True)
        stage = self.facts.open_stage
        if stage is None or not stage.kind.pairs_by_points or stage.extra_rounds:
            return redirect("tournaments:desk", self.event.slug)
        self.stage, last = stage, stage.last_round
        if last is not None and last.state == Round.State.DRAFT and self.request.method != "POST":
            return redirect("tournaments:desk-round", self.event.slug, last.ordinal)
        return None

    def get_initial(self) -> dict[str, Any]:
        """Return the round that comes next."""
        return {"expected_round": self.facts.last_ordinal + 1}

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add who may be named, and how many sit at a table; a similar name that was accepted."""
        kwargs = super().get_form_kwargs()
        if self.request.method == "POST" and ACCEPT in self.request.POST:
            line, _tab, names = self.request.POST[ACCEPT][:1_000].partition("\t")
            name, _tab, right = names.partition("\t")
            number = int(line) if line.isascii() and line.isdecimal() and len(line) < 6 else 0
            kwargs["data"] = kwargs["data"].copy()
            kwargs["data"]["text"] = correct_name(
                kwargs["data"].get("text", ""), number, name, right
            )
        sizes = self.stage.kind.sizes_of(self.stage.plan)
        return kwargs | {"players": listed_players(self.facts, self.stage), "sizes": sizes}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the round, and whether it is one more than the plan has."""
        values = {
            "ordinal": self.facts.last_ordinal + 1,
            "beyond": self.stage.rounds_done,
        }
        return super().get_context_data(**values | kwargs)

    def act(self, form: PairingsForm) -> HttpResponse:
        """Draft the round and show the draft; of a list with faults show these."""
        if form.faults:
            context = self.get_context_data(form=form)
            return self.render_to_response(context, status=HTTPStatus.BAD_REQUEST)
        item = draft_pasted_round(
            event=self.event,
            expected_round=form.cleaned_data["expected_round"],
            given=form.found.tables if form.found else (),
            by=self.actor,
        )
        return redirect("tournaments:desk-round", self.event.slug, item.ordinal)


@require_safe
def report_page(request: HttpRequest, slug: str, ordinal: int, program: str) -> HttpResponse:
    """Page with a round's results by table, to be typed into a publisher's program.

    program: key of ``PROGRAMS``; 404 if unknown.
    """
    event, actor = find_staff_event(request, slug)
    facts, rights = read_facts(event, for_staff=True), desk_rights(actor, event)
    stage, item = facts.round_at(ordinal) or (None, None)
    if stage is None or item is None or item.state == Round.State.DRAFT or program not in PROGRAMS:
        raise Http404
    found = round_report(facts, stage, item, program, private=rights.manage)
    context = {"event": event, "actor": actor, "rights": rights, "report": found}
    return render_page(request, "tournaments/publishers/report.html", context)


urlpatterns = [
    path(f"{DESK}pairings/", PastePairings.as_view(), name="desk-pairings"),
    path(f"{ROUND}report/<slug:program>/", report_page, name="round-report"),
]
