"""Every change of what counts is noticed: alone, in pairs, and with the chain recomputed."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import DatabaseError, transaction

from rules.events.ledger import FIRST
from tests import factories as make
from tests.planting import Change, changes
from tournaments.chain.lines import chain_line, payload_as_facts, seal_private_part
from tournaments.chain.payload import event_payload
from tournaments.keeping_apart import services as apart
from tournaments.models import Event, LogLine
from tournaments.penalties import services as penalties
from tournaments.players.services import departures
from tournaments.verification.event import compare_with_transcript, verify_event

pytestmark = pytest.mark.django_db

KNOWN: dict[str, str] = {}
"""Changes that nothing notices, by their name, and why; ``docs/verifying.md`` names them too."""


def eventful(by) -> Event:
    """Return a finished event in which something of everything happened."""
    event = make.open_event(
        by,
        name="Trofeo",
        decklists="required",
        formula="swiss-cut",
        options={"rounds": 3, "cut": 2},
    )
    make.players(event, 7, by)
    make.with_decks(event, by)
    apart.add_separated_pair(event=event, numbers=(1, 2), by=by)
    apart.add_separated_pair(event=event, numbers=(3, 4), by=by)
    draw = make.draws.draw_start_order(event=event, seed="seed", by=by)
    make.starting.start_event(event=event, draw_number=draw.number, by=by)
    event = Event.objects.get(pk=event.pk)
    make.play_round(make.next_round(event, by), by)
    for number, words in ((3, "late"), (4, "asleep")):
        entry = event.entries.get(number=number)
        penalties.give_penalty(entry=entry, level="warning", infraction=words, by=by)
    departures.withdraw(entry=event.entries.get(number=6), reason="train", by=by)
    return make.play_event(event, by)


@contextmanager
def taken_back() -> Iterator[None]:
    """Undo in the database what happens inside."""
    mark = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(mark)


def planted(change: Change) -> bool:
    """Make a change; say whether the database took it."""
    try:
        with transaction.atomic():
            change.make()
    except DatabaseError:
        return False
    return True


def forge(event: Event) -> None:
    """Recompute the whole chain from what the tables hold."""
    before = FIRST
    lines = list(event.log.order_by("number"))
    for line in lines:
        if line is lines[-1]:
            told = event_payload(event)
            line.facts, line.words = payload_as_facts(told, whole_event=True), told.words
        seal_private_part(line)
        chain_line(line, before)
        before = line.digest
    columns = ["facts", "words", "salt", "closed_digest", "digest"]
    LogLine.objects.bulk_update(lines, columns)
    Event.objects.filter(pk=event.pk).update(head=before)


def findings(event: Event) -> list[str]:
    return [str(one) for one in verify_event(Event.objects.get(pk=event.pk))]


def noticed(event: Event) -> bool:
    """Say whether anything is found; the rest is not computed."""
    return any(True for _finding in verify_event(Event.objects.get(pk=event.pk)))


@pytest.fixture
def event(by) -> Event:
    event = eventful(by)
    assert findings(event) == []
    return event


@pytest.mark.parametrize(
    "third", [0, *(pytest.param(rest, marks=pytest.mark.deep) for rest in (1, 2))]
)
def test_changes_alone(event, third):
    missed, made = [], 0
    for at, change in enumerate(changes(event, random.Random(1))):
        with taken_back():
            if at % 3 == third and planted(change):
                made += 1
                missed += [] if noticed(event) else [change.name]
    assert made > 50
    assert set(missed) <= set(KNOWN), missed


@pytest.mark.deep
@pytest.mark.parametrize("turns", [20, pytest.param(60, marks=pytest.mark.deep)])
def test_changes_in_pairs(event, turns):
    chance = random.Random(7)
    every = list(changes(event, chance))
    made = 0
    for _turn in range(turns):
        with taken_back():
            pair = chance.sample(every, 2)
            taken = [planted(change) for change in pair]
            if not all(taken):
                continue
            made += 1
            assert noticed(event), [change.name for change in pair]
    assert made > turns // 2


@pytest.mark.parametrize("tries", [16, pytest.param(40, marks=pytest.mark.deep)])
def test_changes_with_the_chain_recomputed(event, tries):
    """Beside the digests that somebody kept, such as those of a transcript, they are noticed."""
    chance = random.Random(11)
    held, made = dict(event.log.values_list("number", "digest")), 0
    for change in chance.sample(list(changes(event, chance)), tries):
        with taken_back():
            if not planted(change):
                continue
            try:
                forge(event)
            except (LogLine.DoesNotExist, Event.DoesNotExist):
                continue
            made += 1
            assert any(compare_with_transcript(event, held)), change.name
    assert made > tries // 2
