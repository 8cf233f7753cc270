"""Facts that a process holds are those of the database, whatever was written or restored."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from rules.events.clock import ClockAction
from tests import factories as make
from tests.state_differences import differences
from tests.tournaments.core.conftest import enter
from tournaments.clock.services import run_clock
from tournaments.core import facts_cache
from tournaments.core.event_state import load_facts
from tournaments.core.facts_cache import FactsCache, read_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event
from tournaments.rounds.services import delete_last_round, draft_round, publish_round
from tournaments.standings.selectors.standings import stage_standings

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event(by: Actor, cached_facts: FactsCache) -> Event:
    event = make.started(by, 6, formula="swiss-cut")
    make.next_round(event, by)
    return fresh(event)


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def test_the_same_version_is_read_once(event: Event, django_assert_num_queries: Any) -> None:
    first = read_facts(event)
    with django_assert_num_queries(0):
        assert read_facts(fresh_without_query(event)) is first


def fresh_without_query(event: Event) -> Event:
    return Event(pk=event.pk, version=event.version, head=event.head)


def test_a_result_costs_two_queries(event: Event, by: Actor) -> None:
    read_facts(event)
    enter(event, by)
    now = fresh(event)
    with CaptureQueriesContext(connection) as done:
        found = read_facts(now)
    asked = [query["sql"] for query in done.captured_queries]
    begun_and_ended = 3 if connection.vendor == "postgresql" else 2  # it says the isolation too
    assert len(asked) == 2 + begun_and_ended
    assert sum(sql.startswith("SELECT") for sql in asked) == 2
    assert differences(found, load_facts(now, for_staff=False)) == []
    assert found.stages[0].missing == load_facts(now).stages[0].missing
    assert len(found.stages[0].missing) == 2


def test_rows_of_standings_follow_each_result(event: Event, by: Actor) -> None:
    """The reasons of ranks are worded once while they hold."""
    while load_facts(event).open_stage.missing:
        stage_standings(read_facts(event))
        enter(event, by)
        event = fresh(event)
        kept, anew = stage_standings(read_facts(event)), stage_standings(load_facts(event))
        assert kept[0].tables[0].rows == anew[0].tables[0].rows
    assert all(row.why for row in kept[0].tables[0].rows)


@pytest.mark.deep
def test_other_acts_read_everything(event: Event, by: Actor) -> None:
    """The clock, a draft, its publication and its end are no results."""
    run_clock(event=event, ordinal=1, action=ClockAction.START, by=by)
    assert read_facts(fresh(event)).rounds[0].clock.state == "running"
    while load_facts(event).open_stage.missing:
        enter(event, by)
        event = fresh(event)
        assert differences(read_facts(event), load_facts(event, for_staff=False)) == []
    draft_round(event=event, expected_round=2, by=by)
    assert len(read_facts(fresh(event), for_staff=True).rounds) == 2
    assert len(read_facts(fresh(event)).rounds) == 1, "a draft is not for everybody"
    publish_round(event=event, ordinal=2, by=by)
    assert len(read_facts(fresh(event)).rounds) == 2
    event = fresh(event)
    assert differences(read_facts(event), load_facts(event, for_staff=False)) == []


def test_nothing_of_a_transaction_that_was_rolled_back_stays(event: Event, by: Actor) -> None:
    before = read_facts(event)
    with transaction.atomic():
        enter(event, by, (40, 10))
        inside = fresh(event)
        assert inside.version == event.version + 1
        assert len(read_facts(inside).stages[0].missing) == 2
        transaction.set_rollback(True)
    assert read_facts(fresh(event)) is before
    enter(event, by, (3, 30))
    now = fresh(event)
    assert now.version == inside.version, "the same number, reached twice"
    assert differences(read_facts(now), load_facts(now, for_staff=False)) == []
    winners = [
        match.decision.winner for match in read_facts(now).stages[0].matches if match.decision
    ]
    assert winners == ["b"]


def test_rows_that_wait_for_their_line_are_not_held(event: Event, by: Actor) -> None:
    """A service writes first and records last: until then the version is the one before."""
    with transaction.atomic():
        event.entries.filter(number=1).update(name="Zoe")
        assert read_facts(fresh(event)).entries[1].name == "Zoe"
        transaction.set_rollback(True)
    assert read_facts(fresh(event)).entries[1].name != "Zoe"


def test_a_database_that_was_put_back_is_read_again(event: Event, by: Actor) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the file of a database is SQLite's")
    connection.ensure_connection()
    kept = sqlite3.connect(":memory:")
    connection.connection.backup(kept)
    enter(event, by, (40, 10))
    later = read_facts(fresh(event))
    kept.backup(connection.connection)
    kept.close()
    again = fresh(event)
    assert again.version == event.version < later.event.version
    assert len(read_facts(again).stages[0].missing) == 3
    enter(event, by, (3, 30))
    now = fresh(event)
    assert now.version == later.event.version
    assert differences(read_facts(now), load_facts(now, for_staff=False)) == []


def test_many_threads_load_a_version_once(
    event: Event, cached_facts: FactsCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads, together = [], Barrier(8)
    load = facts_cache.load_rows
    monkeypatch.setattr(facts_cache, "load_rows", lambda event: loads.append(event) or load(event))

    def ask(_number: int) -> int:
        together.wait(timeout=60)
        found = cached_facts.facts(event, drafts=False)
        connection.close()
        return id(found)

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(8)))) == 1
    assert len(loads) == 1


@pytest.mark.deep
def test_readers_and_a_writer_at_once_see_whole_versions(
    event: Event, by: Actor, cached_facts: FactsCache
) -> None:
    """What is read while results come is some version as it was committed, never a mixture."""

    def read(_number: int) -> list[tuple[int, int]]:
        seen = []
        for _time in range(30):
            found = cached_facts.facts(fresh(event), drafts=False)
            seen.append((found.event.version, len(found.stages[0].missing)))
        connection.close()
        return seen

    with ThreadPoolExecutor(3) as pool:
        readers = pool.map(read, range(3))
        for _table in range(3):
            enter(event, by)
        seen = {pair for pairs in readers for pair in pairs}
    assert {missing - (event.version - version) for version, missing in seen} == {3}


def test_memory_is_bounded(event: Event, by: Actor) -> None:
    other = fresh(make.started(by, 4, formula="single-group"))
    one = FactsCache(most_events=1)
    first = one.facts(event, drafts=False)
    assert one.facts(event, drafts=False) is first
    one.facts(other, drafts=False)
    assert one.facts(event, drafts=False) is not first
    small = FactsCache(most_matches=2)
    assert small.facts(event, drafts=False) is not small.facts(event, drafts=False)


def test_an_event_without_a_log_is_not_cached(event: Event, cached_facts: FactsCache) -> None:
    Event.objects.filter(pk=event.pk).update(head="")
    assert read_facts(fresh(event)) is not read_facts(fresh(event))


def test_a_round_taken_back_is_gone_at_the_next_request(event: Event, by: Actor) -> None:
    client = Client(headers={"Accept-Language": "en"})
    address = f"/events/{event.slug}/pairings/"
    assert "by-table" in client.get(address).content.decode()
    delete_last_round(event=event, ordinal=1, by=by)
    assert "by-table" not in client.get(address).content.decode()
