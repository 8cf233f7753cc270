"""Signs that can't be seen stay out of everything that others read beside their own words."""

from html import unescape

import pytest
from django.urls import reverse

from rules.errors import BadInput
from tests import factories as make
from tests.browsers import signed_in
from tests.level_players import two_level
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.events import services as events
from tournaments.judging import services as calls
from tournaments.judging import services as notes
from tournaments.lots import services as draws
from tournaments.models import Event, Match
from tournaments.players.services import entries, late_entries

pytestmark = pytest.mark.django_db
TURNED = "Circolo \u202eortsA"
SENTENCE = "This text contains invisible characters. Type it again."


@pytest.fixture
def event(by) -> Event:
    return make.open_event(by)


def refused(call, *args, **values) -> str:
    with pytest.raises(BadInput) as caught:
        call(*args, **values)
    return caught.value.code


def test_no_club_holds_them(event, by):
    entry = entries.add_entry(event=event, name="Ada", club="Astro", by=by)
    assert refused(entries.add_entry, event=event, name="Bea", club=TURNED, by=by) == "bad_club"
    assert refused(entries.change_entry, entry=entry, changes={"club": TURNED}, by=by) == "bad_club"
    values = {"event": event, "name": "Bea", "club": TURNED, "user": None, "by": by}
    assert refused(entries.register, **values) == "bad_club"
    assert event.entries.get().club == "Astro"


def test_nor_does_that_of_a_late_entry(by):
    event = make.started(by, 8, formula="swiss-cut")
    make.next_round(event, by)
    values = {"name": "Zoe", "club": TURNED, "missed": "loss"}
    assert refused(late_entries.add_late_entry, event=event, by=by, **values) == "bad_club"


def test_the_sentence_stands_beside_the_club(event, by):
    entry = entries.add_entry(event=event, name="Ada", club="Astro", by=by)
    client = signed_in(by)
    data = {"name": "Ada", "club": TURNED}
    for name, parts in (("register", ()), ("manage-player", (entry.number,))):
        answer = client.post(reverse(f"tournaments:{name}", args=[event.slug, *parts]), data)
        assert answer.status_code == 400
        _before, _sep, after = unescape(answer.content.decode()).partition(
            '<div class="errors" id="id_club'
        )
        assert SENTENCE in after, name


@pytest.mark.deep
def test_no_words_for_others_hold_them(by):
    event = two_level(by)
    match = Match.objects.filter(round__event=event).first()
    assert refused(notes.add_staff_note, match=match, text=TURNED, by=by) == "hidden_signs"
    assert refused(notes.add_ruling, match=match, text=TURNED, by=by) == "hidden_signs"
    seen = events.text_fingerprint(event.rulings)
    assert refused(events.store_rulings, event=event, rulings=TURNED, seen=seen, by=by) == (
        "hidden_signs"
    )
    values = {"event": event, "text": TURNED, "minutes": 5, "by": by}
    assert refused(notes.create_announcement, **values) == "hidden_signs"
    tied = load_facts(event).open_stage.outcome.lots_needed[0]
    values = {"event": event, "order": tied, "witnesses": TURNED, "by": by}
    assert refused(draws.record_tied_order, **values) == "hidden_signs"


def test_nor_does_a_call(by):
    event = make.started(by, 4)
    make.next_round(event, by)
    match = Match.objects.filter(round__event=event, table=1).get()
    own = Actor(entry=match.players[0])
    values = {"match": match, "entry": match.players[0], "reason": TURNED, "by": own}
    assert refused(calls.call_judge, **values) == "hidden_signs"
