"""Judges: calls from phones, announcements, rulings and notes."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.browsers import ENGLISH, by_link, signed_in, text, url
from tournaments.core.permissions import Actor
from tournaments.judging import services as calls
from tournaments.judging import services as notes
from tournaments.models import Announcement, Event, JudgeCall, Ruling
from tournaments.stages.services import close_stage
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
PUBLIC = ("event", "players", "pairings", "standings", "formula", "record")


@pytest.mark.deep
def test_everybody_reads_an_announcement_while_it_holds(event, by, match, judge):
    desk, player, anybody = signed_in(judge), by_link(match.players[0], by), Client(headers=ENGLISH)
    polled = {"HX-Request": "true"}
    before = anybody.get(url("pairings", event), headers=polled)["ETag"]
    body = {"text": "Dieci minuti ancora", "minutes": "10"}
    assert "Saved." in text(desk.post(url("announcement", event), body, follow=True))
    for name in PUBLIC:
        assert text(anybody.get(url(name, event))).count("Dieci minuti ancora") == 1, name
    for name in ("me", "me-now"):
        assert text(player.get(url(name, event))).count("Dieci minuti ancora") == 1
    headers = polled | {"If-None-Match": before}
    assert "Dieci minuti" in text(anybody.get(url("pairings", event), headers=headers))
    now, mine = (
        client.get(address, headers=polled)["ETag"]
        for client, address in ((anybody, url("pairings", event)), (player, url("me-now", event)))
    )
    Announcement.objects.update(until=timezone.now() - timedelta(seconds=1))
    gone = anybody.get(url("pairings", event), headers=polled | {"If-None-Match": now})
    assert (gone.status_code, "Dieci minuti" in text(gone)) == (200, False)
    gone = player.get(url("me-now", event), headers=polled | {"If-None-Match": mine})
    assert (gone.status_code, "Dieci minuti" in text(gone)) == (200, False)


def test_an_announcement_is_taken_down_once(event, judge):
    made = notes.create_announcement(event=event, text=" Pausa ", minutes=30, by=judge)
    assert made.text == "Pausa"
    client = signed_in(judge)
    address = url("announcement-end", event, made.pk)
    assert "Saved." in text(client.post(address, follow=True))
    assert client.post(address).status_code == 409
    assert "Pausa" not in text(Client().get(url("event", event)))


@pytest.mark.parametrize(("words", "minutes"), [(" ", 5), ("Pausa", 0), ("Pausa", 601)])
def test_an_announcement_needs_words_and_a_time(event, judge, words, minutes):
    with pytest.raises(BadInput):
        notes.create_announcement(event=event, text=words, minutes=minutes, by=judge)
    body = {"text": words, "minutes": str(minutes)}
    assert signed_in(judge).post(url("announcement", event), body).status_code == 400


def test_a_scorekeeper_announces_nothing(event):
    with pytest.raises(PermissionDenied):
        notes.create_announcement(
            event=event, text="Pausa", minutes=5, by=make.staff(event, "scorekeeper")
        )


def test_rulings_of_the_head_judge_are_read_by_players(event, by, match):
    head = signed_in(make.staff(event, "head_judge"))
    page = head.get(url("rulings", event))
    seen = page.context["form"].initial["seen"]
    body = {"rulings": "Niente appunti.\n\nBustine uguali.", "seen": seen}
    assert head.post(url("rulings", event), body).status_code == 302
    assert "Niente appunti." in text(Client().get(url("rules", event)))
    assert "Bustine uguali." in text(by_link(match.players[0], by).get(url("me", event)))
    again = head.post(url("rulings", event), {"rulings": "Altro", "seen": seen})
    assert again.status_code == 409
    assert "Altro" in text(again)  # what was typed stays
    assert Event.objects.get(pk=event.pk).rulings.startswith("Niente")
    assert signed_in(make.staff(event)).get(url("rulings", event)).status_code == 403


@pytest.mark.deep
def test_a_ruling_on_a_match_stands_beside_the_pairing(event, by, match, judge):
    client = signed_in(judge)
    body = {"text": "Si ripete il turno"}
    assert client.post(url("match-ruling", event, match.pk), body).status_code == 302
    assert "Si ripete il turno" in text(client.get(url("match", event, match.pk)))
    assert "Si ripete il turno" in text(Client().get(url("pairings", event)))
    assert "Si ripete il turno" in text(by_link(match.players[1], by).get(url("me", event)))
    assert Ruling.objects.get().by == judge.user
    assert client.post(url("match-ruling", event, match.pk), {"text": " "}).status_code == 400
    scorekeeper = signed_in(make.staff(event, "scorekeeper"))
    assert scorekeeper.post(url("match-ruling", event, match.pk), body).status_code == 403
    with pytest.raises(BadInput):
        notes.add_ruling(match=match, text=" ", by=judge)


def test_the_log_holds_no_words_of_notes_and_rulings(event, match, judge):
    notes.add_staff_note(match=match, text="Vongole", by=judge)
    notes.add_ruling(match=match, text="Vongole", by=judge)
    assert "Vongole" not in str(list(event.log.values()))


def call(match, reason=""):
    return calls.call_judge(
        match=match, entry=match.players[0], reason=reason, by=Actor(entry=match.players[0])
    )


@pytest.mark.deep
def test_a_call_from_the_phone_to_its_end(event, by, match, judge):
    player, other, desk = (
        by_link(match.players[0], by),
        by_link(match.players[1], by),
        signed_in(judge),
    )
    assert "Call a judge" in text(player.get(url("me", event)))
    sent = player.post(url("my-call", event, match.pk), {"reason": "Carta dubbia"}, follow=True)
    assert "Judge called:" in text(sent)
    assert "Judge called:" in text(other.get(url("me", event)))
    made = JudgeCall.objects.get()
    page = text(desk.get(url("desk", event)))
    assert "Carta dubbia" in page
    assert url("call-take", event, made.pk) in page
    polled = text(desk.get(url("desk-tables", event), headers={"HX-Request": "true"}))
    assert "Carta dubbia" in polled
    assert "Saved." in text(desk.post(url("call-take", event, made.pk), follow=True))
    assert "A judge is coming." in text(player.get(url("me-now", event)))
    late = signed_in(make.staff(event))
    refused = late.post(url("call-take", event, made.pk))
    assert refused.status_code == 409
    assert f"{judge.user} is already on the way" in text(refused)
    assert "Saved." in text(late.post(url("call-close", event, made.pk), follow=True))
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


@pytest.mark.deep
def test_calls_of_the_last_round_end_when_its_stage_is_closed(by):
    event = make.stage_played(by, 12)
    last = event.rounds.last().matches.select_related("round__event").first()
    JudgeCall.objects.create(match=last, entry=last.players[0])
    close_stage(event=event, expected_stage=1, by=by)
    assert not JudgeCall.objects.filter(closed_at__isnull=True).exists()
    assert list(verify_event(event)) == []
