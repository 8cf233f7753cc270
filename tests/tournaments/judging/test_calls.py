"""Calls of players for a judge: made, taken, closed, and ended with their round."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import by_link, signed_in, text, url
from tournaments.core.permissions import Actor
from tournaments.judging import services as calls
from tournaments.models import JudgeCall
from tournaments.stages.services import close_stage
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def call(match, reason=""):
    return calls.call_judge(
        match=match, entry=match.players[0], reason=reason, by=Actor(entry=match.players[0])
    )


def test_a_call_from_the_phone_to_its_end(event, by, match, judge):
    player, other, desk = (
        by_link(match.players[0], by),
        by_link(match.players[1], by),
        signed_in(judge),
    )
    assert "Call a judge" in text(player.get(url("me", event)))
    sent = player.post(url("my-call", event, match.pk), {"reason": "Carta dubbia"}, follow=True)
    assert "A judge is called" in text(sent)
    assert "A judge is called:" in text(other.get(url("me", event)))
    made = JudgeCall.objects.get()
    page = text(desk.get(url("desk", event)))
    assert "Carta dubbia" in page
    assert url("call-take", event, made.pk) in page
    polled = text(desk.get(url("desk-tables", event), headers={"HX-Request": "true"}))
    assert "Carta dubbia" in polled
    assert "You go to table 1" in text(desk.post(url("call-take", event, made.pk), follow=True))
    assert "A judge is coming." in text(player.get(url("me-now", event)))
    late = signed_in(make.staff(event))
    refused = late.post(url("call-take", event, made.pk))
    assert refused.status_code == 409
    assert f"{judge.user} is going there already" in text(refused)
    assert "is closed" in text(late.post(url("call-close", event, made.pk), follow=True))
    assert desk.post(url("call-close", event, made.pk)).status_code == 409
    assert "Call a judge" in text(player.get(url("me", event)))
    made.refresh_from_db()
    assert (made.taken_by, made.closed_by) != (None, None)
    assert list(event.log.values_list("action", flat=True))[-3:] == [
        "call.made",
        "call.taken",
        "call.closed",
    ]


def test_one_open_call_a_match(event, match):
    call(match)
    with pytest.raises(RuleError) as refused:
        calls.call_judge(match=match, entry=match.players[1], by=Actor(entry=match.players[1]))
    assert refused.value.code == "judge_called"
    with pytest.raises(IntegrityError), transaction.atomic():
        JudgeCall.objects.create(match=match, entry=match.players[1])


def test_who_may_call_and_go(event, by, match, judge):
    stranger = event.entries.exclude(pk__in=match.seats)[0]
    for actor in (Actor(entry=stranger), judge, Actor()):
        with pytest.raises(PermissionDenied):
            calls.call_judge(match=match, entry=match.players[0], by=actor)
    with pytest.raises(PermissionDenied):  # in the name of the opponent
        calls.call_judge(match=match, entry=match.players[1], by=Actor(entry=match.players[0]))
    made = call(match)
    for actor in (make.staff(event, "scorekeeper"), Actor(entry=match.players[0])):
        for act in (calls.take_call, calls.close_call):
            with pytest.raises(PermissionDenied):
                act(event=event, call_id=made.pk, by=actor)
    scorekeeper = signed_in(make.staff(event, "scorekeeper"))
    page = text(scorekeeper.get(url("desk", event)))
    assert "Judge calls" in page
    assert url("call-take", event, made.pk) not in page


def test_nobody_calls_to_a_match_that_is_over(event, by, match):
    make.play_round(match.round, by)
    with pytest.raises(RuleError) as refused:
        call(match)
    assert refused.value.code == "match_final"
    assert by_link(match.players[0], by).post(url("my-call", event, match.pk)).status_code == 409


def test_a_call_of_another_event_is_not_there(event, by, match):
    made = call(match)
    other = make.started(by, 4)
    with pytest.raises(RuleError) as refused:
        calls.close_call(event=other, call_id=made.pk, by=by)
    assert refused.value.code == "call_closed"


def test_calls_left_open_end_when_the_next_round_is_published(event, by, match, judge):
    left = call(match, "Carta dubbia")
    make.play_round(match.round, by)
    assert JudgeCall.objects.get(pk=left.pk).closed_at is None  # the judge may still be there
    make.next_round(event, by)
    left.refresh_from_db()
    assert (left.closed_at is not None, left.closed_by) == (True, by.user)
    last = list(event.log.order_by("-number").values_list("action", flat=True)[:2])
    assert last == ["round.published", "call.closed"]
    assert "Carta dubbia" not in text(signed_in(judge).get(url("floor", event)))


def test_calls_of_the_last_round_end_when_its_stage_is_closed(by):
    event = make.stage_played(by, 12)
    last = event.rounds.last().matches.select_related("round__event").first()
    JudgeCall.objects.create(match=last, entry=last.players[0])
    close_stage(event=event, expected_stage=1, by=by)
    assert not JudgeCall.objects.filter(closed_at__isnull=True).exists()
    assert list(verify_event(event)) == []
