"""What a disqualified player reads: the reason that was written for them, and where to go."""

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import by_link, read, signed_in, text, url
from tests.tournaments.corrections.test_follow import sound
from tournaments.models import Event, Penalty
from tournaments.penalties.services import give_penalty
from tournaments.players.services import departures, entries
from tournaments.undo.selectors import last_act, undone_act
from tournaments.undo.services import redo, undo

pytestmark = pytest.mark.django_db
REASON, NOTE, HEAD_JUDGE = "Carte segnate dietro", "Visto da Zoe", "speak to the head judge"


@pytest.fixture
def running(by):
    event = make.playing(by, 4)
    return event, event.entries.get(number=1)


def own(entry, by):
    return text(by_link(entry, by).get(url("me", entry.event)))


def test_the_reason_of_the_act_is_read_by_the_player(running, by):
    _event, entry = running
    departures.disqualify(entry=entry, reason=REASON, by=by)
    page = own(entry, by)
    assert "You are disqualified" in page
    assert page.count(REASON) == 1
    assert HEAD_JUDGE in page
    for other in ("Ask to come back", "Was it a mistake?", "Leave the event", "to-come"):
        assert other not in page


def test_of_a_penalty_what_happened_is_read_and_never_the_note(running, by):
    event, entry = running
    level = Penalty.Level.DISQUALIFICATION
    penalty = give_penalty(entry=entry, level=level, infraction=REASON, note=NOTE, by=by)
    page = own(entry, by)
    assert (REASON in page, NOTE in page, "A penalty was given" in page) == (True, False, False)
    lifted = "Lifted: it holds no more."
    assert lifted not in page
    undo(event=event, expected=last_act(Event.objects.get(pk=event.pk)).line.number, by=by)
    assert lifted in own(entry, by)
    redo(event=event, expected=undone_act(Event.objects.get(pk=event.pk)).number, by=by)
    to = url("penalty-take-back", event, penalty.pk)
    done = text(signed_in(by).post(to, follow=True, headers={"accept-language": "en"}))
    assert "The player stays disqualified: readmit them" in done
    assert "Take back in" in done
    page = own(entry, by)
    assert (REASON in page, NOTE in page) == (False, False)


def test_matches_made_later_are_lost_by_it_and_not_conceded(running, by):
    event, entry = running
    departures.disqualify(entry=entry, reason=REASON, by=by)
    make.play_round(event.rounds.get(), by)
    later = make.next_round(event, by).matches.get(match_seats__entry=entry)
    assert later.decision.ended_by == "disqualification"
    assert sound(event) == []


def test_nobody_else_reads_the_reason(running, by):
    event, entry = running
    departures.disqualify(entry=entry, reason=REASON, by=by)
    other = by_link(event.entries.get(number=2), by)
    for client in (other, Client()):
        for name, parts in (("event", ()), ("player", (1,)), ("players", ()), ("standings", ())):
            assert REASON not in text(client.get(url(name, event, *parts)))
    assert REASON not in text(other.get(url("me", event)))
    assert REASON in text(signed_in(by).get(url("log", event)))


def test_who_is_taken_back_reads_no_reason_any_more(running, by):
    _event, entry = running
    departures.disqualify(entry=entry, reason=REASON, by=by)
    departures.come_back(entry=entry, by=by)
    assert REASON not in own(entry, by)


def test_who_only_left_reads_no_reason(running, by):
    _event, entry = running
    departures.withdraw(entry=entry, reason=REASON, by=by)
    assert REASON not in own(entry, by)


def test_before_the_start_no_match_is_spoken_of(by):
    event = make.open_event(by)
    entry = make.players(event, 2, by)[0]
    departures.disqualify(entry=entry, reason=REASON, by=by)
    page = own(entry, by)
    assert (REASON in page, "What you have played stays" in page) == (True, False)


def test_in_italian_the_capo_giudice_is_named(running, by):
    event, entry = running
    departures.disqualify(entry=entry, reason=REASON, by=by)
    client = Client()
    client.get(f"/p/{entries.make_link(entry=entry, by=by)}/")
    page = read(client, url("me", event), "it")
    assert "capo giudice" in page
    assert REASON in page
