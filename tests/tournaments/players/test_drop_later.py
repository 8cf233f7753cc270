"""Players who drop after the round: once their match is decided, at once if they have none."""

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import by_link, signed_in, text, url
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, Match
from tournaments.players.services.departures import drop_after_round, drop_if_due
from tournaments.results.services.reports import report_result
from tournaments.results.services.results import decide_result
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
SWISS = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 0}}


def fresh(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def match(by: Actor) -> Match:
    event = make.playing(by, 6, **SWISS)
    return event.rounds.get().matches.get(table=1)


def decided(match: Match, by: Actor) -> None:
    decide_result(match=match, version=0, claim=make.a_wins(match), by=by)


def test_the_match_is_played_and_then_they_have_dropped(match, by) -> None:
    event, player = match.round.event, match.players[0]
    drop_after_round(entry=player, by=by)
    assert drop_if_due(fresh(event)).leaving == [player.number]
    assert Entry.objects.get(pk=player.pk).plays
    decided(match, by)
    Client().get(url("event", event))
    gone = Entry.objects.get(pk=player.pk)
    assert (gone.status, fresh(event).leaving) == (Entry.Status.WITHDRAWN, [])
    assert Match.objects.get(pk=match.pk).decision.winner == "a"
    line = event.log.get(action="entry.withdraw")
    assert (line.by, line.by_entry) == (None, None)
    make.play_round(event.rounds.get(), by)
    again = make.next_round(fresh(event), by)
    assert player.number not in {p.number for m in again.matches.all() for p in m.players}
    assert list(verify_event(fresh(event))) == []


def test_who_has_no_match_to_play_drops_at_once(match, by) -> None:
    decided(match, by)
    assert not drop_after_round(entry=match.players[0], by=by).plays


def test_it_is_undone_and_comes_along_in_an_archive(match, by) -> None:
    event = match.round.event
    drop_after_round(entry=match.players[0], by=by)
    drop_after_round(entry=match.players[0], by=by)
    assert event.log.filter(action="entry.leaves_later").count() == 1
    kept = archive(fresh(event))
    undo(event=event, expected=last_act(fresh(event)).line.number, by=by)
    assert fresh(event).leaving == []
    event.delete()
    assert restore(kept).leaving == [match.players[0].number]


def test_the_desk_asks_when_and_says_so(match, by) -> None:
    event, client = match.round.event, signed_in(by)
    panel = text(client.get(url("desk-result", event, match.pk)))
    checked = '<input type="radio" name="action" value="leaves_later" checked>'
    assert panel.count(checked) == panel.count("After this round") == 2
    assert panel.count("<span>Drop </span>") == 2
    for player in match.players:
        assert f"Now: {player.name} wins table 1</label>" in panel
    sent = {"number": match.players[0].number, "action": "leaves_later", "back": "desk"}
    answer = client.post(url("match-leave", event, match.pk), sent, follow=True)
    assert f"{match.players[0].name} drops after this round." in text(answer)
    assert "drops after this round</small>" in text(answer)
    page = client.get(url("manage-players", event))
    assert text(page).count("Drop after this round") == 6


def test_nobody_wins_by_a_drop_once_a_result_is_reported(match, by) -> None:
    report_result(match=match, claim=make.a_wins(match), by=Actor(entry=match.players[0]))
    panel = text(signed_in(by).get(url("desk-result", match.round.event, match.pk)))
    assert ("wins table" in panel, panel.count("Now</label>")) == (False, 2)


def test_a_player_chooses_it_too(match, by) -> None:
    event = match.round.event
    player = by_link(match.players[1], by)
    assert "Drop after this round" in text(player.get(url("my-drop", event)))
    page = player.post(url("my-drop", event), {"when": "later"}, follow=True)
    assert "You drop after this round." in text(page)
    assert load_facts(fresh(event)).entries[match.players[1].number].plays
