"""A life in which what was wrong is put right: results, lots, byes, seats, seeds, players.

What the page foretold is compared with what is there afterwards, and after each undo and redo.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import Any

from django.db import transaction

from rules.errors import BadInput, RuleError
from tests.lives import results
from tests.lives.acts import asked, onward
from tests.lives.by_chance import LifeByChance
from tests.lives.present import Now
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import (
    FOLLOW,
    KEEP,
    TAKE_BACK,
    TAKE_OUT,
    Correction,
    draw_correction,
    is_draw_correctable,
    result_correction,
    seat_loss_correction,
)
from tournaments.corrections.selectors.seat import (
    bye_candidate_entries,
    bye_change_refusal,
    bye_correction,
)
from tournaments.corrections.selectors.start import (
    player_correction,
    seeds_correction,
    starting_order,
)
from tournaments.corrections.services import carrying
from tournaments.corrections.services import results as corrections
from tournaments.corrections.services.carrying import correct_seeds
from tournaments.corrections.services.results import correct_player, find_replacement
from tournaments.lots.services import record_tied_order
from tournaments.models import Entry, Event, Match, Snapshot
from tournaments.results.services.results import checked_correction
from tournaments.undo.selectors import confirmation_names, find_redoable_undo, last_act
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event


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
        order = starting_order(before)
        if not order or before.open_stage is None:
            return False
        seeded = self.rng.sample(order, min(len(order), self.choose((1, 2, 4))))
        seeds = dict.fromkeys(order) | {one: at for at, one in enumerate(seeded, start=1)}
        try:
            shown = seeds_correction(before, seeds)
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
        told = shown, seeds_correction(before, seeds, void=void)
        return self.put_right("seeds", way, told, act, before)

    def correct_player(self) -> bool:
        """Find that somebody should not have been in, and go one of the ways."""
        before = load_facts(self.event)
        if before.open_stage is None or not before.open_stage.state.players:
            return False
        number = self.choose(list(before.open_stage.state.players))
        name = self.choose(("", f"Nuovo {len(before.entries) + 1}"))
        new = find_replacement(before, None, name)
        shown, void = player_correction(before, number, new), self.some_matches()
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
        told = shown, player_correction(before, number, new, void)
        done = self.put_right("player", way, told, act, before)
        if way in (FOLLOW, TAKE_BACK, TAKE_OUT) and before.open_stage is not None:
            self.check_gone(before, entry)
        return done

    def check_gone(self, before: EventFacts, entry: Entry) -> None:
        """Assert that whoever was taken out has left, or has a seat as before."""
        now = load_facts(self.event)
        same = [s.state for s in now.stages] == [s.state for s in before.stages]
        assert same or not now.entries[entry.number].plays, entry


BESIDE = ("drop", "come_back", "disqualify", "pair", "undo", "redo", "fix_a_table", "report")
FORBIDDEN = ("cannot_follow", "nothing_to_take_back")
LOOKED_AT = 24
"""Of how many results it is looked at what correcting them would do, to choose the furthest."""

Told = tuple[Correction, Correction]
"""What the page foretold, and the same with what is not to be played again."""


def standing(facts: EventFacts) -> list[Any]:
    stages = [(s.stage.state, dict(s.stage.places), s.state) for s in facts.stages]
    return [*stages, facts.plan]


def reach(found: Correction) -> tuple[bool, bool, bool]:
    """Return how far a correction reaches: the furthest are those that give a seat."""
    gives = found.follows is not None and found.why_not is None
    return found.reaches_further, gives, bool(gives and found.follows.seats)


class Corrected(OfTheStart):
    """A life in which all that can be wrong is put right; ``done`` counts what was."""

    def __init__(self, seed: int) -> None:
        self.life, self.done = LifeByChance(seed), Counter[str]()
        self.rng, self.choose = self.life.rng, self.life.rng.choice

    @property
    def event(self) -> Event:
        return Event.objects.get(pk=self.life.event.pk)

    @property
    def by(self) -> Actor:
        return Actor(user=self.life.event.created_by)

    def reach_a_later_stage(self) -> None:
        """Play until a second stage is in progress, if the event has one."""
        for _step in range(200):
            current = load_facts(self.event).open_stage
            if current is None or current.stage.number > 1:
                return
            self.go_on()

    def live(self, steps: int) -> None:
        """Put right what can be wrong, between what people do.

        Half the lives rank by points alone, so that lots decide; half begin in a later stage.
        """
        if self.choose((True, False)):
            body = {"criteria": ["points", "lots"], "reason": "Votato"}
            self.life.send(Now(self.event.slug, self.choose).api("rank", "patch", "", **body))
        if self.choose((True, False)):
            self.reach_a_later_stage()
        for _step in range(steps):
            roll = self.rng.random()
            if roll < 0.15:
                self.life.send(asked(self.event.slug, self.choose(BESIDE), self.choose))
            elif roll < 0.4:
                self.put_something_right()
            else:
                self.go_on()

    def put_something_right(self) -> None:
        """Correct the first thing, in a random order, of which there is something to correct."""
        acts = [self.correct, self.correct_lots, self.move_bye, self.give_away]
        acts += [self.correct_seeds, self.correct_player]
        self.rng.shuffle(acts)
        acts[:0] = self.choose(([self.correct_lots], []))  # there are seldom any to correct
        any(act() for act in acts)

    def way(self, shown: Correction) -> str:
        """Choose a way to go on, seldom one that is forbidden."""
        gives = reach(shown)[1]
        ways = (FOLLOW, FOLLOW, FOLLOW, KEEP, TAKE_BACK) if gives else (KEEP, KEEP, TAKE_BACK)
        return self.choose((*ways, FOLLOW))

    def go_on(self) -> None:
        """Do what the staff would do next; lots are often drawn by hand."""
        current = load_facts(self.event).open_stage
        done = current is not None and current.rounds_done and not current.missing
        if done and current.outcome.lots_needed and self.choose((True, True, False)):
            order = [int(player) for player in current.outcome.lots_needed[0]]
            self.rng.shuffle(order)
            record_tied_order(event=self.event, order=order, witnesses="Ugo", by=self.by)
            return
        self.life.send(onward(self.event.slug, self.choose))

    def correct(self) -> bool:
        """Correct the result that reaches furthest of some, in one of the ways."""
        every = Match.objects.filter(
            round__event=self.event, state=Match.State.FINAL, match_seats__number=2
        )
        related = every.select_related("round__event", "group__stage", "decision")
        found, before, tried = list(related.order_by("pk")), load_facts(self.event), []
        self.rng.shuffle(found)
        for match in found[:LOOKED_AT]:
            rules = match_rules(match, match.round.event)
            claim = results.claim_of(results.usual(rules, self.choose))
            try:
                outcome = checked_correction(match, match.version, claim, reason="x", by=self.by)
            except RuleError:
                continue
            tried.append((match, claim, outcome, result_correction(before, match, outcome)))
        if not tried:
            return False
        match, claim, outcome, shown = max(tried, key=lambda one: reach(one[3]))
        way, void = self.way(shown), self.some_matches()
        acts = {
            KEEP: corrections.correct_result_only,
            FOLLOW: partial(corrections.correct_and_reseat, shown=shown.mark, void=void),
            TAKE_BACK: partial(
                corrections.correct_and_delete_rounds, shown=shown.mark, confirm=self.event.name
            ),
        }
        told = shown, result_correction(before, match, outcome, void)
        options = {"match": match, "version": match.version, "claim": claim}
        return self.put_right("result", way, told, partial(acts[way], **options), before)

    def correct_lots(self) -> bool:
        """Put an order of lots right that was drawn by hand, in one of the ways."""
        before = load_facts(self.event)
        draws = [draw for draw in before.draws if is_draw_correctable(before, draw)]
        if not draws:
            return False
        tried = []
        for draw in draws:
            for _try in range(4):
                order = self.rng.sample(draw.order, len(draw.order))
                if order != draw.order:
                    tried.append((draw, order, draw_correction(before, draw, order)))
        if not tried:
            return False
        draw, order, shown = max(tried, key=lambda one: reach(one[2]))
        way, void = self.way(shown), self.some_matches()
        act = partial(
            carrying.correct_random_draw,
            event=self.event,
            number=draw.number,
            order=order,
            way=way,
            shown=shown.mark,
            void=void,
            confirm=self.event.name,
        )
        told = shown, draw_correction(before, draw, order, void)
        return self.put_right("lots", way, told, act, before)

    def move_bye(self) -> bool:
        """Let somebody else rest in a round, or take the round back."""
        before = load_facts(self.event)
        resting = (
            Match.objects.exclude(match_seats__number=2)
            .filter(round__event=self.event)
            .select_related("round")
        )
        found = [match for match in resting if bye_change_refusal(before, match) is None]
        if not found:
            return False
        match = self.choose(found)
        entry = self.choose(bye_candidate_entries(before, match))
        shown = bye_correction(before, match, entry.number)
        way, void = self.choose((FOLLOW, FOLLOW, TAKE_BACK)), self.choose((True, False))
        act = partial(
            carrying.move_bye,
            match=match,
            player=entry.number,
            way=way,
            shown=shown.mark,
            void=void,
            confirm=self.event.name,
        )
        told = shown, bye_correction(before, match, entry.number, void=void)
        return self.put_right("bye", way, told, act, before)

    def give_away(self) -> bool:
        """Let somebody leave who has a seat, and give the seat to who comes next."""
        if not self.event.stages.filter(state="closed").exists():
            return False
        current = load_facts(self.event).open_stage
        if current is None or not current.state.players:
            return False
        number = self.choose(list(current.state.players))
        ask = asked(self.event.slug, "disqualify", lambda _all: number)
        self.life.send(ask)
        before, void = load_facts(self.event), self.some_matches()
        shown = None if before.open_stage is None else seat_loss_correction(before, number)
        if shown is None:
            return False
        entry = self.event.entries.get(number=number)
        act = partial(carrying.give_seat_to_next, entry=entry, shown=shown.mark, void=void)
        told = shown, seat_loss_correction(before, number, void)
        return self.put_right("seat", FOLLOW, told, act, before)

    def some_matches(self) -> tuple[int, ...]:
        keys = Match.objects.filter(round__event=self.event).order_by("pk")
        return tuple(key for key in keys.values_list("pk", flat=True) if self.rng.random() < 0.3)

    def put_right(
        self, kind: str, way: str, told: Told, act: Callable[..., object], before: EventFacts
    ) -> bool:
        """Do it; what was foretold is there afterwards, and so is what was before once undone."""
        shown, found = told
        if refused := self.try_to(partial(act, reason="Swapped", by=self.by)):
            forbidden = {FOLLOW: found.why_not or not found.follows, KEEP: False}
            assert forbidden.get(way, not found.takes_back), (kind, way, refused)
            self.done[f"{kind} {refused}"] += 1
            return True
        gives = way == FOLLOW and found.follows is not None and found.follows.seats
        self.done[f"{kind} {way}"] += 1
        self.done["seats given"] += bool(gives)
        self.check(way, shown, found, before)
        undoable = way != KEEP or kind not in ("lots", "player")
        if shown.reaches_further and undoable and self.choose((True, True, False)):
            self.back(before)
        return True

    def try_to(self, act: Callable[[], object]) -> str:
        """Do it; return the code of what the rules forbid, "" once it is done."""
        try:
            with transaction.atomic():
                act()
        except RuleError as refused:
            if refused.code not in FORBIDDEN:
                raise
            return refused.code
        return ""

    def check(self, way: str, shown: Correction, found: Correction, before: EventFacts) -> None:
        after = load_facts(self.event)
        self.sound()
        if not shown.reaches_further:
            return
        assert Snapshot.objects.filter(event=self.event).exists()
        own = shown.stage.stage.number - 1
        if way == KEEP:
            assert others(after, own) == others(before, own)
        elif way == FOLLOW and found.follows is not None:
            assert after.stages[found.target.stage.number - 1].state == found.follows.state
            if found.places is not None:
                assert after.stages[own].stage.places == found.places
            self.done["foretold"] += 1
        elif way == TAKE_BACK:
            gone = {item.pk for item in shown.goes}
            assert {i.pk for i in after.rounds} == {i.pk for i in before.rounds} - gone
            assert after.open_stage.stage.number == shown.reopened.stage.number

    def back(self, before: EventFacts) -> None:
        event = self.event
        undo(event=event, expected=last_act(event).line.number, by=self.by)
        assert standing(load_facts(self.event)) == standing(before)
        self.sound()
        self.done["undone"] += 1
        if self.choose((True, False)):
            event = self.event
            line = find_redoable_undo(event)
            name, *_more = confirmation_names(event, line, again=True) or ("",)
            redo(event=event, expected=line.number, confirm=name, by=self.by)
            self.sound()
            self.done["redone"] += 1

    def sound(self) -> None:
        assert list(map(str, verify_event(self.event))) == []


def others(facts: EventFacts, own: int) -> Iterable[Any]:
    return [each for at, each in enumerate(standing(facts)) if at != own]
