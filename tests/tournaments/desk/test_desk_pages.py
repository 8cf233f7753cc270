"""The desk's pages: who may open them, what they name and offer, and how many queries they make."""

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import ENGLISH, page, read, signed_in, text, url
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import DeskRights
from tournaments.desk.selectors.desk import desk_content
from tournaments.events.services import change_event_state
from tournaments.models import Match, Round
from tournaments.players.services import departures
from tournaments.players.services.entries import check_in
from tournaments.rounds import services as rounds

pytestmark = pytest.mark.django_db
PAGES = ("desk", "desk-tables", "lots", "advance")


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
    assert "Review the draft" in text(client.get(url("desk", event)))
    answer = client.post(url("desk-publish", event, 1), follow=True)
    assert "Published: Round 1." in text(answer)
    page = text(answer)
    assert "0/6" in page
    assert "Results missing: 6" in page
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
    assert "Removed." in text(answer)
    assert not Round.objects.exists()


def test_two_windows_draft_one_round(event, by):
    client = signed_in(by)
    client.post(url("desk-draft", event), {"expected_round": 1})
    answer = client.post(url("desk-draft", event), {"expected_round": 1})
    assert answer.status_code == 409
    assert "has already prepared round 1." in text(answer)
    assert "Review the draft" in text(answer)
    assert Round.objects.count() == 1


def test_two_windows_publish_once(event, by):
    make.next_round(event, by)
    answer = signed_in(by).post(url("desk-publish", event, 1))
    assert answer.status_code == 409
    assert "This is no longer possible." in text(answer)


@pytest.mark.deep
def test_a_round_with_results_stays_unless_it_is_started_over(event, by):
    make.next_round(event, by)
    client, over = signed_in(by), f'href="{url("desk-discard", event, 1)}"'
    assert over not in text(client.get(url("desk", event)))
    make.play_round(event.rounds.get(), by)
    answer = client.post(url("desk-undo-round", event, 1))
    assert answer.status_code == 409
    assert "Round 1 already has results." in text(answer)
    assert over in text(client.get(url("desk", event)))
    assert over not in text(signed_in(make.staff(event)).get(url("desk", event)))


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


@pytest.mark.deep
@pytest.mark.parametrize("how_many", [4, 300])
def test_the_desk_makes_the_same_queries_for_any_number(by, how_many, django_assert_num_queries):
    formula = "single-group" if how_many < 9 else "mutant-chronicles"
    event = make.started(by, how_many, formula=formula)
    make.next_round(event, by)
    client = signed_in(by)
    with django_assert_num_queries(17):
        assert client.get(url("desk", event)).status_code == 200


@pytest.mark.deep
def test_second_leg_is_offered_with_its_cost_and_decided_once(event, by):
    make.next_round(event, by)
    client = signed_in(by)
    assert "Additional rounds: 3 (about 150 minutes)" in text(client.get(url("desk", event)))
    answer = client.post(url("second-leg", event), {"expected_stage": 1}, follow=True)
    assert "Saved." in text(answer)
    assert load_facts(event).open_stage.total_rounds == 6
    again = client.post(url("second-leg", event), {"expected_stage": 1})
    assert again.status_code == 409
    assert "no longer possible" in text(again)


@pytest.mark.deep
def test_before_and_after_the_event_the_desk_says_so(by):
    event = make.event(by)
    before = text(signed_in(by).get(url("desk", event)))
    assert "The event has not started" in before
    assert url("arrivals", event) in before  # the door is what is needed then
    done = make.played(by, 3)
    finished = text(signed_in(by).get(url("desk", done)))
    assert "The event is over" in finished
    assert f"/events/{done.slug}/archive.json" in finished, "as few clicks away as any other file"


@pytest.mark.deep
def test_before_a_round_the_desk_says_who_is_missing(by):
    event = make.started(by, 8)
    client = signed_in(by)
    unmarked = text(client.get(url("desk", event)))
    assert "before-round" in unmarked
    assert "Not here yet" not in unmarked
    for number in (1, 2, 3, 4, 5, 6):
        event.entries.filter(number=number).update(status="checked_in")
    missing = [event.entries.get(number=number).name for number in (7, 8)]
    departures.withdraw(entry=event.entries.get(number=8), by=by)
    page = text(client.get(url("desk", event)))
    assert "Not here yet: 1" in page
    assert "Dropped:" in page
    begins = page.index('class="panel before-round"')
    shown = page[begins : page.index("</section>", begins)]
    assert all(name in shown for name in missing)
    make.next_round(event, by)
    assert "before-round" not in text(client.get(url("desk", event)))


ALL = DeskRights(run=True, rule=True, manage=True)


@pytest.fixture
def desk(by) -> Client:
    return signed_in(by)


@pytest.mark.deep
@pytest.mark.parametrize("lists", ["off", "optional"])
def test_deck_checks_are_offered_where_lists_are_collected(by, desk, lists):
    event = make.started(by, 4, decklists=lists)
    make.next_round(event, by)
    match = event.rounds.get().matches.first()
    pages = {
        name: page(desk, name, event, *parts)
        for name, *parts in (("desk",), ("match", match.pk), ("penalties",))
    }
    shown = lists != "off"
    for name, html in pages.items():
        assert ("Deck checks" in html) is shown, name
    assert ("Check both decks" in pages["match"]) is shown
    assert (f'name="match" value="{match.pk}"' in pages["match"]) is shown
    assert (f'href="{url("penalties", event)}"' in pages["desk"]) is not shown


@pytest.mark.deep
def test_nobody_leaves_or_arrives_once_everything_is_played(by, desk):
    event = make.played(by, 4)
    event.entries.filter(number=1).update(status="registered")
    finished = page(desk, "arrivals", event)
    change_event_state(event=event, action="reopen", by=by)
    match = event.rounds.last().matches.filter(match_seats__number=2).last()
    assert 'class="ico drop"' not in page(desk, "desk", event)
    assert 'id="leave"' not in page(desk, "match-correct", event, match.pk)
    for html in (page(desk, "match", event, match.pk), page(desk, "manage-player", event, 1)):
        assert 'value="withdraw"' not in html
        assert 'value="disqualify"' in html
    for html in (finished, page(desk, "arrivals", event), page(desk, "manage-players", event)):
        assert "Mark all as present" not in html
        assert "/check-in/" not in html


@pytest.mark.deep
def test_a_draft_is_no_earlier_round(by, desk):
    event = make.started(by, 12)
    make.play_stage(event, by)
    make.close_stage(event, by)
    last = load_facts(event).last_ordinal
    assert desk_content(load_facts(event), ALL).former == tuple(range(1, last + 1))
    rounds.draft_round(event=event, expected_round=last + 1, by=by)
    assert desk_content(load_facts(event), ALL).former == tuple(range(1, last + 1))
    former = page(desk, "desk", event).partition("Earlier rounds")[2]
    assert f">Round {last}</a>" in former
    assert f">Round {last + 1}</a>" not in former
    rounds.publish_round(event=event, ordinal=last + 1, by=by)
    assert desk_content(load_facts(event), ALL).former == tuple(range(1, last + 1))


def test_it_says_who_is_here_and_whose_list_is_missing(by) -> None:
    event = make.open_event(by, decklists="required")
    desk = signed_in(by)
    assert "Decklists missing" not in read(desk, url("desk", event))
    first, second, _third = make.players(event, 3, by)
    make.hand_in(second, by=by)
    check_in(entry=first, by=by)
    words = " ".join(read(desk, url("desk", event)).split())
    assert "Present: 1 of 3" in words
    assert "Decklists missing: 2" in words
    assert "Decklists illegal" not in words
