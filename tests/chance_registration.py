"""Registrations by chance: waiting lists, seeds, settings, the door, and all of it taken back.

Which acts follow each other comes from one ``Random``; what the rules refuse does nothing.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from rules.errors import BadInput, RuleError
from rules.people.person_names import read_people
from tests import factories as make
from tournaments.arrivals import services as arrivals
from tournaments.core.permissions import Actor
from tournaments.events.services import change_event, change_event_state
from tournaments.keeping_apart.services import add_separated_pair, remove_separated_pair
from tournaments.lots import services as draws
from tournaments.models import Entry, Event
from tournaments.players.services import departures, entries, seeds
from tournaments.players.services import entries as pasted
from tournaments.players.services import entries as waiting_list
from tournaments.snapshots.services import restore_snapshot, take_snapshot
from tournaments.starting import services as starting
from tournaments.undo.selectors import find_redoable_undo, undo_options
from tournaments.undo.services import redo, undo

FOUR = "Ada Alba\nBea Bosco\nCia Corti\nDea Dossi"


class Registration:
    """An event before its start, and what its staff may do next."""

    def __init__(self, by: Actor, rng: Random, **values: Any) -> None:
        self.by, self.rng = by, rng
        self.event = make.open_event(by, **values)

    def now(self) -> Event:
        """Return the event as it is stored."""
        return Event.objects.get(pk=self.event.pk)

    def somebody(self, **which: Any) -> Entry:
        """Return a player; raises BadInput where there is none."""
        found = list(self.event.entries.filter(**which).order_by("number"))
        if not found:
            raise BadInput("nobody", "There is nobody.")
        entry = self.rng.choice(found)
        entry.event = self.now()
        return entry

    def some(self) -> list[int]:
        """Return the numbers of some players."""
        numbers = sorted(self.event.entries.values_list("number", flat=True))
        return self.rng.sample(numbers, min(len(numbers), 3))

    def add(self) -> None:
        name = make.player_name(self.rng.randrange(10**6))
        entries.add_entry(event=self.now(), name=name, seed=None, by=self.by)

    def paste(self) -> None:
        text = "\n".join(make.player_name(self.rng.randrange(10**6)) for _one in range(3))
        pasted.add_entries(event=self.now(), people=read_people(text), by=self.by)

    def register(self) -> None:
        user, name = make.user(), make.player_name(self.rng.randrange(10**6))
        own = Actor(user=user)
        entries.register(event=self.now(), name=name, user=user, namesake=True, by=own)

    def remove(self) -> None:
        entries.remove_entry(entry=self.somebody(), by=self.by)

    def check_in(self) -> None:
        action = self.rng.choice(("check_in", "check_in", "undo_check_in"))
        entries.check_in(entry=self.somebody(), action=action, by=self.by)

    def change(self) -> None:
        seed = self.rng.choice((None, 1, 2, 3))
        entries.change_entry(entry=self.somebody(), changes={"seed": seed}, by=self.by)

    def seeds(self) -> None:
        given = {number: str(place) for place, number in enumerate(self.some(), start=1)}
        seeds.change_seeds(event=self.now(), seeds=given, by=self.by)

    def leave(self) -> None:
        leave = self.rng.choice((departures.withdraw, departures.disqualify))
        leave(entry=self.somebody(), reason="train", by=self.by)

    def come_back(self) -> None:
        entry = self.somebody(status__in=["withdrawn", "disqualified"])
        departures.rejoin(entry=entry, by=self.by)

    def let_in(self) -> None:
        waiting = self.somebody(status="waiting")
        waiting_list.admit_waiting_player(entry=waiting, here=self.rng.random() < 0.5, by=self.by)

    def ask_later(self) -> None:
        waiting_list.move_to_waiting_list_end(entry=self.somebody(status="waiting"), by=self.by)

    def many(self) -> None:
        act = self.rng.choice(
            (
                arrivals.check_in_many,
                arrivals.drop_absent_players,
                arrivals.drop_players_without_list,
            )
        )
        act(event=self.now(), numbers=self.some(), by=self.by)

    def fee(self) -> None:
        arrivals.record_fee_payment(entry=self.somebody(), paid=self.rng.random() < 0.7, by=self.by)

    def settings(self) -> None:
        changes = self.rng.choice(
            (
                {"capacity": self.rng.choice((None, 3, 6, 9))},
                {"criteria": ["points", "head_to_head", "lots"]},
                {"points_win": self.rng.choice((2, 3))},
                {"venue": "Hall"},
            )
        )
        change_event(event=self.now(), changes=changes, reason="so it is", by=self.by)

    def apart(self) -> None:
        pair = self.event.kept_apart.first()
        if pair is not None:
            remove_separated_pair(event=self.now(), pair_id=pair.pk, by=self.by)
        else:
            add_separated_pair(event=self.now(), numbers=tuple(sorted(self.some()[:2])), by=self.by)

    def move(self) -> None:
        action = self.rng.choice(("open_registration", "close_registration"))
        change_event_state(event=self.now(), action=action, by=self.by)

    def draw(self) -> None:
        seed = self.rng.choice(("", "", "dice"))
        draws.draw_start_order(event=self.now(), seed=seed, by=self.by)

    def start(self) -> None:
        drawn = draws.draw_start_order(event=self.now(), by=self.by)
        starting.start_event(event=self.now(), draw_number=drawn.number, by=self.by)

    def snapshot(self) -> None:
        kept = self.event.snapshots.order_by("pk").first()
        if kept is None:
            take_snapshot(self.now(), "round.discarded", by=self.by)
        else:
            name = self.now().name
            restore_snapshot(event=self.now(), snapshot_id=kept.pk, confirm=name, by=self.by)

    def undo(self) -> None:
        acts = undo_options(self.now())
        some = [act for act in (acts.last, *acts.others) if act is not None]
        if some:
            number = self.rng.choice(some).line.number
            undo(event=self.now(), expected=number, confirm=self.now().name, by=self.by)

    def redo(self) -> None:
        line = find_redoable_undo(self.now())
        if line is not None:
            redo(event=self.now(), expected=line.number, confirm=self.now().name, by=self.by)

    def act(self) -> None:
        """Do something; nothing where the rules refuse it now."""
        acts: tuple[Callable[[], None], ...] = (
            *(self.add, self.add, self.paste, self.register, self.remove, self.check_in),
            *(self.check_in, self.change, self.seeds, self.leave, self.come_back, self.let_in),
            *(self.ask_later, self.many, self.fee, self.settings, self.settings, self.apart),
            *(self.move, self.draw, self.undo, self.undo, self.undo, self.redo, self.snapshot),
            *((self.start,) if self.rng.random() < 0.1 else ()),
        )
        try:
            self.rng.choice(acts)()
        except (BadInput, RuleError):
            return


def registered_by_chance(by: Actor, seed: int, acts: int, **values: Any) -> Event:
    """Return an event that was started and played after a registration by chance."""
    life = Registration(by, Random(seed), **values)
    life.paste()
    for _act in range(acts):
        life.act()
    if life.now().plan is None:
        change_event(event=life.now(), changes={"capacity": None}, by=by)
        pasted.add_entries(event=life.now(), people=read_people(FOUR), by=by)
        life.start()
    return make.play_event(life.now(), by)
