"""The pages of series: list, table, events, a person; settings, who is who, erasing, staff."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _

from config.web import RuleFormView, post_only, redirect_with_message, render_page
from tournaments.core.permissions import can_create_events, require_permission
from tournaments.erasing.views import ConfirmPage
from tournaments.events.selectors.events import A_PAGE
from tournaments.models import Event, SeriesStaff
from tournaments.pages.access import allow_series_caching, find_actor, public_read
from tournaments.pages.long_lists import PART_PARAMETERS, is_split_into_parts, parse_requested_part
from tournaments.pages.views import bad_request_error
from tournaments.public.selectors.listed import listed_rows
from tournaments.series.access import SERIES, SeriesFormView, managed_series, render_series_page
from tournaments.series.closing import close_series, find_changed_events, reopen_series
from tournaments.series.erasing import erase_in_series
from tournaments.series.forms import SamePersonForm, SeriesForm, SeriesRoleForm
from tournaments.series.people import Person, SeriesPeople, person_decisions
from tournaments.series.prizes import published_prizes
from tournaments.series.selectors import (
    SeriesFacts,
    SeriesTable,
    addable_events,
    can_manage_series,
    listed_series,
    load_adjustments,
    load_series_people,
    load_series_table,
    read_series,
)
from tournaments.series.services import (
    add_event,
    change_series,
    create_series,
    decide_different,
    decide_same,
    delete_series,
    give_series_role,
    remove_series_role,
    split_person,
)
from tournaments.series.shown_table import event_headers, person_rows, verdict_places

FIRST, MOST_FIRST = 8, 512
"""Among how many one wants to end, unless the address says another number."""


# --- What everybody reads -------------------------------------------------------------------
@public_read("page")
def series_list(request: HttpRequest) -> HttpResponse:
    """Show the series that the reader may see, their own first."""
    actor = find_actor(request)
    found, rows = listed_series(actor, request.GET.get("page", 1))
    context = {"rows": rows, "page_obj": found, "can_create": can_create_events(actor)}
    return render_page(request, "tournaments/series/list.html", context)


def _first(request: HttpRequest) -> int:
    sent = request.GET.get("first", "")
    number = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 4 else FIRST
    return number if 0 < number <= MOST_FIRST else FIRST


def _top(places: int) -> str:
    return _("Top %(places)s") % {"places": places}


def _query(first: int) -> str:
    return "" if first == FIRST else f"?first={first}"


def _own_key(request: HttpRequest, table: SeriesTable) -> int:
    """Return the key of the person whose account reads, 0 if they are not in the table."""
    user = request.user.pk
    people = table.people.by_key.values() if user else ()
    return next((one.key for one in people if user in {e.user_id for e in one.entries}), 0)


@public_read(*PART_PARAMETERS, "first")
def series(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of a series; redirect to its events if it has none."""
    actor = find_actor(request)
    facts = read_series(slug, actor)
    allow_series_caching(request, actor, ())
    table = load_series_table(facts)
    if table is None:
        return redirect("tournaments:series-events", slug)
    first, sent = _first(request), request.GET.get("first", "")
    rows, changed = person_rows(facts, table, first), find_changed_events(facts)
    return render_series_page(
        request,
        "series",
        facts,
        "series",
        heads=event_headers(table),
        rows=rows,
        bracketed=any(not cell.counts for row in rows for cell in row.results),
        wanted=parse_requested_part(request.GET, first=sent),
        long=is_split_into_parts(len(rows)),
        own=_own_key(request, table),
        top=_top(first),
        query=_query(first),
        tops=[
            (_top(places), _query(places) or "?", places == first)
            for places in verdict_places(facts, len(rows), first)
        ],
        prizes=published_prizes(facts, table),
        doubtful=len(table.people.doubtful) if facts.may_manage else 0,
        changed=[event for event in facts.events if event.slug in changed],
    )


@public_read("page", every_act=True)
def events(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the events of a series: running, upcoming, and finished with their winners."""
    actor, state = find_actor(request), Event.State
    facts = read_series(slug, actor)
    allow_series_caching(request, actor, facts.events)
    past = Paginator(facts.finished[::-1], A_PAGE)
    past_page = past.get_page(request.GET.get("page", 1))
    rows = listed_rows([*facts.running, *facts.to_come, *past_page])
    lists = {
        "running": [row for row in rows if row.card.event.state == state.RUNNING],
        "past": [row for row in rows if row.card.event.state == state.FINISHED],
    }
    over = (state.RUNNING, state.FINISHED)
    lists["coming"] = [row for row in rows if row.card.event.state not in over]
    choices = addable_events(facts, actor) if facts.may_manage else ()
    return render_series_page(
        request,
        "events",
        facts,
        "series-events",
        lists=lists,
        past_page=past_page,
        choices=choices,
        next_url=reverse("tournaments:series-next", args=[facts.series.slug])
        if facts.events
        else "",
    )


@public_read("first")
def player(request: HttpRequest, slug: str, person: int) -> HttpResponse:
    """Show a person's results in a series; ``person`` is the key of any of their entries."""
    actor = find_actor(request)
    facts = read_series(slug, actor)
    allow_series_caching(request, actor, ())
    table = load_series_table(facts)
    found = table.people.of_entry.get(person) if table else None
    if table is None or found is None:
        raise Http404
    first = _first(request)
    row = next((r for r in person_rows(facts, table, first) if r.person.key == found.key), None)
    if row is None:
        raise Http404
    return render_series_page(
        request,
        "player",
        facts,
        "",
        row=row,
        least_events=table.rule.least_events,
        top=_top(first),
    )


# --- Settings -------------------------------------------------------------------------------
@method_decorator(login_required, name="dispatch")
class NewSeries(RuleFormView):
    """View: create a series; for users who may create events."""

    template_name, form_class = "tournaments/series/new.html", SeriesForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Check that the reader may create events."""
        self.actor = find_actor(request)
        require_permission(can_create_events(self.actor))
        return super().dispatch(request, *args, **kwargs)

    def act(self, form: SeriesForm) -> HttpResponse:
        """Create the series and show its events."""
        made = create_series(values=form.values, by=self.actor)
        return redirect_with_message(
            self.request, _("Saved."), "tournaments:series-events", made.slug
        )


class Settings(SeriesFormView):
    """View: change the settings of a series."""

    template_name, form_class, tab = (
        "tournaments/series/settings.html",
        SeriesForm,
        "series-settings",
    )

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the series, its events, people, bonuses and penalties."""
        people = load_series_people(self.facts)
        return super().get_form_kwargs() | {
            "series": self.series,
            "events": self.facts.events,
            "people": people,
            "given": load_adjustments(self.series, people),
        }

    def act(self, form: SeriesForm) -> HttpResponse:
        """Store the settings."""
        version = form.cleaned_data["version"]
        change_series(series=self.series, values=form.values, version=version, by=self.actor)
        return redirect_with_message(
            self.request, _("Saved."), "tournaments:series", self.series.slug
        )


@post_only
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a series; its events remain."""
    facts, actor = managed_series(request, slug)
    name = facts.series.name
    delete_series(series=facts.series, by=actor)
    return redirect_with_message(
        request, _("Deleted: %(name)s") % {"name": name}, "tournaments:series-list"
    )


@post_only
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close a series."""
    actor = find_actor(request)
    close_series(series=read_series(slug, actor).series, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:series", slug)


@post_only
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    """Reopen a closed series."""
    actor = find_actor(request)
    reopen_series(series=read_series(slug, actor).series, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:series", slug)


# --- Events ---------------------------------------------------------------------------------
@post_only
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """Add an event to a series; the actor must organise both."""
    facts, actor = managed_series(request, slug)
    event = Event.objects.filter(slug=request.POST.get("event", "")).first()
    if event is None:
        raise bad_request_error()
    add_event(series=facts.series, event=event, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:series-events", slug)


@post_only
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove an event from a series; the event remains."""
    facts, actor = managed_series(request, slug)
    out = request.POST.get("event", "")
    left = [event.slug for event in facts.events if event.slug != out]
    change_series(series=facts.series, values={"events": left}, by=actor)
    return redirect_with_message(request, _("Removed."), "tournaments:series-events", slug)


# --- Who is who -----------------------------------------------------------------------------
class PeopleSettings(SeriesFormView):
    """View: decide which players of a series are the same person."""

    template_name, form_class, tab = (
        "tournaments/series/people.html",
        SamePersonForm,
        "series-people",
    )

    def get_form_kwargs(self) -> dict[str, Any]:
        """Add the people."""
        self.people = load_series_people(self.facts)
        return super().get_form_kwargs() | {"people": self.people}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add doubtful pairs and decisions."""
        context = super().get_context_data(**kwargs)
        return context | {
            "people": self.people,
            "events": {event.pk: event for event in self.facts.events},
            "doubtful": [{"people": pair[:2]} for pair in self.people.doubtful],
            "decided": person_decisions(self.series, self.people),
        }

    def act(self, form: Form) -> HttpResponse:
        """Decide that two people are one."""
        pair = [form.cleaned_data["one"], form.cleaned_data["other"]]
        players = _players(self.facts, pair)
        decide_same(series=self.series, players=players, by=self.actor)
        return redirect_with_message(
            self.request, _("Saved."), "tournaments:series-people", self.series.slug
        )


def _players(facts: SeriesFacts, people: list[Person]) -> list[tuple[str, int]]:
    """Return one player of each person, as (event, number)."""
    slugs = {event.pk: event.slug for event in facts.events}
    return [(slugs[one.entries[0].event_id], one.entries[0].number) for one in people]


def _chosen(request: HttpRequest, people: SeriesPeople) -> list[Person]:
    """Return the people whose keys were sent. Raises BadInput ``bad_request``."""
    keys = [key for key in request.POST.getlist("person") if key.isascii() and key.isdigit()]
    found = [people.of_entry.get(int(key[:12])) for key in keys]
    known = [one for one in found if one is not None]
    if not known:
        raise bad_request_error()
    return known


@post_only
def decide(request: HttpRequest, slug: str) -> HttpResponse:
    """Record that the chosen people are the same person, or that they are not."""
    facts, actor = managed_series(request, slug)
    players = _players(facts, _chosen(request, load_series_people(facts)))
    if request.POST.get("same") == "1":
        decide_same(series=facts.series, players=players, by=actor)
    else:
        decide_different(series=facts.series, players=players, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:series-people", slug)


@post_only
def merge_same_names(request: HttpRequest, slug: str) -> HttpResponse:
    """Let players with the same name count as the same person in a series."""
    facts, actor = managed_series(request, slug)
    change_series(series=facts.series, values={"names_are_people": True}, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:series-people", slug)


@post_only
def split(request: HttpRequest, slug: str, person: int) -> HttpResponse:
    """Split a person into different people again."""
    facts, actor = managed_series(request, slug)
    split_person(series=facts.series, person=person, by=actor)
    return redirect_with_message(request, _("Saved."), "tournaments:series-people", slug)


class ErasePerson(SeriesFormView, ConfirmPage):
    """View: erase a person from the events of a series that the reader organises."""

    template_name = "tournaments/series/erase.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Keep the key of the person."""
        self.key = kwargs["person"]
        return super().dispatch(request, *args, **kwargs)

    def wanted(self) -> str:
        """Return the person's name."""
        found = load_series_people(self.facts).of_entry.get(self.key)
        if found is None:
            raise Http404
        return found.name

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the person."""
        person = load_series_people(self.facts).of_entry.get(self.key)
        return super().get_context_data(person=person, **kwargs)

    def act(self, form: Form) -> HttpResponse:
        """Erase the person, and name the events of others."""
        typed = form.cleaned_data["confirm"]
        left = erase_in_series(series=self.series, key=self.key, confirm=typed, by=self.actor)
        messages.success(self.request, _("Erased."))
        if left:
            names = ", ".join(event.name for event in left)
            words = _("Not erased in %(events)s: ask their organisers.")
            messages.warning(self.request, words % {"events": names})
        return redirect("tournaments:series", self.series.slug)


# --- Staff ----------------------------------------------------------------------------------
class Staff(SeriesFormView):
    """View: show the staff of a series, and give a role by email address."""

    template_name, form_class = "tournaments/series/staff.html", SeriesRoleForm
    tab = "series-staff"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the roles, and the one that stays: that of the only organiser; one query."""
        roles = list(self.series.staff.select_related("user"))
        organisers = [one for one in roles if one.role == SeriesStaff.Role.ORGANISER]
        stays = organisers[0] if len(organisers) == 1 else None
        return super().get_context_data(roles=roles, stays=stays, **kwargs)

    def act(self, form: Form) -> HttpResponse:
        """Give the role."""
        give_series_role(series=self.series, **form.cleaned_data, by=self.actor)
        return redirect_with_message(
            self.request, _("Saved."), "tournaments:series-staff", self.series.slug
        )


@post_only
def remove_role(request: HttpRequest, slug: str, role_id: int) -> HttpResponse:
    """Remove a staff role of a series."""
    facts, actor = managed_series(request, slug)
    remove_series_role(series=facts.series, role_id=role_id, by=actor)
    to = "series-staff" if can_manage_series(actor, facts.series) else "series"
    return redirect_with_message(request, _("Removed."), f"tournaments:{to}", slug)


urlpatterns = [
    path("series/", series_list, name="series-list"),
    path("series/new/", NewSeries.as_view(), name="series-new"),
    path(SERIES, series, name="series"),
    path(f"{SERIES}events/", events, name="series-events"),
    path(f"{SERIES}events/add/", add, name="series-add"),
    path(f"{SERIES}events/remove/", remove, name="series-remove"),
    path(f"{SERIES}players/<int:person>/", player, name="series-player"),
    path(f"{SERIES}people/", PeopleSettings.as_view(), name="series-people"),
    path(f"{SERIES}people/decide/", decide, name="series-decide"),
    path(f"{SERIES}people/names/", merge_same_names, name="series-names"),
    path(f"{SERIES}people/<int:person>/part/", split, name="series-part"),
    path(f"{SERIES}people/<int:person>/erase/", ErasePerson.as_view(), name="series-erase"),
    path(f"{SERIES}staff/", Staff.as_view(), name="series-staff"),
    path(f"{SERIES}staff/<int:role_id>/take/", remove_role, name="series-staff-take"),
    path(f"{SERIES}settings/", Settings.as_view(), name="series-settings"),
    path(f"{SERIES}close/", close, name="series-close"),
    path(f"{SERIES}reopen/", reopen, name="series-reopen"),
    path(f"{SERIES}delete/", delete, name="series-delete"),
]
