"""Decklists that the next stage would open stay held back until the organiser releases them."""

import pytest

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import by_link, page, signed_in, text, url
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.core.visibility import sight_of
from tournaments.decklists.services import release_lists
from tournaments.lots.services import draw_lots
from tournaments.models import Event, LogLine, Stage
from tournaments.rounds.services import close_and_draft, publish_round, take_back_round
from tournaments.stages.services import close_stage, take_back_stage
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
HOLD = "“Hold”: no player sees these lists until you release them on the desk."
BUTTON = "Release the lists"


def fresh(event):
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def event(by):
    """Return an event of which the Swiss is played, whose knock-out opens lists to opponents."""
    made = make.stage_played(
        by,
        6,
        formula="swiss-cut",
        options={"rounds": 3, "cut": 4},
        format="creatures-of-exo",
        decklists="required",
        open_lists=["knockout"],
    )
    while needed := load_facts(made).open_stage.outcome.lots_needed:
        draw_lots(event=made, tied=needed[0], by=by)
    return fresh(made)


def published(event, by, *, held):
    """Close the Swiss and publish the semi-finals; return the event and a pair that meets."""
    close_and_draft(event=event, expected_stage=1, expected_round=4, lists_held=held, by=by)
    item = publish_round(event=fresh(event), ordinal=4, by=by)
    match = item.matches.first()
    return fresh(event), match.players[0], match.players[1]


def reads(event, one, other):
    return sight_of(Actor(entry=one), fresh(event)).reads(other)


def test_held_they_are_seen_by_no_player_until_the_release(event, by):
    running, one, other = published(event, by, held=True)
    player, judge = by_link(one, by), signed_in(make.staff(running))
    address = url("decklist", running, other.number)
    assert not reads(running, one, other)
    assert player.get(address).status_code == 404
    assert judge.get(address).status_code == 200
    assert address not in page(player, "me", running)
    tag = player.get(url("me-now", running))["ETag"]
    release_lists(event=running, expected_stage=2, by=by)
    assert reads(running, one, other)
    news = player.get(url("me-now", running), headers={"If-None-Match": tag})
    assert (news.status_code, address in text(news)) == (200, True)
    assert player.get(address).status_code == 200
    assert LogLine.objects.filter(event=running, action="lists.released").count() == 1
    assert list(verify_event(fresh(running))) == []


def test_at_once_they_are_seen_with_the_pairings(event, by):
    running, one, other = published(event, by, held=False)
    assert reads(running, one, other)
    assert BUTTON not in page(signed_in(by), "desk", running)


def test_the_page_of_the_cut_holds_and_the_desk_releases(event, by):
    client = signed_in(by)
    said = page(client, "advance", event)
    assert (HOLD in said, said.count('name="lists"')) == (True, 2)
    sent = {"expected_stage": 1, "expected_round": 4, "lists": "held"}
    client.post(url("advance-close", event), sent)
    assert fresh(event).held_lists == 2
    assert LogLine.objects.get(event=event, action="stage.closed").after["held_lists"] is True
    judge = page(signed_in(make.staff(event)), "desk", event)
    assert ("Decklists held back: Knock-out." in judge, BUTTON in judge) == (True, False)
    assert BUTTON in page(client, "desk", event)
    stale = client.post(url("lists-release", event), {"expected_stage": 1})
    assert stale.status_code == 409
    sent = {"expected_stage": 2}
    answer = client.post(url("lists-release", event), sent, follow=True)
    assert "The players of the stage see the lists" in text(answer)
    assert BUTTON not in page(client, "desk", event)
    assert client.post(url("lists-release", event), sent).status_code == 409
    assert fresh(event).held_lists is None


def test_a_closing_that_is_taken_back_starts_anew(event, by):
    close_and_draft(event=event, expected_stage=1, expected_round=4, lists_held=True, by=by)
    take_back_round(event=fresh(event), ordinal=4, by=by)
    take_back_stage(event=fresh(event), expected_stage=2, by=by)
    assert BUTTON not in page(signed_in(by), "desk", event)
    close_stage(event=fresh(event), expected_stage=1, by=by)
    assert fresh(event).held_lists is None
    assert list(verify_event(fresh(event))) == []


def test_where_no_list_is_opened_there_is_no_choice(event, by):
    Event.objects.filter(pk=event.pk).update(open_lists=[])
    assert HOLD not in page(signed_in(by), "advance", event)
    with pytest.raises(RuleError) as refused:
        close_stage(event=fresh(event), expected_stage=1, lists_held=True, by=by)
    assert refused.value.code == "no_lists_held"
    assert fresh(event).stages.get(number=1).state == Stage.State.OPEN


def test_lists_that_nobody_saw_are_not_said_to_be_hidden(event, by):
    running, _one, _other = published(event, by, held=True)
    make.play_round(running.rounds.last(), by)
    make.play_event(running, by)
    closed = LogLine.objects.filter(event=event, action="stage.closed").order_by("number")
    assert [line.after.get("hides") for line in closed] == [None, None]


def test_a_program_holds_and_releases(event, by):
    client, root = signed_in(by), f"/api/v1/events/{event.slug}/"
    sent = {"hold_lists": True}
    assert client.post(f"{root}stages/1/close/", sent, "application/json").status_code == 200
    assert fresh(event).held_lists == 2
    wrong = client.post(f"{root}lists/release/", {"stage": 1}, "application/json")
    assert (wrong.status_code, wrong.json()["code"]) == (409, "stale")
    released = client.post(f"{root}lists/release/", {"stage": 2}, "application/json")
    assert (released.status_code, released.json()) == (200, {"stage": 2})
    again = client.post(f"{root}lists/release/", {"stage": 2}, "application/json")
    assert (again.status_code, again.json()["code"]) == (409, "no_lists_held")
