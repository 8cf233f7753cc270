"""The list of series, and the events that may be added to one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef

from tournaments.core.permissions import Actor
from tournaments.models import Event, Series, SeriesEvent, SeriesStaff
from tournaments.repeats.selectors import managed_events
from tournaments.series.selectors import SeriesFacts, series_in_sight

A_PAGE, MOST_CHOICES = 24, 100


@dataclass(slots=True)
class ListedSeries:
    """A series in the list, with its public events; ``own``: the reader is of its staff."""

    series: Series
    own: bool
    events: list[Event] = field(default_factory=list)

    @property
    def shown(self) -> Event | None:
        """Return the next event that is not over, else the last one."""
        going = (one for one in self.events if one.state != Event.State.FINISHED)
        return next(going, self.events[-1] if self.events else None)


def listed_series(actor: Actor, page: str | int = 1) -> tuple[Page[Series], list[ListedSeries]]:
    """Return a page of the series that the actor may see, their own ones first; three queries."""
    own = SeriesStaff.objects.filter(series=OuterRef("pk"), user=actor.user)
    seen = series_in_sight(actor).annotate(own=Exists(own))
    found: Page[Any] = Paginator(seen.order_by("-own", "-created_at", "-pk"), A_PAGE).get_page(page)
    rows = {one.pk: ListedSeries(one, one.own) for one in found}
    members = SeriesEvent.objects.filter(series__in=rows).exclude(event__state=Event.State.DRAFT)
    for member in members.select_related("event").order_by("event__starts_at", "event"):
        rows[member.series_id].events.append(member.event)
    return found, [*rows.values()]


def addable_events(facts: SeriesFacts, actor: Actor) -> Sequence[Event]:
    """Return the events that the actor organises and that are not in the series; one query."""
    found = managed_events(actor).exclude(memberships__series=facts.series)
    return list(found.order_by("-starts_at", "-pk")[:MOST_CHOICES])


def series_of_event(event: Event) -> Mapping[str, str]:
    """Return the names of the series of an event by slug; one query."""
    found = SeriesEvent.objects.filter(event=event).order_by("series")
    return dict(found.values_list("series__slug", "series__name"))
