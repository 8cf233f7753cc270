"""The desk's pages: who may open them, what they name, and how many queries they make."""

import pytest

from tests import factories as make
from tests.browsers import ENGLISH, signed_in, text, url
from tournaments.core.event_state import load_facts
from tournaments.models import Match, Round, StaffRole
from tournaments.players.services import departures

pytestmark = pytest.mark.django_db
PAGES = ("desk", "desk-tables", "lots", "advance")


@pytest.fixture
def event(by):
    return make.started(by, 12)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("role", StaffRole.Role.values)
def test_everybody_on_the_staff_opens_the_desk(event, by, name, role):
    make.next_round(event, by)
    assert signed_in(make.staff(event, role)).get(url(name, event)).status_code == 200


@pytest.mark.parametrize("name", PAGES)
def test_nobody_else_does(event, client, name):
    stranger = signed_in(make.organiser())
    assert client.get(url(name, event)).status_code == 403
    assert stranger.get(url(name, event)).status_code == 403


def test_the_desk_of_an_event_in_draft_is_not_there_for_others(by):
    hidden = make.event(by)
    assert signed_in(make.organiser()).get(url("desk", hidden)).status_code == 404
    assert signed_in(by).get(url("desk", hidden)).status_code == 200


def test_a_judge_sees_no_button_for_rounds_and_cannot_make_them(event):
    judge = signed_in(make.staff(event))
    assert "Prepare round 1" not in text(judge.get(url("desk", event)))
    assert judge.post(url("desk-draft", event), {"expected_round": 1}).status_code == 403


def test_draft_look_over_publish(event, by):
    client = signed_in(by)
    assert "Prepare round 1" in text(client.get(url("desk", event)))
    answer = client.post(url("desk-draft", event), {"expected_round": 1}, follow=True)
    assert answer.redirect_chain[-1][0] == url("desk-round", event, 1)
    assert "Publish round 1" in text(answer)
    assert "Look over round 1" in text(client.get(url("desk", event)))
    answer = client.post(url("desk-publish", event, 1), follow=True)
    assert "Round 1 is published." in text(answer)
    page = text(answer)
    assert "0 of 6" in page
    assert "Results still missing: 6." in page
    assert page.count('class="desk-row') == 6


def test_what_blocks_is_named(event, by):
    item = make.next_round(event, by)
    first = item.matches.order_by("table").first()
    page = text(signed_in(by).get(url("desk", event)))
    assert f"Table 1: {first.players[0]} – {first.players[1]}" in page
    assert "Playing: 6" in page


def test_a_draft_is_taken_back(event, by):
    client = signed_in(by)
    client.post(url("desk-draft", event), {"expected_round": 1})
    answer = client.post(url("desk-undo-round", event, 1), follow=True)
    assert "Round 1 was taken back." in text(answer)
    assert not Round.objects.exists()


def test_two_windows_draft_one_round(event, by):
    client = signed_in(by)
    client.post(url("desk-draft", event), {"expected_round": 1})
    answer = client.post(url("desk-draft", event), {"expected_round": 1})
    assert answer.status_code == 409
    assert "was already made by" in text(answer)
    assert "Look over round 1" in text(answer)
    assert Round.objects.count() == 1


def test_two_windows_publish_once(event, by):
    make.next_round(event, by)
    answer = signed_in(by).post(url("desk-publish", event, 1))
    assert answer.status_code == 409
    assert "published already" in text(answer)


def test_a_round_with_results_stays(event, by):
    make.play_round(make.next_round(event, by), by)
    answer = signed_in(by).post(url("desk-undo-round", event, 1))
    assert answer.status_code == 409
    assert "has results already" in text(answer)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("desk-draft", {}),
        ("desk-draft", {"expected_round": "x"}),
        ("desk-draft", {"expected_round": "99999999999999999999"}),
        ("desk-quick", {"table": "", "ordinal": ""}),
        ("desk-quick", {"table": "77", "ordinal": "1"}),
        ("advance-close", {"expected_stage": "-1"}),
        ("second-leg", {"expected_stage": "²"}),
        ("advance-undo", {"expected_stage": "1"}),
        ("lots-draw", {"tied": "a,b"}),
        ("lots-draw", {"tied": "1,2"}),
        ("lots-draw", {"tied": ""}),
        ("lots-hand", {"tied": "1,2", "place_1": "x", "place_2": "²"}),
        ("desk-finish", {}),
    ],
)
def test_rubbish_is_refused_with_a_page(event, by, name, data):
    make.next_round(event, by)
    answer = signed_in(by).post(url(name, event), data)
    assert answer.status_code in (400, 409)
    assert 'class="notice bad"' in text(answer)


def test_a_step_cannot_be_opened_by_get(event, by):
    assert signed_in(by).get(url("desk-draft", event)).status_code == 405


def test_polling_answers_304_until_something_happens(event, by):
    item = make.next_round(event, by)
    client = signed_in(by)
    first = client.get(url("desk-tables", event), {"since": 0})
    tag = first.headers["ETag"]
    again = {"headers": ENGLISH | {"If-None-Match": tag}}
    assert client.get(url("desk-tables", event), {"since": 0}, **again).status_code == 304
    make.play_round(item, by)
    fresh = client.get(url("desk-tables", event), {"since": 0}, **again)
    assert fresh.status_code == 200
    assert text(fresh).count('class="desk-row final"') == 6


def test_polling_sends_only_what_changed(event, by):
    item = make.next_round(event, by)
    make.play_round(item, by)
    last = Match.objects.order_by("-decision_id").first().decision_id
    answer = signed_in(by).get(url("desk-tables", event), {"since": last - 1})
    assert text(answer).count('class="desk-row final"') == 1
    assert signed_in(by).get(url("desk-tables", event), {"since": "x"}).status_code == 200


@pytest.mark.parametrize("how_many", [4, 300])
def test_the_desk_makes_the_same_queries_for_any_number(by, how_many, django_assert_num_queries):
    formula = "single-group" if how_many < 9 else "mutant-chronicles"
    event = make.started(by, how_many, formula=formula)
    make.next_round(event, by)
    client = signed_in(by)
    with django_assert_num_queries(18):
        assert client.get(url("desk", event)).status_code == 200


def test_second_leg_is_offered_with_its_cost_and_decided_once(event, by):
    make.next_round(event, by)
    client = signed_in(by)
    assert "adds 3 rounds, about 150 minutes" in text(client.get(url("desk", event)))
    answer = client.post(url("second-leg", event), {"expected_stage": 1}, follow=True)
    assert "The second leg will be played." in text(answer)
    assert load_facts(event).open_stage.total_rounds == 6
    again = client.post(url("second-leg", event), {"expected_stage": 1})
    assert again.status_code == 409
    assert "decided already" in text(again)


def test_before_and_after_the_event_the_desk_says_so(by):
    event = make.event(by)
    before = text(signed_in(by).get(url("desk", event)))
    assert "The event has not started" in before
    assert url("arrivals", event) in before  # the door is what is needed then
    done = make.played(by, 3)
    assert "The event is finished" in text(signed_in(by).get(url("desk", done)))


def test_the_desk_leads_to_earlier_rounds(client):
    by = make.organiser()
    event = make.started(by, 4)
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    client.force_login(by.user)
    shown = client.get(url("desk", event)).content.decode()
    assert f'href="{url("desk-round", event, 1)}"' in shown
    assert f'href="{url("desk-round", event, 2)}"' not in shown


def test_before_a_round_the_desk_says_who_is_missing(by):
    event = make.started(by, 8)
    client = signed_in(by)
    assert "Nobody was marked as present" in text(client.get(url("desk", event)))
    for number in (1, 2, 3, 4, 5, 6):
        event.entries.filter(number=number).update(status="checked_in")
    missing = [event.entries.get(number=number).name for number in (7, 8)]
    departures.withdraw(entry=event.entries.get(number=8), by=by)
    page = text(client.get(url("desk", event)))
    assert "1 is not here" in page
    assert "Have left:" in page
    begins = page.index('class="panel before-round"')
    shown = page[begins : page.index("</section>", begins)]
    assert all(name in shown for name in missing)
    make.next_round(event, by)
    assert "before-round" not in text(client.get(url("desk", event)))
