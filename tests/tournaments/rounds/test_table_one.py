"""Table 1 of a round: the final, and in Swiss rounds the best pair."""

import pytest

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match
from tournaments.rounds import services as rounds
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def test_the_final_is_at_table_one_and_keeps_its_number(by: Actor) -> None:
    event = make.started(by, 4, formula="single-elimination", options={"third_place": True})
    make.play_round(make.next_round(event, by), by)
    last = make.next_round(event, by)
    assert list(last.matches.order_by("table").values_list("table", "number")) == [(1, 4), (2, 3)]
    make.play_round(last, by)
    assert not list(verify_event(Event.objects.get(pk=event.pk)))


def test_a_swiss_round_begins_with_its_best_pair(by: Actor) -> None:
    event = make.started(by, 13, formula="swiss-cut")
    for _round in range(3):
        make.play_round(make.next_round(event, by), by)
    points = {
        row.player: row.values["points"]
        for row in load_facts(event).open_stage.outcome.standings["Swiss"].rows
    }
    item = make.next_round(event, by)
    worth = [
        (max(pair), sum(pair))
        for match in Match.objects.filter(round=item, table__isnull=False).order_by("table")
        for pair in [(points[match.players[0].number], points[match.players[1].number])]
    ]
    assert worth == sorted(worth, reverse=True)
    assert len(set(worth)) > 1
    make.play_round(item, by)
    assert not list(verify_event(Event.objects.get(pk=event.pk)))


def test_rounds_stored_with_the_older_order_of_tables_stay_true(
    by: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round drafted before the order changed is published, played and gone on from after it."""
    monkeypatch.setattr(rounds, "by_table", lambda state, pairings: tuple(pairings))
    event = make.started(by, 4, formula="single-elimination", options={"third_place": True})
    make.play_round(make.next_round(event, by), by)
    rounds.draft_round(event=event, expected_round=2, by=by)
    swiss = make.started(by, 12, formula="swiss-cut", options={"rounds": 4, "cut": 2})
    make.play_round(make.next_round(swiss, by), by)
    rounds.draft_round(event=swiss, expected_round=2, by=by)
    monkeypatch.undo()
    for going in (event, swiss):
        assert not list(verify_event(Event.objects.get(pk=going.pk)))
        make.play_round(rounds.publish_round(event=going, ordinal=2, by=by), by)
        assert not list(verify_event(Event.objects.get(pk=going.pk)))
    stored = event.rounds.get(ordinal=2).matches.order_by("table").values_list("table", "number")
    assert list(stored) == [(1, 3), (2, 4)]
    make.play_event(swiss, by)
    assert not list(verify_event(Event.objects.get(pk=swiss.pk)))
