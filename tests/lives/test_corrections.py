"""Corrections at random in lives of events: what was foretold is what happens, and is honest."""

import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from rules.errors import RuleError
from tests.lives import results
from tests.lives.acts import asked, onward
from tests.lives.by_chance import LifeByChance
from tests.transcripts import check
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.core.mapping import match_rules
from tournaments.core.permissions import Actor
from tournaments.corrections.selectors.choices import Correction, correction_of
from tournaments.corrections.services import results as services
from tournaments.exports.views import whole_transcript
from tournaments.models import Event, Match, Snapshot
from tournaments.results.services.results import checked_correction
from tournaments.undo.asked import names_to_type
from tournaments.undo.selectors import last_act, undone_act
from tournaments.undo.services.undo import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
BESIDE = ("drop", "come_back", "disqualify", "pair", "undo", "redo", "fix_a_table", "report")
MET = {"follow", "keep", "take_back", "foretold", "undone", "redone", "cannot_follow"}


FORBIDDEN = ("cannot_follow", "nothing_to_take_back")


def standing(facts: EventFacts) -> list[Any]:
    return [(s.stage.state, dict(s.stage.places), s.state) for s in facts.stages]


class Corrected:
    """A life in which results are corrected."""

    def __init__(self, seed: int) -> None:
        self.life, self.done = LifeByChance(seed), Counter[str]()
        self.choose = self.life.rng.choice

    @property
    def event(self) -> Event:
        return Event.objects.get(pk=self.life.event.pk)

    @property
    def by(self) -> Actor:
        return Actor(user=self.life.event.created_by)

    def live(self, steps: int) -> None:
        for _step in range(steps):
            roll = self.life.rng.random()
            if roll < 0.15:
                self.life.send(asked(self.event.slug, self.choose(BESIDE), self.choose))
            elif roll < 0.35:
                self.correct()
            else:
                self.life.send(onward(self.event.slug, self.choose))

    def correct(self) -> None:
        """Correct a result in one of the ways; what was foretold is there afterwards."""
        every = Match.objects.filter(round__event=self.event, state=Match.State.FINAL, size=2)
        related = every.select_related("round__event", "group__stage", "decision", "a", "b")
        if not (found := list(related.order_by("pk"))):
            return
        before, tried = load_facts(self.event), []
        self.life.rng.shuffle(found)
        for match in found[:12]:
            body = results.usual(match_rules(match, match.round.event), self.choose)
            claim = results.claim_of(body)
            try:
                outcome = checked_correction(match, match.version, claim, reason="x", by=self.by)
            except RuleError:
                continue
            tried.append((match, claim, outcome, correction_of(before, match, outcome)))
        tried.sort(key=lambda one: (one[3].reaches_further, one[3].why_not is None))
        if not tried:
            return
        match, claim, outcome, shown = tried[-1]
        keys = [m.pk for m in Match.objects.filter(round__event=self.event)]
        void = tuple(key for key in keys if self.life.rng.random() < 0.3)
        way = self.choose(("follow", "follow", "keep", "take_back"))
        options: dict[str, Any] = {"match": match, "version": match.version, "claim": claim}
        options |= {"reason": "Swapped", "by": self.by}
        if way != "keep":
            options["shown"] = shown.mark
        if way == "follow":
            options["void"] = void
        if way == "take_back":
            options["confirm"] = self.event.name
        found = correction_of(before, match, outcome, void)
        if refused := self.try_to(way, options):
            assert {"follow": found.why_not, "take_back": not found.reaches_further}[way] or (
                found.follows is None
            )
            self.done[refused] += 1
            return
        self.done[way] += 1
        self.check(way, shown, found, before)
        if shown.reaches_further and self.choose((True, True, False)):
            self.back(before)

    def try_to(self, way: str, options: dict[str, Any]) -> str:
        """Do it; return the code of what the rules forbid, "" once it is done."""
        try:
            with transaction.atomic():
                getattr(services, way)(**options)
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
        if way == "keep":
            others = [s for i, s in enumerate(standing(after)) if i != own]
            assert others == [s for i, s in enumerate(standing(before)) if i != own]
        elif way == "follow":
            assert after.stages[found.target.stage.number - 1].state == found.follows.state
            if found.places:
                assert after.stages[own].stage.places == found.places
            self.done["foretold"] += 1
        else:
            gone = {item.pk for item in shown.goes}
            assert {i.pk for i in after.rounds} == {i.pk for i in before.rounds} - gone
            assert after.open_stage.stage.number == own + 1

    def back(self, before: EventFacts) -> None:
        event = self.event
        undo(event=event, expected=last_act(event).line.number, by=self.by)
        assert standing(load_facts(event)) == standing(before)
        self.sound()
        self.done["undone"] += 1
        if self.choose((True, False)):
            event = self.event
            line = undone_act(event)
            name, *_more = names_to_type(event, line, again=True) or ("",)
            redo(event=event, expected=line.number, confirm=name, by=self.by)
            self.sound()
            self.done["redone"] += 1

    def sound(self) -> None:
        assert list(map(str, verify_event(self.event))) == []


def lives(seeds: range, folder: Path) -> Iterator[Corrected]:
    for seed in seeds:
        with transaction.atomic():
            life = Corrected(seed)
            life.live(40)
            event = life.life.end()
            life.sound()
            _code, said = check(folder / "transcript.json", whole_transcript(event), event.head)
            assert "wrong 0" in said, (seed, said)
            transaction.set_rollback(True)
        yield life


@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 62), marks=pytest.mark.deep)], ids=["few", "many"]
)
def test_what_is_foretold_happens(seeds: range, tmp_path: Path) -> None:
    logging.disable(logging.CRITICAL)
    done: Counter[str] = Counter()
    try:
        for life in lives(seeds, tmp_path):
            done += life.done
    finally:
        logging.disable(logging.NOTSET)
    assert set(done) >= (MET if len(seeds) > 10 else {"keep"}), done
