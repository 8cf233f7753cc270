"""A convention: two events that run, two in which players check in, and a draft."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.models import Event, Series
from tournaments.series.services import create_series


@dataclass(frozen=True)
class Convention:
    """Its series, and its events: ``alba`` and ``borea`` run, players of the others check in."""

    series: Series
    alba: Event
    borea: Event
    cena: Event
    duna: Event
    draft: Event

    @property
    def events(self) -> tuple[Event, ...]:
        """Return the events that everybody sees."""
        return self.alba, self.borea, self.cena, self.duna


def hold_convention(by: Actor, players: int = 6, slug: str = "fiera", **values: Any) -> Convention:
    """Begin a convention whose players bear the same names in all events: they are people.

    Events of twice as many ``players`` and of eight run; ``players`` are expected in one to come,
    three in the other.
    """
    shared = {"venue": "Palazzetto", "starts_at": timezone.now() + timedelta(seconds=1)} | values
    alba = make.playing(by, 2 * players, formula="swiss-cut", name="Alba", **shared)
    borea = make.playing(by, 8, formula="swiss-cut", name="Borea", **shared)
    cena = make.open_event(by, name="Cena", **shared)
    duna = make.open_event(by, name="Duna", **shared)
    make.players(cena, players, by)
    make.players(duna, 3, by)
    draft = make.event(by, name="Eclissi", **shared)
    events = [event.slug for event in (alba, borea, cena, duna, draft)]
    named = {"name": "Fiera", "slug": slug, "events": events, "names_are_people": True}
    series = create_series(values=named, by=by)
    return Convention(series, alba, borea, cena, duna, draft)
