"""A whole life of an event from one ``Random``: whatever people send, then play to the end."""

from random import Random
from typing import Any

from django.test import Client

from accounts.models import User
from tests import factories as make
from tests.lives import at_tables
from tests.lives.acts import ACTS, asked, onward
from tests.lives.event import send, started_event
from tests.lives.present import Ask
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event

FORMULAS = (
    *("swiss-cut", "swiss-cut", "groups-knockout", "single-group"),
    *("mutant-chronicles", "double-elimination", "single-elimination"),
    *(at_tables.FORMULA, at_tables.FORMULA),
)
OFTEN = (
    *("undo", "undo", "undo", "redo", "redo", "correct", "report", "drop", "come_back"),
    *("strike", "enter_late", "change_a_draft", "discard_a_round", "restore_a_snapshot"),
)


class LifeByChance:
    """An event, and the browsers of all who send something."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        formula = self.rng.choice(FORMULAS)
        values: dict[str, Any] = {
            "format": self.rng.choice(["doomtrooper-original", "creatures-of-exo"])
        }
        players = self.rng.randint(4, 12)
        if formula == at_tables.FORMULA:
            values |= at_tables.settings(self.rng.choice, players)
        if self.rng.choice((True, False)):
            values |= {"points_win": 2, "points_draw": 1, "points_parts": 2}
        self.event = started_event(formula, players, **values)
        self.browsers: dict[int, Client] = {}

    def send(self, ask: Ask | None) -> None:
        """Send a request, if there is one; whatever is refused does nothing."""
        if ask is None:
            return
        if ask.user not in self.browsers:
            self.browsers[ask.user] = Client(raise_request_exception=False)
            self.browsers[ask.user].force_login(User.objects.get(pk=ask.user))
        assert send(self.browsers[ask.user], ask) < 500, ask

    def live(self, steps: int) -> None:
        """Let people do something."""
        for _step in range(steps):
            chance = self.rng.random()
            if chance < 0.55:
                self.send(onward(self.event.slug, self.rng.choice))
            else:
                name = self.rng.choice(sorted(ACTS) if chance < 0.75 else OFTEN)
                self.send(asked(self.event.slug, name, self.rng.choice))

    def end(self) -> Event:
        """Play the event to its end and finish it."""
        by = Actor(user=self.event.created_by)
        while (event := Event.objects.get(pk=self.event.pk)).state != Event.State.FINISHED:
            if load_facts(event).open_stage is None:
                make.events.change_event_state(event=event, action="finish", by=by)
            else:
                self.send(onward(event.slug, self.rng.choice))
        return event


def life_by_chance(seed: int, steps: int) -> Event:
    """Return a finished event with a life of some steps before it was played to its end."""
    life = LifeByChance(seed)
    life.live(steps)
    return life.end()
