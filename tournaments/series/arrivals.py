"""The door of a day: the players of several events in one list, a row for each person."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Q
from django.utils import timezone

from tournaments.core.names import surname_sort_key
from tournaments.core.permissions import Actor, is_staff
from tournaments.models import Entry, Event
from tournaments.players.selectors.players import PlayerRow, players_table_context
from tournaments.series.selectors import SeriesFacts, load_series_people
from tournaments.series.today import COMING, events_today


def events_checking_in(facts: SeriesFacts, actor: Actor) -> list[Event]:
    """Return the unstarted events that begin today, or where players can check in.

    Only events of whose staff the actor is. At most one query for each.
    """
    now = timezone.now()
    today = {event.pk for event in events_today(facts.to_come)}
    found = (e for e in facts.to_come if e.pk in today or e.here_from <= now < e.starts_at)
    return [event for event in found if event.state in COMING and is_staff(actor, event)]


@dataclass(frozen=True, kw_only=True)
class Arrival:
    """A player of an event in a series' check-in list."""

    event: Event
    row: PlayerRow

    @property
    def key(self) -> str:
        """Return what names the player in a form: "slug:number"."""
        return f"{self.event.slug}:{self.row.entry.number}"

    @property
    def here(self) -> bool:
        """Return whether the player is checked in."""
        return self.row.entry.status == Entry.Status.CHECKED_IN

    @property
    def lacks_list(self) -> bool:
        """Return whether a required decklist is missing."""
        return self.row.deck == "missing" and self.event.decklists == Event.Decklists.REQUIRED


@dataclass(frozen=True, kw_only=True)
class ArrivingPerson:
    """A person in a series' check-in list, with one player for each event they play in."""

    players: tuple[Arrival, ...]

    @cached_property
    def entry(self) -> Entry:
        """Return the entry that bears their name."""
        return self.players[-1].row.entry

    @property
    def here(self) -> bool:
        """Return whether all of their players are checked in."""
        return all(one.here for one in self.players)

    @property
    def due(self) -> tuple[Arrival, ...]:
        """Return whom the row's button marks: all who are not here, else it takes all back."""
        return self.players if self.here else tuple(one for one in self.players if not one.here)


def arriving_people(facts: SeriesFacts, events: Sequence[Event]) -> list[ArrivingPerson]:
    """Return the people expected at these events, by surname.

    Three queries, and those of the player list for each event.
    """
    people = load_series_people(facts)
    found = defaultdict[int, list[Arrival]](list)
    for event in events:
        for row in players_table_context(event)["rows"]:
            person = people.of_entry.get(row.entry.pk)
            if row.entry.plays and person is not None:
                found[person.key].append(Arrival(event=event, row=row))
    rows = (ArrivingPerson(players=tuple(players)) for players in found.values())
    return sorted(rows, key=lambda person: surname_sort_key(person.entry))


def count_attendance(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return {"event", "here", "expected"} for each event: players checked in, and all.

    One query.
    """
    shown = list(events)
    playing = Entry.objects.filter(event__in=shown).playing().order_by().values("event")
    counts = {
        row["event"]: row
        for row in playing.annotate(
            expected=Count("pk"), here=Count("pk", filter=Q(status=Entry.Status.CHECKED_IN))
        )
    }
    nobody = {"here": 0, "expected": 0}
    return [counts.get(event.pk, nobody) | {"event": event} for event in shown]
