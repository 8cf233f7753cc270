"""Rows that a result did not change are those of before, and pages are as if made anew."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.tournaments.core.conftest import enter
from tournaments.core.held_facts import FactsStore, read_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event
from tournaments.players.services.links import make_link
from tournaments.results.services.results import correct_result
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.standings.selectors.standings import stage_standings
from tournaments.templatetags import kept

pytestmark = pytest.mark.django_db(transaction=True)
PAGES = ("pairings", "standings", "event")
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')


@pytest.fixture
def event(by: Actor, store: FactsStore) -> Event:
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
    assert (changed.table, changed.a.won, changed.is_final) == (match.table, True, True)


def test_rows_of_standings_that_say_the_same_are_the_very_same(event: Event, by: Actor) -> None:
    def rows() -> dict[int, Any]:
        table = stage_standings(facts_of(event))[0].tables[0]
        return {row.entry.number: row for row in table.rows}

    enter(event, by)
    before = rows()
    match = enter(event, by)
    after = rows()
    players = {match.a.number, match.b.number}
    assert all(after[number] != before[number] for number in players)
    assert [number for number in after if after[number] is before[number]]
    assert all(after[n] is before[n] for n in after if after[n] == before[n])


@pytest.mark.parametrize("language", ["it", "en"])
def test_pages_of_kept_rows_are_as_if_made_anew(
    event: Event, by: Actor, store: FactsStore, language: str
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
    store.forget()
    kept.forget()
    assert pages() == made


def test_parts_of_templates_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.template import Context, Template

    monkeypatch.setattr(kept, "MOST", 2)
    kept.forget()
    template = Template("{% load kept %}{% kept a %}<{{ a }}>{{ b }}{% endkept %}")
    for value in (1, 2, 3, "<"):
        template.render(Context({"a": value, "b": value}))
    assert len(kept.parts) <= 2
    assert template.render(Context({"a": "<", "b": "other"})) == "<&lt;>&lt;"
