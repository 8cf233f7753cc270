"""Lives of events in which nobody forges anything: ``verify`` finds nothing in them."""

import logging
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import User
from rules.errors import RuleError
from rules.formulas import FORMULAS
from tests import factories as make
from tests.lives import at_tables
from tests.lives.acts import ACTS, asked, onward
from tests.lives.event import send, started_event
from tests.lives.present import Ask
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_from_event
from tournaments.log.services import lock_event
from tournaments.models import Entry, Event
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.deep]

T = TypeVar("T")
STEPS = 24
OF_TWO, OF_TABLES = sorted(FORMULAS.keys()), [at_tables.FORMULA]
OFTEN = (
    ("undo", "redo"),
    ("undo", "undo", "redo"),
    ("lose_by_penalty", "undo", "redo"),
    ("correct", "undo", "redo"),
    ("correct_what_went_on", "undo", "redo"),
    ("discard_a_round", "undo"),
    ("discard_a_round", "restore_a_snapshot"),
    ("pair", "change_a_draft", "undo", "redo", "publish"),
    ("drop", "strike", "strike", "undo"),
    ("change_plan", "undo", "redo"),
    ("pair", "change_plan", "undo"),
    ("join_late", "undo", "redo"),
    ("ask_for_a_player", "answer_a_phone", "undo", "redo"),
    ("ask_for_a_player", "ask_for_a_player", "refuse_a_phone", "answer_a_phone", "undo"),
    ("pair_elsewhere", "undo", "redo"),
    ("pair_by_hand", "undo", "redo", "publish"),
    ("paste_pairings", "undo", "redo"),
    ("enter_late", "join_late", "undo", "redo"),
)
"""What goes back and forth, so that what is kept is read; an act may be refused."""
AT_TABLES = (("report", "contradict"), ("report", "report", "contradict"), ("report", "confirm"))
"""The same at tables, beside those of all."""
MET = {"decide", "correct", "undo", "redo", "discard_round", "change_draft", "strike", "erase"}
MET |= {"restore_snapshot", "restore", "correct_what_went_on", "lose_by_penalty", "change_plan"}
MET |= {"answer_a_phone", "join_late", "pair_by_hand", "paste_pairings", "pair_elsewhere"}
"""What many lives meet with, by the names of acts and services."""


class Life:
    """An event by chance: what the staff do next, whatever else people do, and who asks to go."""

    def __init__(self, seed: int, formulas: Sequence[str]) -> None:
        self.chance = random.Random(seed)
        self.done: Counter[str] = Counter()
        formula = self.chance.choice(formulas)
        legs = self.chance.choice((1, 1, 1, 2, 3, 4))
        values: dict[str, Any] = {"options": {"legs": legs} if formula == "single-group" else {}}
        players = self.chance.randint(4, 9)
        values["format"] = self.chance.choice(("doomtrooper-original", "creatures-of-exo"))
        if self.chance.choice((True, False)):
            values |= {"points_win": 2, "points_draw": 1, "points_parts": 2}
        self.often = OFTEN
        if formula == at_tables.FORMULA:
            self.often += AT_TABLES
            values |= at_tables.settings(self.chance.choice, players)
        self.event = started_event(formula, players, **values)
        self.browsers: dict[int, Client] = {}

    def live(self) -> list[str]:
        """Live it, restore it from an archive halfway; return what ``verify`` finds."""
        for step in range(STEPS):
            if step == STEPS * 2 // 3:
                self.restore()
            elif (roll := self.chance.random()) < 0.5:
                self.send(onward(self.event.slug, self.choose))
            elif roll < 0.95:
                one = (self.chance.choice(sorted(ACTS)),)
                for name in one if roll < 0.7 else self.chance.choice(self.often):
                    self.send(asked(self.event.slug, name, self.choose))
            else:
                self.erase()
        return list(map(str, verify_event(Event.objects.get(pk=self.event.pk))))

    def choose(self, several: Sequence[T]) -> T:
        """Choose by chance; of "" and what is to be typed, what is to be typed."""
        return self.chance.choice([one for one in several if one != ""] or several)

    def send(self, ask: Ask | None) -> None:
        if ask is None or ask.user is None:
            return
        if ask.user not in self.browsers:
            self.browsers[ask.user] = Client(raise_request_exception=False)
            self.browsers[ask.user].force_login(User.objects.get(pk=ask.user))
        status = send(self.browsers[ask.user], ask)
        assert status < 500, ask
        self.done[ask.act] += status < 400

    def erase(self) -> None:
        """Erase somebody, who may have to leave before."""
        by = Actor(user=self.event.created_by)
        number = self.chance.choice(list(self.event.entries.values_list("number", flat=True)))
        try:
            with transaction.atomic():
                erase_from_event(lock_event(self.event), number, by=by)
            self.done["erase"] += 1
        except RuleError:
            self.send(asked(self.event.slug, "disqualify", self.choose))

    def restore(self) -> None:
        """Take the event out and in; players have no accounts then."""
        kept, caller = event_archive(Event.objects.get(pk=self.event.pk)), self.event.created_by
        Event.objects.filter(pk=self.event.pk).delete()
        self.event = restore_archive(kept, caller=caller)
        Event.objects.filter(pk=self.event.pk).update(created_by=caller)
        for entry in Entry.objects.filter(event=self.event):
            Entry.objects.filter(pk=entry.pk).update(user=make.user())
        self.done["restore"] += 1


def lives(seeds: range, formulas: Sequence[str]) -> Iterator[Life]:
    """Yield lived lives of which nothing is found; each is forgotten afterwards."""
    for seed in seeds:
        with transaction.atomic():
            life = Life(seed, formulas)
            assert life.live() == [], f"life {seed}"
            transaction.set_rollback(True)
        yield life


@pytest.mark.parametrize(
    ("seeds", "formulas"),
    [
        (range(2), OF_TWO),
        (range(1), OF_TABLES),
        pytest.param(range(2, 202), OF_TWO, marks=pytest.mark.deep),
        pytest.param(range(1, 101), OF_TABLES, marks=pytest.mark.deep),
    ],
    ids=["few", "few of tables", "many", "many of tables"],
)
def test_nothing_is_found_in_an_honest_life(seeds: range, formulas: Sequence[str]) -> None:
    logging.disable(logging.CRITICAL)
    try:
        done: Counter[str] = Counter()
        for life in lives(seeds, formulas):
            done += life.done
    finally:
        logging.disable(logging.NOTSET)
    met = MET if formulas == OF_TWO else MET - {"strike"} | {"contradict"}
    assert set(done) >= (met if len(seeds) > 10 else {"decide", "restore"}), done
