"""Anything that can happen to an event happens, in any order; what holds must hold after each step.

Safety notes, F21 and "Rules of the machine". ``GIRONE_EXAMPLES`` and ``GIRONE_STEPS`` make the
walk longer: ``GIRONE_EXAMPLES=2000 GIRONE_STEPS=60 pytest tests/lives/test_state_machine.py``.
"""

import hashlib
import logging
import os
import secrets
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from accounts.models import User
from rules.formulas import FORMULAS
from tests.effort import how_many
from tests.lives import at_tables
from tests.lives.acts import ACTS, asked, onward
from tests.lives.event import send, standing, started_event
from tests.lives.present import Ask, Chooser
from tests.state_differences import differences
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.facts_cache import FactsCache
from tournaments.models import Event, LogLine
from tournaments.verification.event import verify_event

T = TypeVar("T")
EXAMPLES = int(os.environ.get("GIRONE_EXAMPLES", how_many(0.06)))
STEPS = int(os.environ.get("GIRONE_STEPS", "20"))
FORMATS = ("doomtrooper-original", "creatures-of-exo")
OFTEN = (
    "undo",
    "undo",
    "redo",
    "change_a_draft",
    "correct",
    "correct",
    "report",
    "drop",
    "come_back",
    "strike",
)
LOOKED_AT = ("", "standings/", "pairings/", "desk/", "log/", "advance/", "lots/")

pytestmark = pytest.mark.django_db


class AnyEvent(RuleBasedStateMachine):
    """One event, a browser for everybody, and what was seen before each act."""

    def __init__(self) -> None:
        super().__init__()
        self.whole = transaction.atomic()
        self.whole.__enter__()
        cache.clear()
        self.patched = pytest.MonkeyPatch()
        self.patched.setattr(secrets, "token_hex", self.not_by_chance)
        self.drawn = 0
        self.browsers: dict[int, Client] = {}
        self.seen: dict[int, dict[str, Any]] = {}
        self.held = FactsCache()
        self.event: Event | None = None

    @initialize(
        formula=st.sampled_from([*sorted(FORMULAS.keys()), at_tables.FORMULA]),
        format=st.sampled_from(FORMATS),
        players=st.integers(4, 13),
        legs=st.sampled_from((1, 1, 2, 3, 4)),
        data=st.data(),
    )
    def start(
        self, formula: str, format: str, players: int, legs: int, data: st.DataObject
    ) -> None:
        options = {"legs": legs} if formula == "single-group" else {}
        values: dict[str, Any] = {"format": format, "options": options}
        if formula == at_tables.FORMULA:
            values = at_tables.settings(self.chooser(data), players)
        self.event = started_event(formula, players, **values)
        self.remember()

    def not_by_chance(self, length: int) -> str:
        """Return the next seed: the same walk draws the same."""
        self.drawn += 1
        return hashlib.sha256(str(self.drawn).encode()).hexdigest()[: 2 * length]

    @property
    def version(self) -> int:
        return Event.objects.values_list("version", flat=True).get(pk=self.event.pk)

    def remember(self) -> None:
        self.now = standing(self.event)
        self.seen[self.version] = self.now

    def browser(self, user: int) -> Client:
        if user not in self.browsers:
            self.browsers[user] = Client(raise_request_exception=False)
            self.browsers[user].force_login(User.objects.get(pk=user))
        return self.browsers[user]

    @rule(names=st.lists(st.sampled_from(sorted(ACTS)), min_size=1, max_size=4), data=st.data())
    def anything(self, names: list[str], data: st.DataObject) -> None:
        """Let people do whatever they think of."""
        for name in names:
            self.send(asked(self.event.slug, name, self.chooser(data)))
            self.check()

    @rule(steps=st.integers(1, 9), data=st.data())
    def go_on(self, steps: int, data: st.DataObject) -> None:
        """Do what the staff would do next, a few times."""
        for _step in range(steps):
            self.send(onward(self.event.slug, self.chooser(data)))

    @rule(name=st.sampled_from(OFTEN), times=st.integers(1, 3), data=st.data())
    def change_what_is_done(self, name: str, times: int, data: st.DataObject) -> None:
        """Correct or take back, or change who plays."""
        for _time in range(times):
            self.send(asked(self.event.slug, name, self.chooser(data)))
            self.check()

    @rule(page=st.sampled_from(LOOKED_AT))
    def look(self, page: str) -> None:
        """Open a page as the organiser."""
        address = f"/events/{self.event.slug}/{page}"
        answer = self.browser(self.event.created_by_id).get(address)
        assert answer.status_code == 200, address

    def chooser(self, data: st.DataObject) -> Chooser:
        def choose(several: Sequence[T]) -> T:
            return data.draw(st.sampled_from(several))

        return choose

    def send(self, ask: Ask | None) -> None:
        """Send a request; what it did must be in the log, what was refused changes nothing."""
        if ask is None:
            return
        version, before = self.version, self.now
        status = send(self.browser(ask.user), ask)
        assert status < 500, f"{ask}: {status}"
        self.remember()
        if status >= 400:
            assert (self.version, self.now) == (version, before), f"{ask} was refused and did it"
        elif self.now != before:
            assert self.version > version, f"{ask} left no line in the log"
        if ask.act == "undo" and status < 400:
            self.check_as_before(int(ask.body["expected"]))
        if ask.act == "redo" and status < 400:
            self.check_as_before(int(ask.body["version"]))

    def check_as_before(self, line: int) -> None:
        """Hold an event after an undo or a redo against what it was before that line."""
        if (was := self.seen.get(line - 1)) is not None:
            assert self.now == was, f"line {line} taken back leaves something else"

    @invariant()
    def check(self) -> None:
        """See that what is stored follows from the facts."""
        if self.event is not None:
            event = Event.objects.get(pk=self.event.pk)
            assert list(map(str, verify_event(event))) == []
            held = self.held.facts(event, drafts=True)
            assert differences(held, load_facts(event)) == [], "what pages hold is out of date"

    def teardown(self) -> None:
        try:
            if self.event is not None:
                self.check_archive()
        finally:
            self.patched.undo()
            transaction.set_rollback(True)
            self.whole.__exit__(None, None, None)

    def check_archive(self) -> None:
        """Take the event out and in: it must be the same to the byte."""
        first = event_archive(Event.objects.get(pk=self.event.pk))
        LogLine.objects.filter(event=self.event).update(by_entry=None)
        Event.objects.filter(pk=self.event.pk).delete()
        assert event_archive(restore_archive(first)) == first


def test_whatever_happens_the_event_stays_sound() -> None:
    logging.disable(logging.CRITICAL)
    try:
        run_state_machine_as_test(
            AnyEvent,
            settings=settings(
                max_examples=EXAMPLES,
                stateful_step_count=STEPS,
                deadline=None,
                derandomize="GIRONE_EXAMPLES" not in os.environ,
                phases=[Phase.explicit, Phase.generate, Phase.shrink],
                suppress_health_check=list(HealthCheck),
                print_blob=True,
            ),
        )
    finally:
        logging.disable(logging.NOTSET)
