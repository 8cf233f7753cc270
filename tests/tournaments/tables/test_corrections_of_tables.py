"""Results of tables corrected once rounds or the cut were made from them."""

import re
from html import unescape
from itertools import permutations
from random import Random

import pytest

from rules.matches.match_rules import Claim
from rules.results import SeatMark, outcome_by_places
from tests import factories as make
from tests.browsers import signed_in, text, url
from tournaments.core.event_state import load_facts
from tournaments.corrections.selectors.choices import result_correction
from tournaments.corrections.selectors.start import new_player_row, player_correction
from tournaments.corrections.services.results import correct_and_reseat, correct_player
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.lots.services import draw_tied_order
from tournaments.models import Event, Match
from tournaments.players.services.departures import disqualify
from tournaments.results.services.results import correct_result, mark_absent
from tournaments.rounds.services import draft_round, publish_round
from tournaments.stages.services import close_stage
from tournaments.undo.selectors import find_redoable_undo, last_act
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.deep]


def asked(client, event, match):
    """Return the page that says what it changes that somebody else at the table won."""
    decided = match.decision.places or []
    other = 1 + next(at for at, place in enumerate(decided) if place and place > 1)
    sent = {"version": match.version, "text": str(other)}
    return client.post(url("match-correct", event, match.pk), sent)


def confirmed(client, event, match, page, **fields):
    """Send what the page has hidden, with a way and its reason."""
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text(page)))
    sent = {key: unescape(value) for key, value in hidden.items()} | fields
    return client.post(url("match-correct", event, match.pk), sent)


def faults(event):
    return [str(found) for found in verify_event(Event.objects.get(pk=event.pk))]


def won_alone(match, index):
    return Claim(first=1)


def test_the_page_says_which_tables_would_differ_and_all_may_stay(by):
    event = make.halfway(by, 8, **make.TABLES)
    make.next_round(event, by)
    match = Match.objects.filter(round__event=event, round__ordinal=1).order_by("number")[0]
    client = signed_in(by)
    page = asked(client, event, match)
    assert "Later pairings are affected." in text(page)
    assert text(page).count("Pairings · Round 2") == 1
    kept = confirmed(client, event, match, page, confirm="keep", reason="Wrong seat")
    assert kept.status_code == 302, text(kept)
    assert faults(event) == []
    make.play_round(event.rounds.get(ordinal=2), by)
    make.play_event(Event.objects.get(pk=event.pk), by)
    assert faults(event) == []


def in_order_by_chance():
    """Return a function that gives every seat of a table a place of its own."""
    chance = Random(0)

    def claim(match, index):
        places = chance.sample(range(1, match.size + 1), match.size)
        return Claim(order=tuple(places))

    return claim


BY_PLACE = {"table_points": {"preset": "places"}, "options": {"rounds": 3, "cut": 4}}


def at_the_cut(by, claims=won_alone, made=True, **settings):
    """Return an event whose cut by tables is seated, and its tables ``made``."""
    event = make.started(by, 8, **make.TABLES | settings)
    make.play_stage(event, by, claims)
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        draw_tied_order(event=event, tied=needed[0], seed=str(needed[0]), by=by)
    close_stage(event=event, expected_stage=1, by=by)
    if made:
        make.next_round(Event.objects.get(pk=event.pk), by)
    return Event.objects.get(pk=event.pk)


@pytest.mark.parametrize("made", [False, True])
def test_a_seat_of_the_cut_goes_to_who_comes_next_with_its_table(by, made):
    event = at_the_cut(by, in_order_by_chance(), made, **BY_PLACE)
    before = load_facts(event).open_stage.state
    out = event.entries.get(number=before.players[0])
    table = Match.objects.filter(round__event=event, round__stage__number=2)
    for match in table:
        away = Claim(marks=((1, SeatMark.ABSENT), (2, SeatMark.ABSENT)), by_staff=True)
        mark_absent(match=match, version=0, claim=away, by=by)
    disqualify(entry=out, reason="Not a member", by=by)
    client, address = signed_in(by), url("manage-player-seat", event, out.number)
    page = client.get(address)
    shown = re.search(r'name="shown" value="(\w+)"', text(page))[1]
    sent = {"shown": shown, "later": "follow", "confirm": "follow", "reason": "Not a member"}
    done = client.post(address, sent, follow=True)
    assert "Saved." in text(done)
    after = load_facts(event).open_stage.state
    assert out.number not in after.players
    assert len({*after.players} - {*before.players}) == 1
    assert [p.seats for played in after.rounds for p, _r in played] == [after.players] * made
    assert [match.absent for match in table.all()] == [[before.players[1]]] * made
    assert faults(event) == []


def that_gives_a_seat(event, by):
    """Return a table of the last round, and an order of its seats that moves somebody up."""
    facts = load_facts(event)
    last = Match.objects.filter(round__event=event, round__ordinal=3).order_by("number")
    for match in last.select_related("round__event", "group__stage", "decision"):
        for order in permutations(range(1, match.size + 1)):
            places = tuple(1 + order.index(seat) for seat in range(1, match.size + 1))
            found = result_correction(facts, match, outcome_by_places(places, seats=len(places)))
            if found.why_not is None and found.follows and found.follows.seats:
                return match, "".join(map(str, order))
    raise AssertionError("no order of a table moves anybody up")


def seats_and_reports(event):
    """Return who sits at the table of the cut, its result, and who sat there before."""
    match = Match.objects.get(round__event=event, round__stage__number=2)
    decided = match.decision.places if match.decision else None
    return [player.number for player in match.players], decided, match.earlier


def test_whoever_belongs_in_the_cut_gets_the_seat_and_its_table_is_played_again(by):
    """What was played stays on record with who sat there, also once it was taken back."""
    event = at_the_cut(by, in_order_by_chance(), **BY_PLACE)
    make.play_round(event.rounds.get(ordinal=4), by, won_alone)
    sat, decided, earlier = seats_and_reports(event)
    assert (decided, earlier) == ([1, 2, 2, 2], [])
    match, order = that_gives_a_seat(event, by)
    client = signed_in(by)
    sent = {"version": match.version, "text": order}
    page = client.post(url("match-correct", event, match.pk), sent)
    assert "Choices" in text(page)
    page = confirmed(client, event, match, page, later="follow")
    assert page.status_code == 200, text(page)
    assert "A knock-out match needs a winner. Replay it." in text(page)
    assert "−" not in text(page)  # points decide nothing in a cut
    again = re.findall(r'name="again" value="(\d+)"', text(page))
    fields = {"confirm": "follow", "reason": "Wrong seat", "again": again}
    done = confirmed(client, event, match, page, **fields)
    assert done.status_code == 302, text(done)
    right, *_rest = seats_and_reports(event)
    assert len({*right} - {*sat}) == 1
    assert seats_and_reports(event)[1:] == (None, [{"until": 1, "seats": sat, "again": 0}])
    assert list(load_facts(event).open_stage.state.players) == right
    assert "Still to be played" in text(client.get(url("desk", event)))
    assert faults(event) == []
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert seats_and_reports(event)[:2] == (sat, decided)
    assert seats_and_reports(event)[2][-1] == {"until": 1, "seats": right}
    assert faults(event) == []
    redo(event=event, expected=find_redoable_undo(event).number, by=by)
    assert seats_and_reports(event)[0] == right
    assert seats_and_reports(event)[2][-1]["seats"] == sat
    assert faults(event) == []
    make.play_round(event.rounds.get(ordinal=4), by, won_alone)
    make.play_event(Event.objects.get(pk=event.pk), by, won_alone)
    assert faults(event) == []


def test_who_should_not_have_been_in_is_replaced_at_the_first_tables(by):
    event = make.playing(by, 8, **make.TABLES)
    before = load_facts(event).open_stage.state
    out = event.entries.get(number=before.rounds[0][0][0].seats[2])
    new = new_player_row(load_facts(event), "Nuova Persona")
    shown = player_correction(load_facts(event), out.number, new)
    values = {"entry": out, "name": new.name, "way": "follow", "reason": "x", "by": by}
    correct_player(**values, shown=shown.mark)
    after = load_facts(event).open_stage.state
    assert after == shown.follows.state
    changed = [p for p, _r in after.rounds[0] if new.number in p.seats]
    assert [(p.seats[2], p.by_hand) for p in changed] == [(new.number, True)]
    assert faults(event) == []
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert load_facts(event).open_stage.state.seats == before.seats
    assert faults(event) == []


def test_a_knock_out_of_two_after_tables_follows_too(by):
    event = at_the_cut(
        by, in_order_by_chance(), **BY_PLACE | {"options": {"rounds": 3, "cut": 4, "ending": "two"}}
    )
    match, order = that_gives_a_seat(event, by)
    places = tuple(1 + order.index(str(seat)) for seat in range(1, match.size + 1))
    shown = result_correction(
        load_facts(event), match, outcome_by_places(places, seats=len(places))
    )
    values = {"match": match, "version": match.version, "claim": Claim(order=places)}
    correct_and_reseat(**values, shown=shown.mark, reason="Wrong seat", by=by)
    assert load_facts(event).open_stage.state == shown.follows.state
    assert shown.follows.matches
    assert faults(event) == []


@pytest.mark.parametrize("way", ["keep", "take_back"])
def test_whoever_belongs_in_the_cut_is_named_and_other_ways_lead_on(by, way):
    event = at_the_cut(by)
    match = Match.objects.filter(round__event=event, round__ordinal=2).order_by("number")[0]
    client = signed_in(by)
    page = asked(client, event, match)
    assert page.status_code == 200, text(page)
    assert "Choices" in text(page)
    assert "Not possible:" in text(page)
    fields = {"confirm": way, "reason": "Wrong seat", "typed": event.name}
    done = confirmed(client, event, match, page, **fields)
    assert done.status_code == 302, text(done)
    assert faults(event) == []


def test_a_draft_changed_by_hand_between_two_corrections_cost_what_was_counted_then(by):
    event = make.started(by, 8, **make.TABLES)
    first = make.next_round(event, by)
    make.play_round(first, by)
    item = draft_round(event=event, expected_round=2, by=by)

    def correct(claim):
        match = first.matches.get(number=1)
        correct_result(match=match, version=match.version, claim=claim, reason="typo", by=by)

    correct(Claim(drawn=(1, 2, 3, 4)))
    one, other = (match.players[0].number for match in item.matches.all())
    asked = ChangeRequest(action="swap", players=(one, other))
    change_draft(event=event, ordinal=2, asked=asked, by=by)
    publish_round(event=event, ordinal=2, by=by)
    correct(Claim(first=3))
    assert faults(event) == []
