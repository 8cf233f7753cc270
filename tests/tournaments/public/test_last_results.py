"""The last result on the card of an event being played: which one, its score, when it goes."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.models import Event
from tournaments.players.services.entries import change_entry
from tournaments.public.page_cache import PageCache
from tournaments.public.selectors.listed import LastResult, last_results
from tournaments.results.services.reports import report_result
from tournaments.results.services.results import decide_result
from tournaments.undo.services import undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def by() -> Actor:
    cache.clear()
    return make.organiser()


def last_of(event: Event) -> LastResult | None:
    return last_results([Event.objects.get(pk=event.pk)]).get(event.pk)


def shown() -> str:
    return " ".join(Client().get("/").content.decode().split())


def enter(event: Event, table: int, score: tuple[int, int], by: Actor) -> None:
    match = event.rounds.latest("ordinal").matches.get(table=table)
    decide_result(match=match, version=match.version, claim=Claim(score=score), by=by)


def test_the_newest_that_counts_is_told_from_the_winners_side(by: Actor) -> None:
    event = make.playing(by, 4, formula="single-group")
    first, second = event.rounds.get().matches.order_by("table")
    assert last_of(event) is None
    report_result(match=second, claim=Claim(score=(40, 22)), by=Actor(entry=second.players[0]))
    assert last_of(event) is None, "only reported"
    enter(event, second.table, (40, 22), by)
    enter(event, first.table, (21, 43), by)
    names = {"first": first.players[1].name, "second": first.players[0].name}
    assert last_of(event) == LastResult(**names, score="43–21", drawn=False)
    card = shown()
    assert (
        f"<b><bdi>{first.players[1].name}</bdi></b> 43–21 <bdi>{first.players[0].name}</bdi>"
        in card
    )


def test_of_a_concession_no_score_is_told(by: Actor) -> None:
    event = make.playing(by, 4, formula="single-group")
    match = event.rounds.get().matches.get(table=1)
    claim = Claim(winner="b", ended_by="concession")
    decide_result(match=match, version=match.version, claim=claim, by=by)
    told = f"{match.players[0].name}</bdi> (resa di {match.players[0].name})"
    assert f"<b><bdi>{match.players[1].name}</bdi></b> – <bdi>{told}" in shown()
    page = " ".join(Client().get(f"/events/{event.slug}/").content.decode().split())
    assert f"resa di {match.players[0].name}" in page
    assert f">resa di {match.players[0].name}</a></b>" in page.partition('<b class="told">')[2]
    assert not any(score in page for score in ("1–0", "0–1", '"score">1', '"score">0'))


def test_of_a_draw_nobody_stands_out_and_a_bye_is_no_result(by: Actor) -> None:
    event = make.playing(by, 5, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    assert event.rounds.get().matches.filter(state="final").exclude(match_seats__number=2).exists()
    assert last_of(event) is None
    match = event.rounds.get().matches.filter(match_seats__number=2).first()
    enter(event, match.table, (30, 30), by)
    found = last_of(event)
    assert (found.first, found.score, found.drawn) == (match.players[0].name, "30–30", True)
    assert f"<bdi>{match.players[0].name}</bdi> 30–30" in shown()


def test_it_costs_readers_no_query_until_the_log_grows(by: Actor) -> None:
    events = [make.playing(by, 4, formula="single-group", name=name) for name in ("Uno", "Due")]
    for event in events:
        enter(event, 1, (40, 20), by)
    events = list(Event.objects.order_by("pk"))
    with CaptureQueriesContext(connection) as asked:
        known = last_results(events)
    assert (len(asked), len(known)) == (2, 2)
    with CaptureQueriesContext(connection) as again:
        assert last_results(events) == known
    assert not len(again)
    enter(events[0], 2, (12, 41), by)
    events = list(Event.objects.order_by("pk"))
    with CaptureQueriesContext(connection) as more:
        assert last_results(events)[events[0].pk].score == "41–12"
    assert len(more) == 2


def test_a_result_taken_back_and_a_name_changed_are_gone_at_the_next_request(
    front: PageCache, event: Event, by: Actor
) -> None:
    enter(event, 2, (47, 3), by)
    enter(event, 1, (48, 2), by)
    assert "48–2" in shown()
    undo(event=event, expected=Event.objects.get(pk=event.pk).version, by=by)
    page = shown()
    assert "48–2" not in page
    assert "47–3" in page
    entry = event.rounds.latest("ordinal").matches.get(table=2).players[0]
    assert entry.name in page
    change_entry(entry=entry, changes={"name": "Nominata Altrimenti"}, by=by)
    page = shown()
    assert f"<bdi>{entry.name}</bdi></b> 47–3" not in page
    assert "Nominata Altrimenti" in page


def test_a_held_table_leaves_the_result_and_a_hidden_event_takes_it_along(by: Actor) -> None:
    event = make.playing(by, 4, formula="single-group", standings_held="all")
    enter(event, 1, (46, 4), by)
    assert "46–4" in shown(), "results stay public"
    Event.objects.filter(pk=event.pk).update(state=Event.State.DRAFT)
    assert "46–4" not in shown()
