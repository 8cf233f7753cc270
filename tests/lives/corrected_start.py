"""Seeds put right after the start, and players taken out who should not have been in, by chance."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from rules.errors import BadInput
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    TAKE_BACK,
    TAKE_OUT,
    Correction,
)
from tournaments.corrections.selectors.players import player_correction_of
from tournaments.corrections.selectors.start import order_of_start, seeds_correction_of
from tournaments.corrections.services.carrying import correct_seeds
from tournaments.corrections.services.results import correct_player, who_comes
from tournaments.models import Entry, Event


class OfTheStart:
    """What a life does where the start was wrong."""

    rng: Random
    choose: Callable[..., Any]
    event: Event
    way: Callable[[Correction], str]
    put_right: Callable[..., bool]
    some_matches: Callable[[], tuple[int, ...]]

    def correct_seeds(self) -> bool:
        """Find that some of the seeds were wrong, and go one of the ways."""
        before = load_facts(self.event)
        order = order_of_start(before)
        if not order or before.open_stage is None:
            return False
        seeded = self.rng.sample(order, min(len(order), self.choose((1, 2, 4))))
        seeds = dict.fromkeys(order) | {one: at for at, one in enumerate(seeded, start=1)}
        try:
            shown = seeds_correction_of(before, seeds)
        except BadInput:
            return False
        way, void = self.way(shown), self.some_matches()
        act = partial(
            correct_seeds,
            event=self.event,
            seeds=seeds,
            way=way,
            shown=shown.mark,
            void=void,
            confirm=self.event.name,
        )
        told = shown, seeds_correction_of(before, seeds, void=void)
        return self.put_right("seeds", way, told, act, before)

    def correct_player(self) -> bool:
        """Find that somebody should not have been in, and go one of the ways."""
        before = load_facts(self.event)
        if before.open_stage is None or not before.open_stage.state.players:
            return False
        number = self.choose(list(before.open_stage.state.players))
        name = self.choose(("", f"Nuovo {len(before.entries) + 1}"))
        new = who_comes(before, None, name)
        shown, void = player_correction_of(before, number, new), self.some_matches()
        way = self.way(shown)
        entry = self.event.entries.get(number=number)
        if way == KEEP and entry.plays:
            way = self.choose((KEEP, TAKE_OUT))
        act = partial(
            correct_player,
            entry=entry,
            name=name,
            way=way,
            shown=shown.mark,
            void=void,
            confirm=self.event.name,
        )
        told = shown, player_correction_of(before, number, new, void)
        done = self.put_right("player", way, told, act, before)
        if way in (FOLLOW, TAKE_BACK, TAKE_OUT) and before.open_stage is not None:
            self.check_gone(before, entry)
        return done

    def check_gone(self, before: EventFacts, entry: Entry) -> None:
        """Assert that whoever was taken out has left, or has a seat as before."""
        now = load_facts(self.event)
        same = [s.state for s in now.stages] == [s.state for s in before.stages]
        assert same or not now.entries[entry.number].plays, entry
