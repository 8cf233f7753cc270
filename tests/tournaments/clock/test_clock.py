"""The clock of a round: run by hand, on every page, in overtime."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from rules.errors import BadInput, RuleError
from rules.events.clock import ClockAction, ClockReading, ClockState
from tests import factories as make
from tests.browsers import ENGLISH, by_link, signed_in, text, url
from tournaments.clock import services as clock
from tournaments.core.clocks import clock_json, current_clock_display, timer_row
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.events import services as events
from tournaments.events.services import change_event
from tournaments.models import Event, RoundClock
from tournaments.rounds import services as rounds
from tournaments.undo.selectors import find_redoable_undo
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
START, PAUSE, RESUME, ADD, RESET = ClockAction


class Time:
    """The machine's clock and its own count of seconds, moved by hand."""

    def __init__(self) -> None:
        self.at, self.ticks, self.machine = datetime(2026, 12, 5, 9, tzinfo=UTC), 100.0, "laptop"

    def pass_by(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)
        self.ticks += seconds

    def __call__(self) -> ClockReading:
        return ClockReading(self.at, self.ticks, self.machine)


def act(event, action, by, minutes=0, expected=None, ordinal=1):
    return clock.run_clock(
        event=event, ordinal=ordinal, action=action, minutes=minutes, expected=expected, by=by
    )


def shown(event, extra=0):
    return current_clock_display(load_facts(Event.objects.get(pk=event.pk)), extra)


@pytest.fixture
def time(monkeypatch):
    moved = Time()
    for module in ("core.clocks", "clock.services"):
        monkeypatch.setattr(f"tournaments.{module}.current_moment", moved)
    with override("en"):
        yield moved


@pytest.fixture
def event(by):
    return make.playing(by, 12)


def test_a_round_from_the_start_to_the_end_of_its_time(event, by, time):
    assert (shown(event).state, shown(event).left) == (ClockState.READY, 3000)
    act(event, START, by)
    time.pass_by(600)
    assert (shown(event).face, shown(event).note) == ("40:00", "")
    act(event, PAUSE, by)
    time.pass_by(300)
    assert (shown(event).face, shown(event).note) == ("40:00", "The timer is paused.")
    act(event, RESUME, by)
    time.pass_by(1500)
    assert (shown(event).face, shown(event).note) == ("15:00", "Last minutes: 15")
    act(event, ADD, by, minutes=5)
    assert (shown(event).face, shown(event).note, shown(event).minutes) == ("20:00", "", 55)
    time.pass_by(1200)
    over = shown(event)
    assert (over.state, over.face, over.until) == (ClockState.OVER, "0:00", None)
    assert over.note.startswith("Time is up: play to the end of the second")
    assert shown(event, extra=4).face == "4:00"
    lines = event.log.filter(action__startswith="clock.").order_by("number")
    assert [(line.action, line.before["left"], line.after["left"]) for line in lines] == [
        ("clock.start", "50:00", "50:00"),
        ("clock.pause", "40:00", "40:00"),
        ("clock.resume", "40:00", "40:00"),
        ("clock.add", "15:00", "20:00"),
    ]
    assert Event.objects.get(pk=event.pk).version == lines.last().number


def test_a_start_by_mistake_is_taken_back(event, by, time):
    act(event, START, by)
    time.pass_by(60)
    act(event, RESET, by)
    assert (shown(event).state, shown(event).face) == (ClockState.READY, "50:00")
    assert RoundClock.objects.get().started_at is None


@pytest.mark.parametrize("wrong", [timedelta(hours=1), timedelta(hours=-1), timedelta(days=-2)])
def test_a_server_clock_that_is_set_changes_nothing(event, by, time, wrong):
    act(event, START, by)
    time.pass_by(600)
    time.at += wrong
    assert shown(event).face == "40:00"
    act(event, PAUSE, by)
    act(event, RESUME, by)
    time.pass_by(60)
    assert shown(event).face == "39:00"


def test_after_the_machine_was_off_the_time_of_day_counts(event, by, time):
    act(event, START, by)
    time.pass_by(600)
    time.ticks, time.machine = 3.0, "laptop, switched on again"
    assert shown(event).face == "40:00"


def test_the_second_of_two_who_press_at_once_is_told(event, by, time):
    judge = make.staff(event)
    act(event, START, by, expected=0)
    act(event, PAUSE, judge, expected=1)
    with pytest.raises(RuleError) as refused:
        act(event, PAUSE, by, expected=1)
    assert refused.value.code == "clock_changed"
    with pytest.raises(RuleError) as refused:
        act(event, ADD, by, minutes=5, expected=1)
    assert refused.value.code == "clock_changed"
    assert RoundClock.objects.get().version == 2
    with pytest.raises(RuleError) as refused:
        act(event, PAUSE, by)
    assert refused.value.code == "clock_not_running"


def test_who_may(event, by, time):
    for role in ("judge", "head_judge", "scorekeeper"):
        act(event, START, make.staff(event, role))
        act(event, RESET, by)
    entry = event.entries.first()
    for stranger in (Actor(entry=entry), Actor(user=make.user()), Actor()):
        with pytest.raises(PermissionDenied):
            act(event, START, stranger)


def test_what_has_no_clock(event, by, time):
    with pytest.raises(BadInput):
        act(event, START, by) and act(event, ADD, by, minutes=61)
    item = event.rounds.get()
    make.play_round(item, by)
    assert shown(event) is None  # all results are in
    rounds.draft_round(event=event, expected_round=2, by=by)
    with pytest.raises(RuleError) as refused:
        act(event, START, by, ordinal=2)
    assert refused.value.code == "round_not_published"
    rounds.publish_round(event=event, ordinal=2, by=by)
    for ordinal, code in ((1, "round_over"), (9, "round_gone")):
        with pytest.raises(RuleError) as refused:
            act(event, PAUSE, by, ordinal=ordinal)
        assert refused.value.code == code
    assert shown(event).state is ClockState.READY


@pytest.mark.deep
def test_a_final_has_no_time_limit(by, time):
    event = make.started(by, 4)
    make.play_stage(event, by)
    make.close_stage(event, by)
    item = make.next_round(event, by)
    assert shown(event) is None
    with pytest.raises(RuleError) as refused:
        act(event, START, by, ordinal=item.ordinal)
    assert refused.value.code == "no_time_limit"
    assert clock_json(event, item, timed=False) is None


def test_a_finished_event_keeps_no_time(event, by, time):
    Event.objects.filter(pk=event.pk).update(state="finished")
    with pytest.raises(RuleError) as refused:
        act(event, START, by)
    assert refused.value.code == "event_not_running"


def test_minutes_of_the_event_that_change_leave_a_clock_that_runs(event, by, time):
    act(event, START, by)
    events.change_event(event=event, changes={"minutes": 70, "warnings": [5, 20, 5]}, by=by)
    assert shown(event).face == "50:00"
    assert Event.objects.get(pk=event.pk).warnings == [20, 5]
    with pytest.raises(BadInput):
        events.change_event(event=event, changes={"warnings": [0]}, by=by)


def test_a_round_taken_back_takes_its_clock_along(event, by, time):
    act(event, START, by)
    rounds.delete_last_round(event=event, ordinal=1, by=by)
    assert not RoundClock.objects.exists()
    assert timer_row(make.next_round(event, by)) is None


def seconds(page: str) -> float:
    return float(re.search(r'data-left="(-?[\d.]+)"', page)[1])


def test_every_page_says_the_same(event, by, time):
    match = event.rounds.get().matches.get(table=1)
    player, other = by_link(match.players[0], by), by_link(match.players[1], by)
    desk = signed_in(make.staff(event))
    act(event, START, by)
    time.pass_by(123.4)
    clock.extend_time(match=match, minutes=5, reason="Controllo", by=by)
    pages = {
        "desk": desk.get(url("desk", event)),
        "pairings": Client(headers=ENGLISH).get(url("pairings", event)),
        "player": player.get(url("me", event)),
        "opponent": other.get(url("me", event)),
    }
    assert {seconds(text(page)) for page in pages.values()} == {2876.6}
    assert 'data-extra="5"' in text(pages["player"])
    assert 'data-own-time="5"' in text(pages["desk"])
    assert 'data-own-time="5"' in text(pages["pairings"])
    until = '2026-12-05T10:50:00+01:00">10:50</time>'
    assert until in text(pages["pairings"])
    assert "10:55</time>" in text(pages["player"])


@pytest.mark.deep
def test_what_is_left_is_told_where_nothing_has_changed(event, by, time):
    match = event.rounds.get().matches.get(table=1)
    act(event, START, by)
    for client, address in (
        (signed_in(by), url("desk-tables", event)),
        (Client(headers=ENGLISH), url("pairings", event)),
        (by_link(match.players[0], by), url("me-now", event)),
    ):
        first = client.get(address, headers={"HX-Request": "true"})
        left = first["X-Clock"]
        time.pass_by(10)
        headers = {"HX-Request": "true", "If-None-Match": first["ETag"]}
        again = client.get(address, headers=headers)
        assert again.status_code == 304
        assert again["X-Clock"] == f"running {float(left.split()[1]) - 10:.2f}"
        act(event, PAUSE, by)
        changed = client.get(address, headers=headers)
        assert (changed.status_code, changed["X-Clock"][:7]) == (200, "paused ")
        act(event, RESUME, by)


def test_the_bar_shows_the_clock_of_the_round_that_is_played(event, by, time):
    make.play_round(event.rounds.get(), by)
    make.next_round(event, by)
    act(event, START, by, ordinal=2)
    client = Client(headers=ENGLISH)
    for address in (url("pairings", event), url("pairings", event, 1), url("players", event)):
        shown = text(client.get(address))
        assert shown.count("data-clock ") == 1
        assert "<b>Round 2</b>" in shown


@pytest.mark.deep
def test_the_buttons(event, by, time):
    judge = signed_in(make.staff(event))
    address = url("desk-clock", event, 1)
    page = text(judge.get(url("desk", event)))
    assert "Start the timer" in page
    answer = judge.post(address, {"action": "start", "version": "0"}, follow=True)
    assert "Saved." in text(answer)
    assert "Pause the timer" in text(answer)
    again = judge.post(address, {"action": "start", "version": "0"})
    assert again.status_code == 409
    assert "This is no longer possible." in text(again)
    assert "Pause the timer" in text(again)
    for body in ({}, {"action": "x", "version": "1"}, {"action": "add", "version": "1"}):
        assert judge.post(address, body).status_code == 400
    more = judge.post(address, {"action": "add", "version": "1", "minutes": "5"}, follow=True)
    assert "Saved." in text(more)
    assert shown(event).minutes == 55


def test_a_page_without_any_staff_has_no_buttons(event, by, time):
    assert url("desk-clock", event, 1) not in text(Client().get(url("pairings", event)))


@pytest.mark.deep
def test_warnings_are_set_in_the_settings(event, by):
    client = signed_in(by)
    page = text(client.get(url("manage-settings", event)))
    assert 'value="15, 10, 5"' in page
    form = {"name": event.name, "starts_at": "2026-12-05T10:00", "minutes": "50"}
    for typed, stored in (("20 5", [20, 5]), ("", []), ("5;10", [10, 5])):
        answer = client.post(url("manage-settings", event), form | {"warnings": typed})
        assert answer.status_code == 302, text(answer)
        assert Event.objects.get(pk=event.pk).warnings == stored
    for wrong in ("x", "0", "601", "1 2 3 4 5 6 7", "9" * 50):
        answer = client.post(url("manage-settings", event), form | {"warnings": wrong})
        assert answer.status_code == 400


@pytest.mark.deep
def test_overtime_is_told_after_the_end_and_then_that_time_is_up(event, by, time):
    change_event(event=event, changes={"overtime": 5}, by=by)
    match = event.rounds.get().matches.get(table=1)
    anybody, player = Client(headers=ENGLISH), by_link(match.players[0], by)
    desk = signed_in(make.staff(event))
    act(event, START, by)
    time.pass_by(3000 + 72)
    for client, name in (
        (anybody, "pairings"),
        (anybody, "screen"),
        (player, "me"),
        (desk, "desk"),
    ):
        said = text(client.get(url(name, event)))
        assert "Overtime: 5 min</span>" in said, name
        assert "+1:12" in said, name
    time.pass_by(240)
    said = text(anybody.get(url("pairings", event)))
    assert "Overtime: 5 min</span>" not in said
    assert 'data-overtime="5"' in said
    assert shown(event).state is ClockState.OVER


@pytest.mark.deep
def test_overtime_is_set_in_the_settings(event, by):
    client = signed_in(by)
    form = {"name": event.name, "starts_at": "2026-12-05T10:00", "minutes": "50"}
    for typed, stored in (("5", 5), ("0", None), ("", None)):
        answer = client.post(url("manage-settings", event), form | {"overtime": typed})
        assert answer.status_code == 302, text(answer)
        assert Event.objects.get(pk=event.pk).overtime == stored
    answer = client.post(url("manage-settings", event), form | {"overtime": "61"})
    assert answer.status_code == 400
    assert "less than or equal to 60" in text(answer)


def away(time, settings, seconds: float) -> None:
    """Let the site be away, as a power cut does."""
    gone = time.at.timestamp()
    time.pass_by(seconds)
    known = {"at": gone + seconds, "gone": gone, "back": gone + seconds}
    Path(settings.ALIVE_FILE).write_text(json.dumps(known))


@pytest.mark.deep
def test_after_a_power_cut_the_desk_offers_the_minutes(event, by, time, settings):
    judge = signed_in(make.staff(event))
    time.at = timezone.now() - timedelta(hours=1)  # the log tells what came after the absence
    act(event, START, by)
    time.pass_by(600)
    away(time, settings, 740)
    for page in (url("desk", event), url("desk-tables", event)):
        assert "Add 12 min to round 1" in text(judge.get(page))
    sent = {"action": "add", "minutes": "12", "version": "1"}
    assert judge.post(url("desk-clock", event, 1), sent).status_code == 302
    assert judge.post(url("desk-clock", event, 1), sent).status_code == 409
    assert shown(event).minutes == event.minutes + 12
    assert "min to round 1" not in text(judge.get(url("desk", event)))
    line = event.log.latest("number")
    undo(event=event, expected=line.number, by=by)
    assert shown(event).minutes == event.minutes
    assert "Add 12 min to round 1" in text(judge.get(url("desk", event)))
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []
    redo(event=event, expected=find_redoable_undo(event).number, by=by)
    assert shown(event).minutes == event.minutes + 12
    assert "min to round 1" not in text(judge.get(url("desk", event)))


def test_no_minutes_are_offered_of_a_clock_that_did_not_run(event, by, time, settings):
    keeper = signed_in(make.staff(event))
    away(time, settings, 600)
    act(event, START, by)
    assert "min to round 1" not in text(keeper.get(url("desk", event)))
    act(event, PAUSE, by)
    away(time, settings, 600)
    assert "min to round 1" not in text(keeper.get(url("desk", event)))


def test_minutes_are_offered_in_words_of_the_reader(event, by, time, settings):
    act(event, START, by)
    away(time, settings, 70)
    page = signed_in(by).get(url("desk", event), headers={"accept-language": "it"})
    assert "Aggiungi 1 min al turno 1" in text(page)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("since", "told"), [(timedelta(hours=1), True), (timedelta(hours=13), False)]
)
def test_the_desk_says_that_printed_codes_lead_elsewhere(by, settings, since, told):
    event = make.playing(by, 4)
    Event.objects.update(created_at=timezone.now() - timedelta(days=3))
    moved = (timezone.now() - since).timestamp()
    known = {"at": moved, "former": "http://192.168.1.20:8000", "moved": moved}
    Path(settings.ALIVE_FILE).write_text(json.dumps(known))
    page = text(signed_in(by).get(url("desk", event)))
    assert ("192.168.1.20:8000 no longer work." in page) is told
    later = make.playing(by, 6)
    Event.objects.filter(pk=later.pk).update(created_at=timezone.now())
    assert "192.168.1.20" not in text(signed_in(by).get(url("desk", later)))
