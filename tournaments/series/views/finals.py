"""Pages that make the next evening and the final of a series, and the prizes of one."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _

from config.shown_once import redirect_with_secret
from config.web import post_only, redirect_with_message
from config.wording import format_moment
from tournaments.core.formulas import available_formulas
from tournaments.core.permissions import can_create_events, can_manage
from tournaments.events.forms.formula_fields import grouped_formula_choices
from tournaments.models import Event
from tournaments.players.services.entries import make_links
from tournaments.repeats.selectors import event_local_time, next_event_proposal
from tournaments.series.access import SERIES, SeriesFormView, managed_series
from tournaments.series.finals import (
    USUAL_FORMULA,
    default_final_name,
    finalists,
    find_final,
    make_final,
    make_next_event,
    replace_finalist,
)
from tournaments.series.forms import FinalForm, SeriesPrizesForm
from tournaments.series.prizes import (
    mark_series_prize,
    series_prizes,
    series_winners,
    set_series_prizes,
)
from tournaments.series.selectors import load_series_table

USUAL_FIRST = 8


# --- The next evening -----------------------------------------------------------------------
@post_only
def create_next_event(request: HttpRequest, slug: str) -> HttpResponse:
    """Create the next event of a series, or find it, and redirect to it."""
    facts, actor = managed_series(request, slug)
    event, made = make_next_event(series=facts.series, by=actor)
    words = _("Saved: %(name)s") if made else _("The next event already exists: %(name)s.")
    name = f"{event.name}, {format_moment(event.begins, 'all')}"
    to = "manage-players" if can_manage(actor, event) else "event"
    return redirect_with_message(request, words % {"name": name}, f"tournaments:{to}", event.slug)


# --- The final ------------------------------------------------------------------------------
class Final(SeriesFormView):
    """View: create the final of a series; if there is one, show who was invited."""

    template_name, form_class = "tournaments/series/final.html", FinalForm
    tab = "series-events"

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add what the final has unless something else is typed. 404 without events."""
        if not self.facts.events:
            raise Http404
        latest = self.facts.events[-1]
        user = self.actor.user
        offered = available_formulas(user.pk if user else None)
        people = table.standings.rows if (table := load_series_table(self.facts)) else ()
        initial = {
            "first": max(min(USUAL_FIRST, len(people)), 2),
            "formula": USUAL_FORMULA,
            "name": default_final_name(self.series),
            "starts_at": event_local_time(next_event_proposal(latest).starts_at, latest),
            "version": self.series.version,
        }
        asked = {
            "zone": latest.zone,
            "formulas": grouped_formula_choices(offered),
            "initial": initial,
        }
        return super().get_form_kwargs() | asked

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the final and whom it invited."""
        member = find_final(self.series)
        final: Event | None = None if member is None else member.event
        found = {
            "final": final,
            "finalists": () if member is None else finalists(member),
            "may_make": can_create_events(self.actor) and self.series.closed_at is None,
            "runs_final": final is not None and can_manage(self.actor, final),
        }
        return super().get_context_data(**found | kwargs)

    def act(self, form: FinalForm) -> HttpResponse:
        """Make the final with personal links, which are shown once."""
        sent = dict(form.cleaned_data)
        event = make_final(
            series=self.series,
            first=sent.pop("first"),
            first_round_byes=sent.pop("first_round_byes"),
            version=sent.pop("version"),
            values=sent,
            by=self.actor,
        )
        secret = make_links(event=event, by=self.actor)
        messages.success(self.request, _("Saved: %(name)s") % {"name": event.name})
        address = reverse("tournaments:manage-links", args=[event.slug])
        return redirect_with_secret(self.request, address, secret)


@post_only
def replace_declined(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Replace a player who declines the final with the next person in the standings."""
    facts, actor = managed_series(request, slug)
    member = find_final(facts.series)
    if member is None:
        raise Http404
    entry = replace_finalist(series=facts.series, event=member.event, number=number, by=actor)
    words = _("Saved: %(name)s") % {"name": entry.display_name}
    return redirect_with_message(request, words, "tournaments:series-final", slug)


# --- Prizes ---------------------------------------------------------------------------------
class Prizes(SeriesFormView):
    """View: edit the prizes of a series, and show the winners once it is closed."""

    template_name, form_class = "tournaments/series/prizes.html", SeriesPrizesForm
    tab = "series-events"

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the present table, and the version that the page shows."""
        asked = {"table": series_prizes(self.series), "initial": {"seen": self.series.version}}
        return super().get_form_kwargs() | asked

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the winners."""
        winners = series_winners(self.series, load_series_table(self.facts))
        handed = sum(row.given for row in winners)
        return super().get_context_data(winners=winners, handed=handed, **kwargs)

    def act(self, form: SeriesPrizesForm) -> HttpResponse:
        """Store the table."""
        seen = form.cleaned_data["seen"]
        version = int(seen) if seen.isascii() and seen.isdigit() else -1
        prizes = form.table.as_json() if form.table else {}
        set_series_prizes(series=self.series, prizes=prizes, version=version, by=self.actor)
        return redirect_with_message(
            self.request, _("Saved."), "tournaments:series-prizes", self.series.slug
        )


@post_only
def hand_out(request: HttpRequest, slug: str, person: int) -> HttpResponse:
    """Record whether a person's prizes were handed out (POST ``given``)."""
    facts, actor = managed_series(request, slug)
    given = request.POST.get("given") == "1"
    mark_series_prize(series=facts.series, person=person, given=given, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:series-prizes", slug)


urlpatterns = [
    path(f"{SERIES}next/", create_next_event, name="series-next"),
    path(f"{SERIES}final/", Final.as_view(), name="series-final"),
    path(f"{SERIES}final/<int:number>/", replace_declined, name="series-replace"),
    path(f"{SERIES}prizes/", Prizes.as_view(), name="series-prizes"),
    path(f"{SERIES}prizes/<int:person>/", hand_out, name="series-prize"),
]
