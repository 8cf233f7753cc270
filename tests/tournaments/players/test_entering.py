"""Players of the waiting list who enter after the start, with what is theirs."""

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from rules.errors import RuleError
from tests import factories as make
from tests.recipes import recipe
from tournaments.lots.services import draw_start_order
from tournaments.models import Event, Match
from tournaments.players.selectors.players import link_of_token
from tournaments.players.services import entries
from tournaments.players.services.late_entries import add_late_entry, enter_late
from tournaments.starting.services import start_event
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 2}}


@recipe
def waited_for(by, how_many=8, **values):
    """Return an event before its start, full, with two players who wait."""
    event = make.open_event(by, capacity=how_many, **(SWISS | values))
    make.players(event, how_many, by)
    make.players_more(event, ["Wanda", "Xeno"], by)
    return Event.objects.get(pk=event.pk)


def begun(event, by):
    draw = draw_start_order(event=event, by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    event.refresh_from_db()
    return event


@pytest.fixture
def event(by):
    return waited_for(by)


@pytest.fixture
def client(by):
    found = Client(headers={"accept-language": "en"})
    found.force_login(by.user)
    return found


def findings(event):
    return list(verify_event(Event.objects.get(pk=event.pk)))


def wanda(event):
    return event.entries.get(name="Wanda")


def test_who_waits_enters_with_number_link_list_and_answers(by):
    event = waited_for(by, decklists="optional")
    entry = wanda(event)
    entry.answers = {"shirt": "M"}
    entry.save()
    make.hand_in(entry)
    token = entries.make_link(entry=entry, by=by)
    begun(event, by)
    make.play_round(make.next_round(event, by), by)
    before = wanda(event)
    entered = enter_late(entry=before, missed="bye", by=by)
    after = wanda(event)
    assert (entered.pk, after.status, after.waiting_since) == (before.pk, "checked_in", None)
    assert (after.number, after.submission_id, after.answers) == (
        before.number,
        before.submission_id,
        {"shirt": "M"},
    )
    assert after.submission_id
    assert link_of_token(token).entry == after
    missed = Match.objects.get(match_seats__entry=after, missed=True)
    assert missed.decision.winner == "a"
    second = make.next_round(event, by)
    assert second.match_seats.filter(entry=after).count() == 1
    assert findings(event) == []


def test_it_is_one_act_that_can_be_taken_back(event, by):
    begun(event, by)
    make.play_round(make.next_round(event, by), by)
    waited = wanda(event).waiting_since
    enter_late(entry=wanda(event), by=by)
    line = event.log.get(action="entry.added_late")
    assert (line.subject, line.before, line.after["missed"]) == (
        "Wanda",
        {"status": "waiting"},
        "loss",
    )
    undo(event=event, expected=line.number, by=by)
    back = wanda(event)
    assert (back.status, back.waiting_since) == ("waiting", waited)
    assert not Match.objects.filter(match_seats__entry=back).exists()
    enter_late(entry=back, by=by)
    make.play_event(Event.objects.get(pk=event.pk), by)
    assert findings(event) == []


def test_the_waiting_list_is_no_bar_to_others_who_come_late(event, by):
    begun(event, by)
    assert add_late_entry(event=event, name="Zita", missed="loss", by=by).number == 11
    assert enter_late(entry=wanda(event), by=by).number == 9
    make.play_round(make.next_round(event, by), by)
    assert findings(event) == []


def test_who_may_not_enter_is_refused_and_nothing_is_stored(event, by):
    with pytest.raises(RuleError) as early:
        enter_late(entry=wanda(event), by=by)
    begun(event, by)
    version = event.version
    with pytest.raises(RuleError) as seated:
        enter_late(entry=event.entries.get(number=1), by=by)
    with pytest.raises(PermissionDenied):
        enter_late(entry=wanda(event), by=make.staff(event, "judge"))
    make.play_event(Event.objects.get(pk=event.pk), by)
    with pytest.raises(RuleError) as over:
        enter_late(entry=wanda(event), by=by)
    codes = [refused.value.code for refused in (early, seated, over)]
    assert codes == ["event_not_running", "entry_not_waiting", "event_finished"]
    assert version < Event.objects.get(pk=event.pk).version
    assert wanda(event).status == "waiting"


def test_groups_take_nobody_and_the_page_says_so(by, client):
    event = begun(waited_for(by, formula="single-group", options={}), by)
    with pytest.raises(RuleError) as refused:
        enter_late(entry=wanda(event), by=by)
    assert refused.value.code == "late_entry_not_possible"
    page = client.get(reverse("tournaments:manage-player", args=[event.slug, 9])).content.decode()
    assert "Only a stage of Swiss rounds or tables in progress takes players" in page
    assert "Is here: let in" not in page


def test_the_page_lets_in_before_and_after_the_start(event, by, client):
    address = reverse("tournaments:manage-player", args=[event.slug, 9])
    enter = reverse("tournaments:manage-player-enter", args=[event.slug, 9])
    assert "Is here: let in" in client.get(address).content.decode()
    assert client.post(enter).status_code == 409
    client.post(
        reverse("tournaments:manage-player-leave", args=[event.slug, 1]), {"action": "withdraw"}
    )
    assert wanda(event).status == "registered", "the door is not in use"
    begun(event, by)
    xeno = reverse("tournaments:manage-player-enter", args=[event.slug, 10])
    page = client.get(reverse("tournaments:manage-player", args=[event.slug, 10])).content.decode()
    assert 'name="missed"' in page
    shown = client.post(xeno, {"missed": "bye"}, follow=True).content.decode()
    assert "Xeno is in, and paired from the next round on." in shown
    assert client.post(xeno, {"missed": "bye"}).status_code == 409


def test_the_api_enters(event, by, client):
    def enter(number=9, **body):
        address = f"/api/v1/events/{event.slug}/players/{number}/enter/"
        return client.post(address, body, content_type="application/json")

    assert (enter().status_code, enter().json()["code"]) == (409, "event_not_running")
    begun(event, by)
    assert enter(late="win").status_code == 400
    entered = enter(late="bye")
    assert (entered.status_code, entered.json()["status"]) == (200, "checked_in")
    assert enter().json()["code"] == "entry_not_waiting"
    assert enter(number=10).json()["number"] == 10
    make.play_event(Event.objects.get(pk=event.pk), by)
    assert enter().json()["code"] == "event_finished"
