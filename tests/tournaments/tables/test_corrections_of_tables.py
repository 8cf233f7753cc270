"""Results of tables corrected once rounds or the cut were made from them."""

import re
from html import unescape
from random import Random

import pytest

from rules.matches.tables.claims import TableClaim
from tests import factories as make
from tests.browsers import signed_in, text, url
from tournaments.core.event_state import load_facts
from tournaments.corrections.selectors.choices import departure_of
from tournaments.lots.services import draw_lots
from tournaments.models import Event, Match
from tournaments.players.services.departures import disqualify
from tournaments.stages.services import close_stage
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


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
    return TableClaim(winner=1)


def test_the_page_says_which_tables_would_differ_and_all_may_stay(by):
    event = make.halfway(by, 8, **make.TABLES)
    make.next_round(event, by)
    match = Match.objects.filter(round__event=event, round__ordinal=1).order_by("number")[0]
    client = signed_in(by)
    page = asked(client, event, match)
    assert "Other players would have met." in text(page)
    assert text(page).count("Pairings that would differ: Round 2") == 1
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
        return TableClaim(order=tuple(places))

    return claim


BY_PLACE = {"table_points": {"preset": "places"}, "options": {"rounds": 3, "cut": 4}}


def at_the_cut(by, claims=won_alone, made=True, **settings):
    """Return an event whose cut by tables is seated, and its tables ``made``."""
    event = make.started(by, 8, **make.TABLES | settings)
    make.play_stage(event, by, claims)
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        draw_lots(event=event, tied=needed[0], seed=str(needed[0]), by=by)
    close_stage(event=event, expected_stage=1, by=by)
    if made:
        make.next_round(Event.objects.get(pk=event.pk), by)
    return Event.objects.get(pk=event.pk)


@pytest.mark.parametrize("made", [False, True])
def test_a_seat_of_the_cut_goes_to_who_comes_next_until_its_tables_are_made(by, made):
    event = at_the_cut(by, in_order_by_chance(), made, **BY_PLACE)
    out = event.entries.get(number=load_facts(event).open_stage.state.players[0])
    disqualify(entry=out, reason="Not a member", by=by)
    page = signed_in(by).get(url("manage-player-seat", event, out.number), follow=True)
    refused = "At tables nobody takes over the seat of somebody else." in text(page)
    assert (departure_of(load_facts(event), out.number).why_not is None) is (not refused)
    assert refused is made


@pytest.mark.parametrize("way", ["keep", "take_back"])
def test_whoever_belongs_in_the_cut_is_named_and_two_ways_lead_on(by, way):
    event = at_the_cut(by)
    match = Match.objects.filter(round__event=event, round__ordinal=2).order_by("number")[0]
    client = signed_in(by)
    page = asked(client, event, match)
    assert page.status_code == 200, text(page)
    assert "What do we do?" in text(page)
    assert "Nobody can be put in another’s seat here:" in text(page)
    fields = {"confirm": way, "reason": "Wrong seat", "typed": event.name}
    done = confirmed(client, event, match, page, **fields)
    assert done.status_code == 302, text(done)
    assert faults(event) == []
