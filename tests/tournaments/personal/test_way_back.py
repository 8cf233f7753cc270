"""What whoever has left is told about coming back: each way, in both languages, now and a copy."""

from itertools import product

import pytest
from django.utils.translation import override

from rules.events.lifecycle import OPEN, Returning
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.lots.services import draw_start_order
from tournaments.personal.selectors.player import way_back
from tournaments.players.selectors.returns import returning_of
from tournaments.players.services import departures
from tournaments.stages.services import close_stage
from tournaments.starting.services import start_event

pytestmark = pytest.mark.django_db
WORDS = {
    Returning.MAY_ASK: ("You can come back from round 2 on.", "Puoi rientrare dal turno 2."),
    Returning.ASKED: ("The desk decides", "Decide la segreteria"),
    Returning.REFUSED: ("The staff refused", "Lo staff ha detto di no"),
    Returning.STRUCK: ("you are struck", "ti ha tolto dal girone"),
    Returning.ALL_PLAYED: ("no match is left for you", "non hai più incontri da giocare"),
    Returning.NO_PLACE: ("began without you", "è iniziata senza di te"),
}
DESK = {"en": "desk", "it": "segreteria"}
PROMISES = ("this page tells you", "questa pagina ti avvisa")


@pytest.fixture
def left(by):
    event = make.halfway(by, 6, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    entry = departures.withdraw(entry=event.entries.get(number=3), by=by)
    entry.return_asked_at = entry.return_refused_at = event.begins
    return load_facts(event, drafts=False), entry


def test_each_way_has_its_words_and_names_the_desk(left):
    for returning, (place, language) in product(Returning, enumerate(("en", "it"))):
        with override(language):
            words = way_back(*left, returning)
        if returning is Returning.NOT_OFFERED:
            assert words is None
            continue
        assert words is not None
        assert WORDS[returning][place] in words.line, (returning, language)
        assert words.asks == (returning is Returning.MAY_ASK)
        copied = words.line_offline or words.line
        assert DESK[language] in copied
        assert not [one for one in PROMISES if one in copied]
        assert (DESK[language] in words.line) or words.asks
        assert bool(words.line_offline) == (returning in OPEN - {Returning.REFUSED})


def test_before_the_start_and_in_a_bracket_no_round_is_named(by):
    event = make.open_event(by)
    entry = make.players(event, 2, by)[0]
    with override("en"):
        before = way_back(load_facts(event), entry, Returning.MAY_ASK)
    assert before is not None
    assert before.line == "The event has not begun: the staff can still take you back."
    event = make.playing(by, 4, formula="double-elimination")
    entry = event.entries.get(number=1)
    with override("en"):
        words = way_back(load_facts(event, drafts=False), entry, Returning.MAY_ASK)
    assert words is not None
    assert words.line == "You can still come back. A match that you miss meanwhile is lost."


def test_who_left_before_the_start_can_ask_though_a_later_stage_has_no_seats_yet(by):
    event = make.open_event(by, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    entry = departures.withdraw(entry=make.players(event, 7, by)[0], by=by)
    draw = draw_start_order(event=event, by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    assert returning_of(load_facts(event), entry) is Returning.MAY_ASK


def test_before_the_start_a_full_event_promises_no_place(by):
    event = make.open_event(by, capacity=2)
    entry = make.players(event, 3, by)[0]
    departures.withdraw(entry=entry, by=by)
    entry.refresh_from_db()
    facts = load_facts(event)
    assert returning_of(facts, entry) is Returning.MAY_ASK
    with override("en"):
        words = way_back(facts, entry, Returning.MAY_ASK)
    assert words is not None
    assert "All places are taken now" in words.line
    assert "you can still come back" not in words.line


def test_who_sat_in_an_earlier_stage_enters_no_later_one(by, monkeypatch):
    options = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 2}}
    event = make.stage_played(by, 6, **options)
    facts = load_facts(event, drafts=False)
    for player in facts.stages[0].state.players:
        entry = event.entries.get(number=player)
        if player not in facts.stages[0].outcome.places.values():
            departures.withdraw(entry=entry, by=by)
    close_stage(event=event, expected_stage=1, by=by)
    monkeypatch.setattr("rules.stages.knockout.Knockout.admits_late", True)
    entry.refresh_from_db()
    facts = load_facts(event, drafts=False)
    assert entry.number not in facts.open_stage.state.players
    assert returning_of(facts, entry) is Returning.NO_PLACE


def test_who_left_before_the_start_may_ask_while_later_stages_are_to_come(by):
    event = make.open_event(by, formula="swiss-cut", options={"rounds": 2, "cut": 2})
    entry = make.players(event, 5, by)[0]
    departures.withdraw(entry=entry, by=by)
    draw = make.draws.draw_start_order(event=event, seed="seed", by=by)
    make.starting.start_event(event=event, draw_number=draw.number, by=by)
    entry.refresh_from_db()
    assert returning_of(load_facts(entry.event, drafts=False), entry) is Returning.MAY_ASK


def test_once_the_last_round_is_published_who_is_out_by_points_has_no_way_back(by):
    event = make.halfway(by, 8, formula="swiss-cut", options={"rounds": 2, "cut": 2})
    won, lost = event.rounds.get().matches.first().seats[:2]
    make.next_round(event, by)
    found = {}
    for key in (won, lost):
        entry = departures.withdraw(entry=event.entries.get(pk=key), by=by)
        found[key] = returning_of(load_facts(event, drafts=False), entry)
    assert found == {won: Returning.MAY_ASK, lost: Returning.ALL_PLAYED}
    event.refresh_from_db()
    event.show_prospects = False
    event.save(update_fields=["show_prospects"])
    assert returning_of(load_facts(event, drafts=False), entry) is Returning.MAY_ASK
