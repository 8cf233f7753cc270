"""A site whose events cost a reader without account most, and every address that they may ask for.

Three events are made by the services, one in each state that everybody sees; the others are whole
copies of their rows, two in each time zone, as far apart as dates may be, with long texts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from zoneinfo import available_timezones

from django.apps import apps
from django.core.cache import cache
from django.db import connection, models, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from tests import factories as make
from tests.around import Around
from tests.crawling import refusing
from tests.event_addresses import EVENT_PAGES
from tests.large_site import copy_rows
from tests.site_addresses import API_OF_AN_EVENT, PARTS, SITE_PAGES
from tournaments.core import facts_cache
from tournaments.models import Entry, Event, Match
from tournaments.public.selectors import calendar

KEY = "bcdfghjkmnpq"
APART = 1_000_000
"""How far the keys of a copy lie from those of the copy before."""
COPIED = (
    *("Event", "Entry", "Stage", "Group", "Seat", "Round", "RoundClock", "Match", "MatchSeat"),
    *("Report", "Draw"),
)
OF_SITE = (
    *("/?page=2", "/?page=9999", "/?going=2", "/?q=o", "/?place=a", "/?month=2100-07"),
    *("/?game=doomtrooper", "/api/v1/events/?page=2", "/api/v1/events/?search=o"),
    *("/api/v1/events/?status=finished", "/api/v1/events/?status=running"),
    *(f"/people/{KEY}/", f"/people/{KEY}/?page=2"),
)


class Sized(Around):
    """An event with everybody around it, of a number of players."""

    players = 16

    def made(self, state: str) -> Event:
        """Return an event in a state."""
        formula = "single-group" if self.players < 8 else "swiss-cut"
        about = {"formula": formula, "about": "parola " * 700}
        if state == "registration":
            event = make.open_event(self.by, **about)
            make.players(event, self.players, self.by)
            return event
        if state == "finished":
            return make.played(self.by, self.players, **about)
        event = make.halfway(self.by, self.players, rounds=1, **about)
        make.next_round(event, self.by)
        return Event.objects.get(pk=event.pk)

    def call(self, match: Match) -> None:
        """Call nobody: the first match is over."""


@dataclass(frozen=True, slots=True)
class CostlySite:
    """The events that were made, by state, with everybody around them."""

    around: tuple[Around, ...]


def costly_site(events: int, players: int = 16) -> CostlySite:
    """Write ``events`` events of so many players."""
    Sized.players = players
    around = tuple(map(Sized, ("registration", "running", "finished")))
    person = User.objects.create_user("person@example.org", None, person_key=KEY)
    firsts = Entry.objects.filter(number=1, event__in=[each.event.pk for each in around])
    firsts.update(user=person)
    amount = events // Event.objects.count() - 1
    with transaction.atomic():  # rows refer to each other both ways
        for name in COPIED:
            _copies(apps.get_model("tournaments", name), amount)
    _spread()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    return CostlySite(around=around)


def _copies(model: type[models.Model], amount: int) -> None:
    """Copy every row of a model; a copy refers to the rows of its own copy."""
    other = {"id": f"id + n * {APART}"}
    for field in model._meta.local_concrete_fields:
        to = field.related_model
        if to is not None and getattr(to, "__name__", "") in COPIED:
            other[field.column] = f"{connection.ops.quote_name(field.column)} + n * {APART}"
    if model is Event:
        other |= {"slug": "slug || '-copy-' || n", "name": "name || ' ' || n"}
    copy_rows(model, f"id < {APART}", amount, **other)


def _spread() -> None:
    """Give each two events a zone of their own, at either end of the years that are left."""
    named = cycle(sorted(available_timezones()))
    now = timezone.now()
    ends = cycle((now.replace(day=1), now.replace(day=1, year=2100)))
    events = list(Event.objects.order_by("pk"))
    zone = ""
    for number, event in enumerate(events):
        zone = zone if number % 2 else next(named)
        event.time_zone, event.starts_at = zone, next(ends)
    Event.objects.bulk_update(events, ["time_zone", "starts_at"], batch_size=200)


def addresses(site: CostlySite) -> Iterator[str]:
    """Yield every address that a reader without account may ask for."""
    for name, ((anonymous, _signed_in), _sent) in SITE_PAGES.items():
        if anonymous == 200:
            yield reverse(name, args=PARTS.get(name))
    yield from OF_SITE
    for around in site.around:
        for name, (reads, _sends) in EVENT_PAGES.items():
            if "anonymous" in reads and f"tournaments:{name}" not in refusing("GET"):
                yield around.address(name)
        for name, parts in API_OF_AN_EVENT.items():
            if f"tournaments_api:{name}" not in refusing("GET"):
                yield reverse(f"tournaments_api:{name}", args=[around.event.slug, *parts])


def forget() -> None:
    """Forget what a process keeps: the next request is as the first."""
    cache.clear()
    calendar.zone_definition.cache_clear()
    facts_cache.cached_facts.forget()
