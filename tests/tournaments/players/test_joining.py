"""Players who come late and join a match: of who came late too, of a table of three and more; the
minutes that have passed; rematches; the door and the desk.
"""

import pytest

from rules.errors import RuleError
from rules.events.clock import ClockAction
from tests import factories as make
from tests.browsers import signed_in
from tests.tournaments.players.test_late_for_bye import (
    BYE,
    ENGLISH,
    SWISS,
    bye_in,
    decide,
    findings,
    fresh,
    late,
    own_page,
    refused_code,
    start,
)
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.arrivals.photos import check_in_code
from tournaments.clock.services import run_clock
from tournaments.core.permissions import Actor
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.keeping_apart.services import add_separated_pair
from tournaments.models import LogLine, Match, RoundClock, TimeExtension
from tournaments.players.selectors.players import joinable_matches
from tournaments.players.selectors.returns import JoinRequest
from tournaments.players.services.departures import rejoin, request_rejoin, withdraw
from tournaments.players.services.late_entries import add_late_entry
from tournaments.results.services.results import correct_result
from tournaments.rounds.services import draft_round, publish_round
from tournaments.undo.selectors import find_redoable_undo, last_act
from tournaments.undo.services import redo, undo

pytestmark = pytest.mark.django_db


def redo_last(event, by):
    redo(event=event, expected=find_redoable_undo(fresh(event)).number, by=by)


def undo_last(event, by):
    undo(event=event, expected=last_act(fresh(event)).line.number, by=by)


def same_after_restore(event):
    document = event_archive(fresh(event))
    event.delete()
    restored = restore_archive(document)
    assert (event_archive(restored), findings(restored)) == (document, [])


@pytest.mark.deep
def test_two_who_came_late_play_each_other(by, in_english):
    event = make.started(by, 6, **SWISS)
    make.play_round(make.next_round(event, by), by)
    item = make.next_round(event, by)
    assert joinable_matches(fresh(event)) == ()
    zita = add_late_entry(event=event, name="Zita", missed="bye", by=by)
    (offer,) = joinable_matches(fresh(event))
    assert offer.button == "Play Zita at table 4"
    assert offer.before == ("Zita loses the bye (points: 3).")
    assert refused_code(event, by, name="Berta") == "no_bye"
    missed = item.matches.get(missed=True)
    berta = late(event, by, name="Berta", joins=JoinRequest(missed.pk, (zita.number,)))
    match = Match.objects.get(pk=missed.pk)
    assert (match.players, match.missed, match.table, match.state) == (
        (zita, berta),
        False,
        4,
        "open",
    )
    after = LogLine.objects.filter(action="entry.added_late").latest("number").after
    assert (after["joins"], after["rounds"]) == ([zita.number], [1])
    assert findings(event) == []
    undo_last(event, by)
    match = Match.objects.get(pk=missed.pk)
    assert (match.players, match.missed, match.decision.winner) == ((zita,), True, "a")
    assert findings(event) == []
    redo_last(event, by)
    assert findings(event) == []
    make.play_round(item, by)
    assert findings(make.play_event(event, by)) == []
    same_after_restore(event)


@pytest.mark.deep
def test_who_came_back_too_late_meets_who_comes_later(by):
    event = make.started(by, 8, **SWISS)
    first = make.next_round(event, by)
    make.play_round(first, by)
    three, four = (match.players[0] for match in first.matches.order_by("number")[:2])
    for entry in (three, four):
        withdraw(entry=entry, by=by)
    item = make.next_round(event, by)
    rejoin(entry=three, by=by)
    missed = item.matches.get(missed=True)
    (offer,) = joinable_matches(fresh(event), four)
    assert offer.before == ""
    rejoin(entry=four, joins=JoinRequest(missed.pk), by=by)
    assert set(Match.objects.get(pk=missed.pk).players) == {three, four}
    assert findings(event) == []
    undo_last(event, by)
    redo_last(event, by)
    make.play_round(item, by)
    assert findings(make.play_event(event, by)) == []
    same_after_restore(event)


def test_who_missed_the_round_and_left_again_meets_nobody(by):
    event = make.started(by, 6, **SWISS)
    make.next_round(event, by)
    zita = add_late_entry(event=event, name="Zita", missed="loss", by=by)
    withdraw(entry=zita, by=by)
    assert joinable_matches(fresh(event)) == ()


@pytest.fixture
def tables(by):
    return make.started(by, 11, **make.TABLES)


def of_three(item):
    return next(match for match in item.matches.all() if match.size == 3)


@pytest.mark.deep
def test_a_late_player_joins_a_table_of_three(tables, by, client, in_english):
    make.play_round(make.next_round(tables, by), by)
    item = make.next_round(tables, by)
    table, cost = of_three(item), item.cost
    (offer,) = joinable_matches(fresh(tables))
    assert offer.button == f"Add to table {table.table} (players: 3)"
    assert (offer.before, offer.minutes) == ("", 0)
    shown = tuple(player.number for player in table.players)
    zita = late(tables, by, joins=JoinRequest(table.pk, shown))
    match = Match.objects.get(pk=table.pk)
    assert [player.number for player in match.players] == [*shown, zita.number]
    assert (match.table, match.state, match.reason["by_hand"]) == (table.table, "open", True)
    item.refresh_from_db()
    assert item.cost != cost
    assert findings(tables) == []
    own = own_page(table.players[0], by, client, headers=ENGLISH)
    assert "New at your table: <bdi>Zita</bdi>" in own
    undo_last(tables, by)
    item.refresh_from_db()
    assert item.cost == cost
    assert (Match.objects.get(pk=table.pk).size, findings(tables)) == (3, [])
    redo_last(tables, by)
    assert refused_code(tables, by, name="Berta", joins=JoinRequest(table.pk)) == "no_seat"
    make.play_round(item, by)
    assert findings(tables) == []
    assert findings(make.play_event(tables, by)) == []
    same_after_restore(tables)


@pytest.mark.deep
def test_a_correction_after_somebody_joined_a_table_contradicts_nothing(tables, by):
    first = make.next_round(tables, by)
    make.play_round(first, by)
    item = make.next_round(tables, by)
    late(tables, by, joins=JoinRequest(of_three(item).pk))
    match = first.matches.exclude(missed=True).order_by("number")[0]
    claim = make.a_wins(match, 1)
    correct_result(match=match, version=match.version, claim=claim, reason="typo", by=by)
    assert findings(tables) == []


@pytest.mark.deep
def test_a_table_takes_nobody_once_it_has_a_result_or_others_sit_there(tables, by):
    item = make.next_round(tables, by)
    table = of_three(item)
    seen = JoinRequest(table.pk, (1, 2, 3, 4))
    assert refused_code(tables, by, joins=seen) == "no_seat"
    decide(table, by)
    assert joinable_matches(fresh(tables)) == ()
    assert refused_code(tables, by, joins=JoinRequest(table.pk)) == "no_seat"
    assert refused_code(tables, by, joins=BYE) == "no_bye"
    undo_last(tables, by)
    late(tables, by, joins=JoinRequest(table.pk))
    assert findings(tables) == []


@pytest.mark.deep
def test_who_left_and_comes_back_joins_a_table(tables, by):
    first = make.next_round(tables, by)
    gone = of_three(first).players[0]
    make.play_round(first, by)
    withdraw(entry=gone, by=by)
    item = make.next_round(tables, by)
    assert sorted(match.size for match in item.matches.all()) == [3, 3, 4]
    found = joinable_matches(fresh(tables), gone)
    assert len(found) == 2
    rejoin(entry=gone, joins=JoinRequest(int(found[0].value.partition(":")[0])), by=by)
    assert findings(tables) == []
    undo_last(tables, by)
    assert findings(tables) == []
    redo_last(tables, by)
    make.play_round(item, by)
    assert findings(make.play_event(tables, by)) == []


@pytest.mark.deep
def test_the_table_gets_the_minutes_that_have_passed(by, in_english):
    event = make.started(by, 7, **SWISS, minutes=50)
    item = make.next_round(event, by)
    assert joinable_matches(fresh(event))[0].minutes == 0
    run_clock(event=event, ordinal=1, action=ClockAction.START, by=by)
    run_clock(event=event, ordinal=1, action=ClockAction.PAUSE, by=by)
    RoundClock.objects.update(used=12 * 60 + 59)
    (rests,), page = bye_in(item).players, f"/events/{event.slug}/manage/players/"
    shown = signed_in(by).get(page, headers=ENGLISH).content.decode()
    assert "12 min" in shown
    (offer,) = joinable_matches(fresh(event))
    sent = {"name": "Zita", "missed": "loss", "joins": offer.value}
    assert signed_in(by).post(f"{page}add/", sent | {"extend": "1"}).status_code == 302
    extension = TimeExtension.objects.get()
    assert (extension.match.players[0], extension.minutes) == (rests, 12)
    assert LogLine.objects.get(action="entry.added_late").after["minutes"] == 12
    assert findings(event) == []
    undo_last(event, by)
    assert not TimeExtension.objects.exists()
    redo_last(event, by)
    assert TimeExtension.objects.get().minutes == 12
    undo_last(event, by)
    assert signed_in(by).post(f"{page}add/", sent).status_code == 302
    assert not TimeExtension.objects.exists()
    same_after_restore(event)


@pytest.mark.deep
def test_a_rematch_is_said_and_not_offered_first(by, in_english):
    event = make.started(by, 4, **SWISS)
    make.play_round(make.next_round(event, by), by)
    gone = event.entries.get(number=4)
    withdraw(entry=gone, by=by)
    met = Match.objects.get(match_seats__entry=gone, round__ordinal=1).players
    (other,) = (player for player in met if player != gone)
    item = draft_round(event=event, expected_round=2, by=by)
    rests = bye_in(item).players[0]
    if rests != other:
        asked = ChangeRequest(action="swap", players=(rests.number, other.number))
        change_draft(event=event, ordinal=2, asked=asked, by=by)
    publish_round(event=event, ordinal=2, by=by)
    (offer,) = joinable_matches(fresh(event), gone)
    assert offer.again
    assert offer.before.endswith(f"{other.name} – {gone.name} · Round 1: Already met.")
    page = f"/events/{event.slug}/manage/players/4/"
    shown = signed_in(by).get(page, headers=ENGLISH).content.decode()
    assert f'class="button plain" name="joins" value="{offer.value}"' in shown
    rejoin(entry=gone, joins=BYE, by=by)
    make.play_round(item, by)
    assert findings(make.play_event(event, by)) == []


def test_that_two_are_kept_apart_is_said(by, in_english):
    event = make.started(by, 8, **SWISS)
    gone = event.entries.get(number=4)
    withdraw(entry=gone, by=by)
    for number in (1, 2, 3, 5, 6, 7, 8):
        add_separated_pair(event=event, numbers=(4, number), by=by)
    make.next_round(event, by)
    (offer,) = joinable_matches(fresh(event), gone)
    assert (offer.again, offer.before.endswith("These players should be kept apart.")) == (
        True,
        True,
    )


@pytest.mark.deep
def test_desk_and_door_offer_the_bye_to_who_asks_to_come_back(by):
    event = make.started(by, 8, **SWISS)
    gone = event.entries.get(number=4)
    withdraw(entry=gone, by=by)
    item = make.next_round(event, by)
    rests = bye_in(item).players[0]
    request_rejoin(entry=gone, by=Actor(entry=gone))
    offer = f"Play {rests.name} at table 4"
    for page in ("desk/", "manage/arrivals/", f"arrive/{check_in_code(gone)}/"):
        shown = signed_in(by).get(f"/events/{event.slug}/{page}", headers=ENGLISH)
        assert offer in shown.content.decode(), page
    sent = {"answer": "accept", "joins": f"{bye_in(item).pk}:{rests.number}"}
    address = f"/events/{event.slug}/manage/players/4/return/"
    assert signed_in(by).post(address, sent).status_code == 302
    assert item.match_seats.get(entry=gone).match.players == (rests, gone)
    assert signed_in(by).post(address, sent).status_code == 409
    assert findings(event) == []


@pytest.mark.deep
def test_the_door_offers_the_bye_to_who_waits(by):
    event = make.open_event(by, capacity=7, decklists="off", **SWISS)
    make.players(event, 8, by)
    event = start(event, by)
    item = make.next_round(event, by)
    waiting = event.entries.get(status="waiting")
    for page in ("manage/arrivals/", f"arrive/{check_in_code(waiting)}/"):
        shown = signed_in(by).get(f"/events/{event.slug}/{page}", headers=ENGLISH)
        assert "at table 4" in shown.content.decode()
    sent = {"joins": f"{bye_in(item).pk}:{bye_in(item).players[0].number}"}
    address = f"/events/{event.slug}/manage/players/8/enter/"
    assert signed_in(by).post(address, sent).status_code == 302
    shown = signed_in(by).get(f"/events/{event.slug}/manage/arrivals/", headers=ENGLISH)
    assert "at table 4" not in shown.content.decode()
    assert findings(event) == []


@pytest.mark.deep
def test_the_second_of_two_windows_is_refused_and_keeps_the_name(by):
    event = make.started(by, 7, **SWISS)
    make.next_round(event, by)
    (offer,) = joinable_matches(fresh(event))
    page = f"/events/{event.slug}/manage/players/add/"
    sent = {"name": "Zita", "missed": "loss", "joins": offer.value}
    assert signed_in(by).post(page, sent).status_code == 302
    refused = signed_in(by).post(page, sent | {"name": "Berta"}, headers=ENGLISH)
    assert refused.status_code == 409
    shown = refused.content.decode()
    assert "This is no longer possible. Reload the page." in shown
    assert 'value="Berta"' in shown
    assert "Pair from the next round" in shown
    assert signed_in(by).post(page, {"name": "Berta", "missed": "loss"}).status_code == 302


@pytest.mark.deep
def test_what_is_said_on_the_players_page_is_of_the_round_that_is_played(by):
    event = make.started(by, 7, **SWISS)
    rests = bye_in(make.next_round(event, by)).players[0]
    page = f"/events/{event.slug}/manage/players/"
    client = signed_in(by)
    (offer,) = joinable_matches(fresh(event))
    sent = {"name": "", "missed": "loss", "joins": offer.value}
    refused = client.post(f"{page}add/", sent, headers=ENGLISH)
    assert refused.status_code == 400
    joined = client.post(f"{page}add/", sent | {"name": "Zita"}, headers=ENGLISH, follow=True)
    shown = joined.content.decode()
    assert f"Zita plays {rests.name} at table 4." in shown
    assert "Pair from the next round" in shown


def test_the_act_is_not_undone_once_the_next_round_is_out(by):
    event = make.started(by, 7, **SWISS)
    item = make.next_round(event, by)
    late(event, by)
    line = last_act(fresh(event)).line
    make.play_round(item, by)
    draft_round(event=event, expected_round=2, publish=True, by=by)
    with pytest.raises(RuleError) as refused:
        undo(event=event, expected=line.number, by=by)
    assert refused.value.code in ("stale", "not_undoable")
    assert findings(event) == []
