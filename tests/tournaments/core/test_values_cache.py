"""Rows that a result did not change are those of before, and pages are as if made anew."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from config import env
from tests import factories as make
from tests.tournaments.core.conftest import enter
from tournaments.core.event_state import cached_value
from tournaments.core.facts_cache import FactsCache, read_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match
from tournaments.players.services.entries import make_link
from tournaments.results.services.reports import report_result
from tournaments.results.services.results import correct_result
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.standings.selectors.standings import stage_standings

pytestmark = pytest.mark.django_db(transaction=True)
SWITCHES = ("facts", "values")
PAGES = ("pairings", "standings", "event")
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')


@pytest.fixture
def event(by: Actor, cached_facts: FactsCache) -> Event:
    event = make.started(by, 11, formula="swiss-cut")
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    return event


def facts_of(event: Event) -> Any:
    return read_facts(Event.objects.get(pk=event.pk))


def test_the_rows_of_other_tables_are_the_very_same(event: Event, by: Actor) -> None:
    before = pairings_page(facts_of(event))
    match = enter(event, by)
    after = pairings_page(facts_of(event))
    assert before is not None
    assert after is not None
    assert after.names is before.names
    same = [one is other for one, other in zip(before.tables, after.tables, strict=True)]
    assert same.count(False) == 1
    changed = after.tables[same.index(False)]
    assert (changed.table, changed.sides[0].won, changed.is_final) == (match.table, True, True)


def test_rows_of_standings_that_say_the_same_are_the_very_same(event: Event, by: Actor) -> None:
    def rows() -> dict[int, Any]:
        table = stage_standings(facts_of(event))[0].tables[0]
        return {row.entry.number: row for row in table.rows}

    enter(event, by)
    before = rows()
    match = enter(event, by)
    after = rows()
    players = {player.number for player in match.players}
    assert all(after[number] != before[number] for number in players)
    assert all(after[n] is before[n] for n in after if after[n] == before[n])
    reported = Match.objects.filter(round__event=event, state="open").order_by("number")[0]
    player = Actor(entry=reported.players[0])
    report_result(match=reported, claim=make.Claim(score=(40, 10)), by=player)
    again = rows()
    assert again[1] == after[1]
    assert all(again[n] is after[n] for n in after), "a report decides nothing"


@pytest.mark.deep
@pytest.mark.parametrize("language", ["it", "en"])
def test_pages_are_the_same_with_and_without_caches(
    event: Event, by: Actor, cached_facts: FactsCache, settings: Any, language: str
) -> None:
    entry = event.entries.get(number=3)
    phone = Client(headers={"Accept-Language": language})
    phone.get(reverse("tournaments:open-link", args=[make_link(entry=entry, by=by)]))
    readers = (Client(headers={"Accept-Language": "en"}), phone, Client())
    addresses = [reverse(f"tournaments:{name}", args=[event.slug]) for name in PAGES]
    addresses.append(reverse("tournaments:me-now", args=[event.slug]))

    def pages() -> list[bytes]:
        found = [phone.get(addresses[-1]).content]
        found += [reader.get(path).content for reader in readers for path in addresses[:-1]]
        return [TOKEN.sub(b"", page) for page in found]

    pages()
    first = enter(event, by)
    pages()
    enter(event, by, (12, 40))
    first.refresh_from_db()
    claim = make.Claim(score=(10, 40))
    correct_result(match=first, version=first.version, claim=claim, reason="Typo", by=by)
    made = pages()
    for off in SWITCHES:
        settings.CACHES_OFF = [off]
        assert pages() == made, off
    settings.CACHES_OFF = []
    cached_facts.forget()
    assert pages() == made


@pytest.mark.parametrize("off", SWITCHES)
def test_a_cache_that_is_off_keeps_nothing(
    event: Event, cached_facts: FactsCache, settings: Any, off: str
) -> None:
    settings.CACHES_OFF = [off]
    key = object()
    asked = list[int]()
    for _again in range(2):
        facts = facts_of(event)
        cached_value(facts, key, lambda: asked.append(1))
        cached_value(facts, key, lambda: asked.append(2))
    assert len(asked) > 1
    assert (cached_facts.latest(event) is None) is (off == "facts")


def test_every_cache_has_its_switch_and_its_place_in_the_documentation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = (Path(__file__).parents[3] / "docs" / "caches.md").read_text()
    assert re.findall(r"`CACHES_OFF=(\w+)`", page) == list(SWITCHES)
    monkeypatch.setenv("CACHES_OFF", "values, magic")
    with pytest.raises(ImproperlyConfigured, match="CACHES_OFF"):
        env.choices("CACHES_OFF", SWITCHES)
