"""Players who drop: no-shows and dropouts told apart, and how somebody comes back."""

import pytest
from django.test import Client

from rules.errors import RuleError
from rules.events.lifecycle import RejoinStatus
from tests import factories as make
from tests.browsers import by_link, signed_in, text, url
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.erasing.selectors import entry_data_json
from tournaments.exports.handout.contents import exit_labels
from tournaments.models import Entry, Event, LogLine
from tournaments.personal.selectors.state import current_page_state
from tournaments.players.services import departures
from tournaments.players.services import departures as returns
from tournaments.players.services.departures import correct_departure, rejoin, withdraw
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    """Return a group after a round in which all played but number 4, who had withdrawn."""
    event = make.started(by, 4, formula="single-group", format="thoom")
    withdraw(entry=event.entries.get(number=4), by=by)
    make.play_round(make.next_round(event, by), by)
    return Event.objects.get(pk=event.pk)


def told(client: Client, event: Event) -> dict[int, tuple[str, str | None]]:
    rows = client.get(f"/api/v1/events/{event.slug}/players/").json()["results"]
    return {row["number"]: (row["status"], row["left"]) for row in rows}


@pytest.mark.usefixtures("in_english")
def test_who_never_played_is_a_no_show(event, by, signed):
    withdraw(entry=event.entries.get(number=1), by=by)
    assert told(signed, event) == {
        1: ("withdrawn", "dropped"),
        2: ("registered", None),
        3: ("registered", None),
        4: ("withdrawn", "no_show"),
    }
    names = signed.get(url("players", event)).content.decode()
    standings = signed.get(url("standings", event)).content.decode()
    for page in (names, standings):
        assert page.count("No-show") == 1
        assert page.count("Dropped") == 1
    csv = signed.get(url("csv-players", event)).content.decode()
    assert "no_show" in csv
    assert "dropped" in csv
    assert list(verify_event(event)) == []
    out = exit_labels(load_facts(event))
    assert (out[1], out[4]) == ("Dropped · Round 1", "No-show")


def test_who_says_so_before_playing_is_no_no_show(by, signed):
    event = make.open_event(by, formula="single-group", format="thoom")
    make.players(event, 4, by)
    withdraw(entry=event.entries.get(number=1), by=Actor(entry=event.entries.get(number=1)))
    withdraw(entry=event.entries.get(number=2), by=by)
    assert told(signed, event)[1] == ("withdrawn", "dropped")
    assert told(signed, event)[2] == ("withdrawn", None)


@pytest.mark.deep
def test_the_staff_corrects_it_by_the_page(event, by, signed):
    page = url("manage-player", event, 4)
    assert "Record as a drop" in signed.get(page).content.decode()
    left = url("manage-player-left", event, 4)
    said = signed.post(left, {"left": "dropped"}, follow=True)
    assert "Record as a no-show" in said.content.decode()
    assert told(signed, event)[4] == ("withdrawn", "dropped")
    assert signed.post(left, {"left": "flown"}).status_code == 404
    event.refresh_from_db()
    undo(event=event, expected=event.version, by=by)
    assert told(signed, event)[4] == ("withdrawn", "no_show")
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []


@pytest.mark.deep
def test_a_program_corrects_it_and_an_archive_keeps_it(event, by, signed):
    address = f"/api/v1/events/{event.slug}/players/4/"
    answer = signed.patch(address, {"left": "dropped"}, "application/json")
    assert (answer.status_code, answer.json()["left"]) == (200, "dropped")
    assert entry_data_json(event.entries.get(number=4))["player"]["left"] == "dropped"
    lines = event.log.count()
    signed.patch(address, {"left": "dropped"}, "application/json")
    assert event.log.count() == lines
    here = signed.patch(address.replace("/4/", "/1/"), {"left": "dropped"}, "application/json")
    assert (here.status_code, here.json()["code"]) == (409, "not_withdrawn")
    written = event_archive(event)
    Event.objects.all().delete()
    again = restore_archive(written, caller=by.user)
    assert told(signed, again)[4] == ("withdrawn", "dropped")
    assert event_archive(again) == written


def test_who_comes_back_begins_anew(event, by):
    entry = correct_departure(entry=event.entries.get(number=4), left="dropped", by=by)
    rejoin(entry=entry, by=by)
    assert Entry.objects.get(pk=entry.pk).left == ""
    with pytest.raises(RuleError, match="no longer possible"):
        correct_departure(entry=entry, left="no_show", by=by)


SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 3, "cut": 2}}
BUTTON = "Ask to come back"


@pytest.fixture
def left(by):
    """Return an event after its first Swiss round, and a player who has left it."""
    event = make.halfway(by, 6, **SWISS)
    return event, departures.withdraw(entry=event.entries.get(number=3), by=by)


def ask(entry: Entry) -> Entry:
    return returns.request_rejoin(entry=entry, by=Actor(entry=entry))


def own_page(entry: Entry, by: Actor) -> str:
    return text(by_link(entry, by).get(url("me", entry.event)))


def requests(event):
    return LogLine.objects.filter(event=event, action="entry.return_asked").count()


@pytest.mark.deep
def test_one_tap_asks_and_the_desk_takes_the_player_back_by_one_click(left, by):
    event, entry = left
    player, desk = by_link(entry, by), signed_in(by)
    page = text(player.get(url("me", event)))
    assert BUTTON in page
    assert "You can play again from round 2." in page
    assert "Return requested" not in text(desk.get(url("desk", event)))
    for _tap in range(3):
        page = text(player.post(url("my-return", event), follow=True))
    assert ("You have asked to come back" in page, BUTTON in page) == (True, False)
    assert requests(event) == 1
    polled = text(desk.get(url("desk-tables", event)))
    shown = text(desk.get(url("desk", event)))
    answer = url("manage-player-return", event, entry.number)
    assert ("Return requested" in polled, answer in shown) == (True, True)
    taken = text(desk.post(answer, {"answer": "accept"}, follow=True))
    assert f"Saved: {entry.name}" in taken
    assert answer not in taken
    again = desk.post(answer, {"answer": "accept"})
    assert again.status_code == 409
    entry.refresh_from_db()
    assert (entry.plays, entry.return_asked_at) == (True, None)
    assert "You have asked" not in text(player.get(url("me", event)))


@pytest.mark.deep
def test_a_refusal_is_told_and_stands_until_it_is_taken_back(left, by):
    event, entry = left
    ask(entry)
    player, desk = by_link(entry, by), signed_in(by)
    answer = url("manage-player-return", event, entry.number)
    desk.post(answer, {"answer": "refuse"})
    page = text(player.get(url("me", event)))
    assert "The staff declined" in page
    assert "Ask at the desk." in page
    refused = player.post(url("my-return", event))
    assert refused.status_code == 409
    assert desk.post(answer, {"answer": "refuse"}).status_code == 409
    assert requests(event) == 1
    line = LogLine.objects.get(event=event, action="entry.return_refused")
    undo(event=event, expected=line.number, by=by)
    assert answer in text(desk.get(url("desk", event)))
    assert "The desk will decide" in text(player.get(url("me", event)))


def test_who_leaves_once_more_may_ask_once_more(left, by):
    _event, entry = left
    ask(entry)
    returns.refuse_rejoin(entry=entry, by=by)
    departures.rejoin(entry=entry, by=by)
    departures.withdraw(entry=entry, by=by)
    assert BUTTON in own_page(entry, by)
    ask(entry)
    departures.disqualify(entry=entry, reason="Barava", by=by)
    entry.refresh_from_db()
    assert not entry.asks_back
    assert "come back" not in own_page(entry, by)


def test_taking_the_leaving_back_ends_the_request(left, by):
    event, entry = left
    line = LogLine.objects.filter(event=event, action="entry.withdraw").get()
    ask(entry)
    undo(event=event, expected=line.number, by=by)
    entry = event.entries.get(pk=entry.pk)
    assert (entry.plays, entry.asks_back) == (True, False)
    assert url("manage-player-return", event, entry.number) not in text(
        signed_in(by).get(url("desk", event))
    )


def test_where_no_match_is_left_the_page_says_why(left, by):
    event, entry = left
    ask(entry)
    for _round in range(2):
        make.play_round(make.next_round(event, by), by)
    page = own_page(entry, by)
    assert "you have no matches left" in page
    assert BUTTON not in page
    assert url("manage-player-return", event, 3) not in text(signed_in(by).get(url("desk", event)))
    too_late = departures.withdraw(entry=event.entries.get(number=4), by=by)
    with pytest.raises(RuleError, match="can’t rejoin"):
        ask(too_late)


def test_before_the_start_it_can_be_asked_on_the_desk_that_waits(by):
    event = make.open_event(by)
    entry = make.players(event, 3, by)[0]
    departures.withdraw(entry=entry, by=by)
    assert BUTTON in own_page(entry, by)
    ask(entry)
    assert url("manage-player-return", event, 1) in text(signed_in(by).get(url("desk", event)))


def test_nobody_asks_for_another_and_no_judge_answers(left, by):
    event, entry = left
    other = by_link(event.entries.get(number=1), by)
    assert other.post(url("my-return", event)).status_code == 409
    assert Client().post(url("my-return", event)).status_code == 403
    ask(entry)
    judge = signed_in(make.staff(event))
    answer = url("manage-player-return", event, entry.number)
    assert "Return requested" not in text(judge.get(url("desk", event)))
    assert judge.post(answer, {"answer": "accept"}).status_code == 403
    assert judge.post(answer, {"answer": "refuse"}).status_code == 403
    assert signed_in(by).post(answer, {"answer": "maybe"}).status_code == 400


@pytest.mark.deep
def test_the_api_asks_answers_and_refuses(left, by):
    event, entry = left
    entry.user = make.user("left@example.org")
    entry.save()
    player, desk = signed_in(Actor(user=entry.user)), signed_in(by)
    path = f"/api/v1/events/{event.slug}/players/{entry.number}/return/"
    assert player.get(path).json()["state"] == "may_ask"
    first = player.post(path).json()
    assert (first["state"], player.post(path).json()) == ("asked", first)
    assert desk.post(path).status_code == 403
    assert player.delete(path).status_code == 403
    assert desk.delete(path).status_code == 204
    again = desk.delete(path)
    assert (again.status_code, again.json()["code"]) == (409, "return_not_asked")
    refused = player.post(path)
    assert (refused.status_code, refused.json()["code"]) == (409, "return_refused")
    assert player.get(path).json()["state"] == "refused"


@pytest.mark.deep
@pytest.mark.parametrize(
    ("values", "number"),
    [
        (SWISS, 3),
        ({"formula": "single-group", "format": "doomtrooper-original"}, 3),
        ({"formula": "double-elimination", "format": "creatures-of-exo"}, 1),
        ({"formula": "double-elimination", "format": "creatures-of-exo"}, 6),
        ({"formula": "single-elimination", "format": "creatures-of-exo"}, 1),
        ({"formula": "single-elimination", "format": "creatures-of-exo"}, 6),
    ],
)
def test_who_may_ask_has_a_match_after_coming_back(by, values, number):
    event = make.halfway(by, 6, **values)
    entry = departures.withdraw(entry=event.entries.get(number=number), by=by)
    possible = (
        current_page_state(load_facts(event, for_staff=False), entry).returning
        is RejoinStatus.MAY_ASK
    )
    entry = departures.rejoin(entry=entry, by=by)
    assert current_page_state(load_facts(event, for_staff=False), entry).plays == possible


@pytest.mark.deep
def test_who_left_before_the_cut_and_would_be_in_it_may_ask(by):
    event = make.stage_played(by, 6, **SWISS)
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        make.draws.draw_tied_order(event=event, tied=needed[0], by=by)
    outcome = load_facts(event).open_stage.outcome
    (table,) = outcome.standings.values()
    order = [row.player for row in table.rows]
    for number, asks in ((outcome.places["seed 1"], True), (order[-1], False)):
        entry = departures.withdraw(entry=event.entries.get(number=number), by=by)
        page = own_page(entry, by)
        assert (BUTTON in page) == asks
        assert ("you have no matches left" in page) != asks
