"""A finished event that has rows of every kind."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests import factories as make
from tests.level_players import all_drawn
from tournaments.checks import services as checks
from tournaments.clock import services as extensions
from tournaments.core.permissions import Actor
from tournaments.events import services as events
from tournaments.judging import services as announcements
from tournaments.judging import services as calls
from tournaments.keeping_apart import services as apart
from tournaments.models import Event, Match, StaffRole
from tournaments.penalties import services as penalties
from tournaments.players.services import departures
from tournaments.snapshots import services as snapshots
from tournaments.staff import services as staff
from tournaments.stages import services as stages


@dataclass
class Over:
    """A finished event of four tied players, with rows of every kind."""

    by: Actor
    event: Event
    match: Match
    call: Any
    check: Any
    penalty: Any
    told: Any
    given: Any
    role: StaffRole
    pair: Any
    snapshot: Any

    def entry(self, number: int) -> Any:
        """Return a player: number 3 has withdrawn, number 4 is disqualified."""
        return self.event.entries.get(number=number)

    def act(self, service: Callable[..., Any], **more: Any) -> Any:
        """Call a service on the event as the organiser."""
        return service(event=self.event, by=self.by, **more)

    def of(self, number: int, service: Callable[..., Any], **more: Any) -> Any:
        """Call a service on a player as the organiser."""
        return service(entry=self.entry(number), by=self.by, **more)

    def themselves(self, number: int, service: Callable[..., Any]) -> Any:
        """Call a service on a player as that player."""
        return service(entry=self.entry(number), by=Actor(entry=self.entry(number)))

    def at(self, service: Callable[..., Any], **more: Any) -> Any:
        """Call a service on the first match as the organiser."""
        return service(match=self.match, by=self.by, **more)


def over_of_four() -> Over:
    """Return the event, with its stage closed."""
    by = make.organiser()
    event = make.started(by, 4, formula="single-group", decklists=Event.Decklists.OPTIONAL)
    pair = apart.add_separated_pair(event=event, numbers=(1, 2), by=by)
    item = make.next_round(event, by)
    match = item.matches.select_related("round__event").order_by("number")[0]
    call = calls.call_judge(match=match, entry=match.players[0], by=Actor(entry=match.players[0]))
    given = extensions.extend_time(match=match, minutes=5, reason="prova", by=by)
    told = announcements.create_announcement(event=event, text="Ecco", minutes=600, by=by)
    check = checks.begin_player_check(entry=event.entries.get(number=1), by=by)
    penalty = penalties.give_penalty(
        entry=event.entries.get(number=1), level="warning", infraction="Ritardo", by=by
    )
    role = staff.give_role(event=event, email=make.user().email, role="judge", by=by)
    make.play_round(item, by, all_drawn)
    make.play_stage(event, by, all_drawn)
    departures.withdraw(entry=event.entries.get(number=3), by=by)
    departures.disqualify(entry=event.entries.get(number=4), reason="prova", by=by)
    fresh = Event.objects.get(pk=event.pk)
    snapshot = snapshots.take_snapshot(fresh, "round.discarded", by=by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    event = events.change_event_state(event=event, action="finish", by=by)
    match = Match.objects.select_related("round__event").get(pk=match.pk)
    return Over(by, event, match, call, check, penalty, told, given, role, pair, snapshot)


def player(over: Over, number: int) -> Actor:
    """Return a player as an actor."""
    return Actor(entry=over.entry(number))
