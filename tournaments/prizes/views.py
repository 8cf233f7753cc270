"""The public page of the prizes; the organiser's table, ticks and CSV file."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.web import redirect_with_message
from rules.events.prizes import PLACE
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import read_facts
from tournaments.exports.api import csv_download_response, rows_to_csv
from tournaments.pages.access import EVENT, OrganiserFormView, find_organiser_event, public_read
from tournaments.pages.views import action_view, polling_page
from tournaments.prizes.forms import PrizesForm
from tournaments.prizes.selectors import (
    event_prize_table,
    format_cents,
    has_prizes,
    prize_budget,
    prize_table_rows,
    winner_rows,
)
from tournaments.prizes.services import mark_prize_handed_out, prizes_fingerprint, set_prizes


@public_read()
def prizes(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the prizes, and the winners once the event is finished; 404 unless published."""

    def show(facts: EventFacts) -> Mapping[str, Any]:
        if not has_prizes(facts.event):
            raise Http404
        table = event_prize_table(facts.event)
        return {
            "by_place": table.by == PLACE,
            "rows": prize_table_rows(table),
            "winners": winner_rows(facts),
        }

    return polling_page(request, slug, "tournaments/prizes/prizes.html", show)


class PrizesPage(OrganiserFormView):
    """Page to edit the table of prizes; for a finished event it has winners and sums too."""

    template_name, form_class = "tournaments/prizes/manage.html", PrizesForm

    def get_initial(self) -> dict[str, Any]:
        """Remember which table is shown."""
        return {"seen": prizes_fingerprint(self.event)}

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the present table."""
        return super().get_form_kwargs() | {"table": event_prize_table(self.event)}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add winners and sums."""
        facts, is_set = read_facts(self.event), bool(event_prize_table(self.event).rows)
        sums, winners = prize_budget(facts), winner_rows(facts)
        figures = (
            (_("Prizes"), sums.prizes if is_set else None),
            (_("Available"), sums.available),
            (_("Fees collected"), sums.fees),
            (_("Remaining"), sums.left if is_set else None),
        )
        return super().get_context_data(
            winners=winners,
            handed=sum(row.given for row in winners),
            figures=[(label, format_cents(cents)) for label, cents in figures if cents is not None],
            short=sums.left is not None and sums.left < 0,
            **kwargs,
        )

    def act(self, form: PrizesForm) -> HttpResponse:
        """Store the table."""
        seen = form.cleaned_data["seen"]
        table = form.table.as_json() if form.table else {}
        set_prizes(event=self.event, table=table, seen=seen, by=self.actor)
        return redirect_with_message(
            self.request, _("Saved."), "tournaments:manage-prizes", self.event.slug
        )


@action_view("tournaments:manage-prizes")
def hand_out_prize(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Record whether a prize was handed out (POST ``given`` = 1)."""
    event, actor = find_organiser_event(request, slug)
    given = request.POST.get("given") == "1"
    mark_prize_handed_out(event=event, number=number, given=given, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:manage-prizes", slug)


@require_safe
def prizes_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the winners and their prizes as CSV, for organisers."""
    event, _actor = find_organiser_event(request, slug)
    rows: list[Mapping[str, Any]] = [
        {
            "number": row.entry.number,
            "name": row.entry.display_name,
            "rank": row.rank,
            "record": row.record,
            "prize": row.prize,
            "value": row.value,
            "handed_out": row.given,
        }
        for row in winner_rows(read_facts(event))
    ]
    heads = ("number", "name", "rank", "record", "prize", "value", "handed_out")
    return csv_download_response(rows_to_csv(rows, heads), f"{event.slug}-prizes")


urlpatterns = [
    path(f"{EVENT}prizes/", prizes, name="prizes"),
    path(f"{EVENT}manage/prizes/", PrizesPage.as_view(), name="manage-prizes"),
    path(f"{EVENT}manage/prizes/<int:number>/", hand_out_prize, name="manage-prize"),
    path(f"{EVENT}manage/prizes/winners.csv", prizes_csv, name="prizes-csv"),
]
