"""The start of an event through its services: the draw of the order, lists, too few players."""

import pytest

from decks.decklists.samples import sample_deck
from rules.errors import BadInput, RuleError
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.decklists import services as decklists
from tournaments.lots import services as draws
from tournaments.players.services import departures, entries
from tournaments.starting import services as starting

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    return make.open_event(by, capacity=3)


def test_an_illegal_list_is_kept_and_keeps_the_event_from_starting(by):
    event = make.open_event(by, format="creatures-of-exo", decklists="required")
    ada, bea, carlo = make.players(event, 3, by)
    decklists.submit_decklist(entry=ada, text=sample_deck(event.format, 1), by=Actor(entry=ada))
    short = decklists.submit_decklist(entry=bea, text="2 Fulminara", by=Actor(entry=bea))
    assert not short.decklist.legal
    draw = draws.draw_start_order(event=event, by=by)
    with pytest.raises(RuleError) as refused:
        starting.start_event(event=event, draw_number=draw.number, by=by)
    assert refused.value.code == "decklists_not_ready"
    assert refused.value.sentence.values["names"] == (bea.name, carlo.name)
    starting.start_event(event=event, draw_number=draw.number, override="They promise", by=by)
    assert event.log.last().reason == "They promise"


def test_seed_positions_stand_first(event, by):
    added = make.players(event, 3, by)
    entries.change_entry(entry=added[2], changes={"seed": 1}, by=by)
    assert draws.draw_start_order(event=event, by=by).order[0] == 3
    with pytest.raises(BadInput) as refused:
        entries.change_entry(entry=added[0], changes={"seed": 1}, by=by)
    assert refused.value.code == "seed_taken"


def test_a_draw_is_outdated_when_the_players_change(event, by):
    added = make.players(event, 3, by)
    draw = draws.draw_start_order(event=event, by=by)
    departures.withdraw(entry=added[0], by=by)
    with pytest.raises(RuleError) as refused:
        starting.start_event(event=event, draw_number=draw.number, by=by)
    assert refused.value.code == "draw_outdated"


def test_an_order_drawn_by_hand_is_taken_as_it_fell(event, by):
    make.players(event, 3, by)
    with pytest.raises(BadInput):
        draws.record_start_order(event=event, order=[1, 2], witnesses="Bea", by=by)
    draw = draws.record_start_order(event=event, order=[3, 1, 2], witnesses="Bea, Ada", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    event.refresh_from_db()
    assert load_facts(event).stages[0].state.seats == {"A": (3, 1, 2)}


def test_an_event_starts_once_and_too_few_players_are_refused(event, by):
    make.players(event, 2, by)
    draw = draws.draw_start_order(event=event, by=by)
    with pytest.raises(BadInput) as refused:
        starting.start_event(event=event, draw_number=draw.number, by=by)
    assert refused.value.code == "too_few_players"
    entries.add_entry(event=event, name="Carlo", by=by)
    draw = draws.draw_start_order(event=event, by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    with pytest.raises(RuleError) as refused:
        starting.start_event(event=event, draw_number=draw.number, by=by)
    assert refused.value.code == "event_started"
