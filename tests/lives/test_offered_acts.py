"""What the staff's pages offer is not refused at that moment, whatever happened before."""

import logging
from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import Client

from tests import factories as make
from tests.lives.by_chance import LifeByChance
from tests.lives.offered import sent_in_vain, tree_of
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Role
from tournaments.models import Event, Round

pytestmark = [pytest.mark.django_db, pytest.mark.deep]
LIVES = 60
TABLES = 2
"""Tables whose pages are looked at, at each moment."""


def pages(event: Event, life: LifeByChance) -> Iterator[str]:
    """Yield the addresses of the desk and of the judges' pages."""
    yield from ("desk/", "floor/", "desk/finish/")
    facts = load_facts(event)
    stage = facts.open_stage
    if stage is None or stage.last_round is None:
        return
    if stage.last_round.state == Round.State.DRAFT:
        yield f"desk/rounds/{stage.last_round.ordinal}/"
        return
    matches = [match for match in stage.matches_of(stage.last_round) if match.size > 1]
    for match in life.rng.sample(matches, min(TABLES, len(matches))):
        yield f"floor/tables/{match.pk}/"
        yield f"matches/{match.pk}/"


def refused(event: Event, role: str, browser: Client, life: LifeByChance) -> Iterator[str]:
    """Yield what the pages of the desk and of the judges offer somebody in vain."""
    for name in pages(event, life):
        path = f"/events/{event.slug}/{name}"
        answer = browser.get(path)
        if answer.status_code == 200:
            for each in sent_in_vain(browser, tree_of(answer.content.decode()), path, fill=True):
                yield f"{role} at {name}: {each}"
        else:
            assert answer.status_code in (302, 403, 404, 409), (role, path, answer.status_code)


def live(seed: int) -> Iterator[str]:
    life = LifeByChance(seed)
    browsers = {"organiser": Client()}
    browsers["organiser"].force_login(life.event.created_by)
    for role in (Role.JUDGE, Role.HEAD_JUDGE, Role.SCOREKEEPER):
        browsers[role] = Client()
        browsers[role].force_login(make.staff(life.event, role).user)
    for _moment in range(4):
        life.live(life.rng.randint(3, 8))
        event = Event.objects.get(pk=life.event.pk)
        for role, browser in browsers.items():
            yield from refused(event, role, browser, life)


def test_what_is_offered_to_the_staff_is_not_refused() -> None:
    logging.disable(logging.CRITICAL)
    found = []
    try:
        for seed in range(LIVES):
            with transaction.atomic():
                found += [f"{seed}: {each}" for each in live(seed)]
                transaction.set_rollback(True)
    finally:
        logging.disable(logging.NOTSET)
    assert not found, "\n".join(found)
