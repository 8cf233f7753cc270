"""Announcements, rulings and notes of the staff, and who reads them."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from rules.errors import BadInput
from rules.events.clock import ClockAction
from tests import factories as make
from tests.around import Around
from tests.browsers import ENGLISH, by_link, signed_in, text, url
from tests.crawling import everything
from tests.event_addresses import EVENT_PAGES
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.clock import services as clock
from tournaments.core.permissions import Actor
from tournaments.judging import services as calls
from tournaments.judging import services as notes
from tournaments.models import Announcement, Event, JudgeCall, Ruling, StaffNote

pytestmark = pytest.mark.django_db
PUBLIC = ("event", "players", "pairings", "standings", "formula", "ranking", "draws")


def test_everybody_reads_an_announcement_while_it_holds(event, by, match, judge):
    desk, player, anybody = signed_in(judge), by_link(match.players[0], by), Client(headers=ENGLISH)
    polled = {"HX-Request": "true"}
    before = anybody.get(url("pairings", event), headers=polled)["ETag"]
    body = {"text": "Dieci minuti ancora", "minutes": "10"}
    assert "Everybody sees" in text(desk.post(url("announcement", event), body, follow=True))
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
    made = notes.announce(event=event, text=" Pausa ", minutes=30, by=judge)
    assert made.text == "Pausa"
    client = signed_in(judge)
    address = url("announcement-end", event, made.pk)
    assert "is taken down" in text(client.post(address, follow=True))
    assert client.post(address).status_code == 409
    assert "Pausa" not in text(Client().get(url("event", event)))


@pytest.mark.parametrize(("words", "minutes"), [(" ", 5), ("Pausa", 0), ("Pausa", 601)])
def test_an_announcement_needs_words_and_a_time(event, judge, words, minutes):
    with pytest.raises(BadInput):
        notes.announce(event=event, text=words, minutes=minutes, by=judge)
    body = {"text": words, "minutes": str(minutes)}
    assert signed_in(judge).post(url("announcement", event), body).status_code == 400


def test_a_scorekeeper_announces_nothing(event):
    with pytest.raises(PermissionDenied):
        notes.announce(event=event, text="Pausa", minutes=5, by=make.staff(event, "scorekeeper"))


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
        notes.rule_match(match=match, text=" ", by=judge)


def test_the_log_holds_no_words_of_notes_and_rulings(event, match, judge):
    notes.note_match(match=match, text="Vongole", by=judge)
    notes.rule_match(match=match, text="Vongole", by=judge)
    assert "Vongole" not in str(list(event.log.values()))


@pytest.fixture
def _quiet(caplog) -> Iterator[None]:
    with caplog.at_level("CRITICAL"):
        yield


@pytest.mark.deep
@pytest.mark.usefixtures("_quiet")
def test_a_staff_note_is_on_no_page_that_others_read(db):
    around = Around("running")
    event = around.event
    for match in event.rounds.get().matches.select_related("round__event"):
        notes.note_match(match=match, text="Zabaione riservato", by=around.by)
    assert StaffNote.objects.count() > 2
    for role in ("anonymous", "stranger", "foreign", "player"):
        for name, (reads, _sends) in EVENT_PAGES.items():
            if reads:
                answer = around.browsers[role].get(around.address(name))
                assert b"Zabaione" not in everything(answer), (role, name)
        for part in ("rounds/", "matches/", f"matches/{around.parts['match_id']}/", "players/"):
            answer = around.browsers[role].get(f"/api/v1/events/{event.slug}/{part}")
            assert b"Zabaione" not in everything(answer), (role, part)
    for role in ("judge", "scorekeeper", "head_judge", "organiser"):
        page = text(around.browsers[role].get(around.address("match")))
        assert "Zabaione riservato" in page
        assert "Staff only" in page


def test_an_archive_keeps_clock_calls_and_words(event, by, match, judge):
    calls.call_judge(
        match=match, entry=match.players[0], reason="Carta dubbia", by=Actor(entry=match.players[0])
    )
    clock.run_clock(event=event, ordinal=1, action=ClockAction.START, by=by)
    notes.announce(event=event, text="Pausa", minutes=30, by=judge)
    notes.rule_match(match=match, text="Si ripete", by=judge)
    notes.note_match(match=match, text="Da seguire", by=judge)
    first = archive(event)
    Event.objects.filter(pk=event.pk).delete()
    assert not JudgeCall.objects.exists()
    again = restore(first)
    assert archive(again) == first
    assert again.rounds.get().clock.state == "running"
    assert JudgeCall.objects.get().reason == "Carta dubbia"
