"""The register of scenes, and the events that several of them start from."""

from collections.abc import Callable
from typing import Any

from tests import factories as make
from tests.recipes import recipe
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match
from tournaments.stages import services as stages

GROUP = {"formula": "single-group", "format": "doomtrooper-original"}
SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 2}}
ACCEPTED = "accepted@example.org"
Scene = tuple[Event, Callable[[], Any]]
SCENES: dict[str, Callable[[Actor], Scene]] = {}


def scene(action: str) -> Callable[..., Callable[[Actor], Scene]]:
    """Register what comes before an act, and the act."""

    def keep(function: Callable[[Actor], Scene]) -> Callable[[Actor], Scene]:
        SCENES[action] = function
        return function

    return keep


def entry(event: Event, number: int) -> Any:
    return event.entries.get(number=number)


def first_match(event: Event) -> Match:
    found = Match.objects.filter(round__event=event, match_seats__number=2)
    return found.select_related("round__event").order_by("pk")[0]


def full(by: Actor) -> Event:
    """Return an event with open registration, four places taken, and a waiting list of two."""
    event = make.open_event(by, capacity=4, **GROUP)
    make.players(event, 6, by)
    return event


def going(by: Actor, how_many: int = 6, **values: Any) -> Event:
    """Return an event with a round in play."""
    return make.playing(by, how_many, **GROUP | values)


@recipe
def over(by: Actor) -> Event:
    """Return an event whose last stage is closed."""
    event = make.started(by, 3, **GROUP)
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    return event
