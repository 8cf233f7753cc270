"""Players who drop after the round: once their match is decided, at once if they have none."""

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import by_link, signed_in, text, url
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event, Match
from tournaments.players.services.departures import drop_after_round, drop_leaving_players_if_due
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
    assert drop_leaving_players_if_due(fresh(event)).leaving == [player.number]
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


@pytest.mark.deep
def test_it_is_undone_and_comes_along_in_an_archive(match, by) -> None:
    event = match.round.event
    drop_after_round(entry=match.players[0], by=by)
    drop_after_round(entry=match.players[0], by=by)
    assert event.log.filter(action="entry.leaves_later").count() == 1
    kept = event_archive(fresh(event))
    undo(event=event, expected=last_act(fresh(event)).line.number, by=by)
    assert fresh(event).leaving == []
    event.delete()
    assert restore_archive(kept).leaving == [match.players[0].number]


def test_the_desk_asks_when_and_says_so(match, by) -> None:
    event, client = match.round.event, signed_in(by)
    panel = text(client.get(url("desk-result", event, match.pk)))
    checked = '<input type="radio" name="action" value="leaves_later" checked>'
    assert panel.count(checked) == panel.count("Drop after this round") == 2
    assert panel.count("<span>Drop </span>") == 2
    for player in match.players:
        assert f"Drop now: {player.name} wins at table 1</label>" in panel
    sent = {"number": match.players[0].number, "action": "leaves_later", "back": "desk"}
    answer = client.post(url("match-leave", event, match.pk), sent, follow=True)
    assert f"Saved: {match.players[0].name}" in text(answer)
    assert "drops after this round</small>" in text(answer)
    page = text(client.get(url("manage-players", event)))
    assert page.count("Drop after this round") == 6
    pairs = [item.players for item in match.round.matches.all()]
    for one, other in pairs:
        assert page.count(f"Drop now: {one.name} wins at table") == 1
        assert page.count(f"Drop now: {other.name} wins at table") == 1


@pytest.mark.deep
def test_at_a_table_the_others_play_on_and_the_buttons_say_so(by) -> None:
    event = make.playing(by, 8, **make.TABLES)
    match = event.rounds.get().matches.get(table=1)
    client, name = signed_in(by), match.players[0].name
    panel = text(client.get(url("desk-result", event, match.pk)))
    assert panel.count("Drop now: 3 players continue</label>") == 4
    assert text(client.get(url("manage-players", event))).count("3 players continue") == 8
    sent = {"action": "withdraw"}
    answer = client.post(
        url("manage-player-leave", event, match.players[0].number), sent, follow=True
    )
    assert f"Saved: {name}" in text(answer)


def test_the_icon_of_a_finished_row_asks_without_script_too(match, by) -> None:
    event, client = match.round.event, signed_in(by)
    decided(match, by)
    player, other = match.players
    asks = f"{url('desk-result', event, match.pk)}?pick=drop&amp;player={player.number}"
    desk = client.get(url("desk", event)).content.decode()
    assert f'href="{asks}"' in desk
    assert url("match-leave", event, match.pk) not in desk
    page = text(client.get(asks.replace("&amp;", "&")))
    form = page[page.index("<h2>Drop</h2>") :]
    assert f'value="{player.number}"' in form
    assert f'value="{other.number}"' not in form
    assert 'name="action" value="withdraw"' in form
    sent = {"action": "withdraw", "number": player.number, "back": "desk"}
    client.post(url("match-leave", event, match.pk), sent)
    assert not Entry.objects.get(pk=player.pk).plays
    assert client.get(url("desk-result", event, match.pk)).status_code == 302


def test_nobody_wins_by_a_drop_once_a_result_is_reported(match, by) -> None:
    report_result(match=match, claim=make.a_wins(match), by=Actor(entry=match.players[0]))
    panel = text(signed_in(by).get(url("desk-result", match.round.event, match.pk)))
    assert ("wins at table" in panel, panel.count("Drop now</label>")) == (False, 2)


def test_a_player_chooses_it_too(match, by) -> None:
    event = match.round.event
    player = by_link(match.players[1], by)
    assert "Drop after this round" in text(player.get(url("my-drop", event)))
    page = player.post(url("my-drop", event), {"when": "later"}, follow=True)
    assert "You will drop after this round." in text(page)
    assert load_facts(fresh(event)).entries[match.players[1].number].plays


def test_a_program_says_that_a_player_drops_after_the_round(match, by) -> None:
    event, (player, other) = match.round.event, match.players
    address = f"/api/v1/events/{event.slug}/players/{player.number}/"
    api = signed_in(by)
    json = {"content_type": "application/json"}
    unused = api.patch(address, {"club": "Lupi", "leaves_after": True}, **json)
    assert (unused.status_code, list(unused.json()["errors"])) == (400, ["leaves_after"])
    now = api.patch(address, {"status": "withdrawn", "leaves_after": True}, **json).json()
    assert (now["status"], now["leaves_after"]) == ("registered", True)
    assert (
        api.get(f"{address}../{other.number}/".replace(f"{player.number}/../", "")).json()[
            "leaves_after"
        ]
        is False
    )
    assert "leaves_after" not in Client().get(address).json()
    decided(match, by)
    now = api.get(address).json()
    assert (now["status"], now["leaves_after"]) == ("withdrawn", False)
