"""Texts in which a word of an erased name may still stand: listed, blanked everywhere, accepted."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from config import transaction
from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.browsers import signed_in
from tests.scenes.base import GROUP
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.permissions import Actor
from tournaments.erasing.services.copies import (
    BLANK,
    accept_reviewed_texts,
    blank_text,
    text_digest,
    texts_to_review,
)
from tournaments.erasing.services.erase import erase_player
from tournaments.events.services import change_event
from tournaments.judging.services import create_announcement
from tournaments.log.services import lock_event
from tournaments.lots import services as draws
from tournaments.models import Announcement, Event, RemainingMention
from tournaments.players.services import departures
from tournaments.snapshots.services import take_snapshot
from tournaments.starting import services as starting
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
CALLED = "La signora Canarelli è attesa al banco"
OTHER = "Il banco apre alle dieci"


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event with a player who left, and texts with one word of the name."""
    event = make.open_event(by, **GROUP)
    names = ("Ada", "Zefirina Canàrelli", "Zefirina Bo", "Carlo")
    make.players_more(event, names, by)
    draw = draws.draw_start_order(event=event, seed="seed", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    for text in (CALLED, OTHER, "Brava Zefirina Bo!"):
        create_announcement(event=event, text=text, minutes=5, by=by)
    change_event(event=event, changes={"information": "Vince sempre ZEFIRINA."}, by=by)
    with transaction.atomic():
        take_snapshot(lock_event(event), "round.discarded", by=by)
    departures.withdraw(entry=event.entries.get(number=2), reason="Canarelli è partita", by=by)
    return Event.objects.get(pk=event.pk)


def erase(event: Event, by: Actor) -> None:
    erase_player(event=event, number=2, confirm="Zefirina Canàrelli", by=by)


def texts(event: Event) -> set[str]:
    return {listed["text"] for listed in texts_to_review(event)}


def everything(event: Event) -> str:
    """Return the archive, the log and the kept rows as text."""
    kept = [one.rows for one in event.kept_rows.all()]
    return event_archive(event).decode() + json.dumps(kept, ensure_ascii=False)


def test_single_words_are_listed_and_full_names_of_others_are_not(event, by):
    erase(event, by)
    listed = texts(event)
    assert {CALLED, "Vince sempre ZEFIRINA."} <= listed
    assert not any("Bo!" in text or "dieci" in text for text in listed)
    assert "Canàrelli" not in json.dumps(list(RemainingMention.objects.values()))
    assert {row.number for row in RemainingMention.objects.all()} == {2}


@pytest.mark.deep
def test_a_blanked_text_is_gone_everywhere_and_the_log_still_holds(event, by):
    erase(event, by)
    digest = text_digest(CALLED)
    blank_text(event=event, digest=digest, reason="it meant her", by=by)
    event = Event.objects.get(pk=event.pk)
    assert CALLED not in everything(event)
    assert BLANK in set(Announcement.objects.values_list("text", flat=True))
    assert OTHER in everything(event)
    assert list(verify_event(event)) == []
    line = event.log.order_by("number").last()
    assert (line.action, line.reason) == ("text.blanked", "it meant her")
    assert line.facts["erased"]
    assert digest not in {listed["digest"] for listed in texts_to_review(event)}
    with pytest.raises(RuleError) as refused:
        blank_text(event=event, digest=digest, reason="again", by=by)
    assert refused.value.code == "text_gone"


def test_blanking_asks_for_a_reason_and_for_a_listed_text(event, by):
    erase(event, by)
    with pytest.raises(BadInput) as refused:
        blank_text(event=event, digest=text_digest(CALLED), reason=" ", by=by)
    assert refused.value.code == "reason_missing"
    with pytest.raises(RuleError):
        blank_text(event=event, digest=text_digest(OTHER), reason="why", by=by)
    assert CALLED in everything(event)
    assert OTHER in everything(event)


@pytest.mark.deep
def test_all_blanked_nothing_of_the_name_is_left(event, by):
    erase(event, by)
    for listed in texts_to_review(event):
        blank_text(event=event, digest=listed["digest"], reason="her", by=by)
    event = Event.objects.get(pk=event.pk)
    left = everything(event).casefold().replace("zefirina bo", "")
    assert "canarelli" not in left
    assert "canàrelli" not in left
    assert "zefirina" not in left
    assert list(verify_event(event)) == []


def test_accepted_texts_are_listed_no_more_and_stay(event, by):
    erase(event, by)
    count = len(texts_to_review(event))
    assert accept_reviewed_texts(event=event, by=by) >= count > 1
    assert texts_to_review(event) == ()
    assert CALLED in everything(event)
    assert event.log.order_by("number").last().action == "texts.accepted"
    lines = event.log.count()
    assert accept_reviewed_texts(event=Event.objects.get(pk=event.pk), by=by) == 0
    assert event.log.count() == lines


@pytest.mark.deep
def test_an_older_archive_brings_the_name_and_lists_what_still_holds_it(event, by):
    older = event_archive(event)
    erase(event, by)
    Event.objects.filter(pk=event.pk).update(slug="elsewhere")
    again = restore_archive(older, caller=by.user)
    assert again.entries.get(number=2).name == "Giocatore 2"
    assert {CALLED, "Vince sempre ZEFIRINA."} <= texts(again)
    page = signed_in(by).get(reverse("tournaments:manage-players", args=[again.slug]))
    assert reverse("tournaments:erasing-remaining", args=[again.slug]) in page.content.decode()


@pytest.mark.deep
def test_the_pages_lead_from_the_erasure_to_an_empty_list(event, by):
    browser = signed_in(by)
    erasing = reverse("tournaments:manage-player-erase", args=[event.slug, 2])
    shown = browser.post(erasing, {"confirm": "zefirina canàrelli"}, follow=True)
    assert shown.redirect_chain[-1][0] == reverse(
        "tournaments:erasing-remaining", args=[event.slug]
    )
    assert CALLED in shown.content.decode()
    blank, sent = reverse("tournaments:erasing-blank", args=[event.slug]), text_digest(CALLED)
    assert browser.post(blank, {"digest": sent, "reason": ""}).status_code == 400
    shown = browser.post(blank, {"digest": sent, "reason": "lei"}, follow=True).content.decode()
    assert CALLED not in shown
    accept = reverse("tournaments:erasing-accept", args=[event.slug])
    shown = browser.post(accept, follow=True).content.decode()
    assert "erasing" not in shown
    assert texts(event) == set()


def test_only_organisers_look_at_them(event, by):
    erase(event, by)
    judge = make.staff(event)
    for client in (Client(), signed_in(judge), signed_in(make.organiser())):
        page = client.get(reverse("tournaments:erasing-remaining", args=[event.slug]))
        assert page.status_code in (302, 403, 404)
        assert CALLED not in page.content.decode()
