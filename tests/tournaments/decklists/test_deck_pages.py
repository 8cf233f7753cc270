"""The player's way of a list: kept as a draft, handed in, locked; and its versions."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.browsers import url
from tournaments.core.permissions import Actor
from tournaments.decklists import services as deck_locks
from tournaments.decklists import services as decklists
from tournaments.models import DeckSubmission, Entry, Event
from tournaments.models.touched import forget

pytestmark = pytest.mark.django_db

EXO = "creatures-of-exo"


def lock(event):
    Event.objects.filter(pk=event.pk).update(decklist_deadline=timezone.now())
    forget()


def test_a_draft_is_read_by_its_player_alone(phone, event, ada, by):
    phone.post(url("my-deck-draft", event), {"text": "2 Segretissimo"})
    page = phone.get(url("my-deck", event)).content.decode()
    assert ">\n2 Segretissimo</textarea>" in page
    assert "Draft, not handed in" in page
    own = phone.get(url("me", event)).content.decode()
    assert "Draft, not handed in" in own
    assert "only you can read it. It is not handed in yet." in own
    staff = Client()
    staff.force_login(by.user)
    for name in ("manage-player-decklist", "manage-player-decklist-versions"):
        assert "Segretissimo" not in staff.get(url(name, event, 1)).content.decode()
    for name in ("manage-decklists", "manage-players", "log", "workbook"):
        assert b"Segretissimo" not in staff.get(url(name, event)).content
    phone.post(url("my-deck-draft-drop", event))
    assert "Segretissimo" not in phone.get(url("my-deck", event)).content.decode()


def test_the_receipt_says_what_when_and_whether_it_is_legal(phone, event, ada):
    phone.post(url("my-deck", event), {"text": sample_deck(EXO, 1), "expected": "0"})
    handed = Entry.objects.get(pk=ada.pk).submission
    page = phone.get(url("my-deck", event)).content.decode()
    print_of = handed.decklist.fingerprint
    assert f"<code>{print_of[:4]} {print_of[4:8]}</code>" in page
    assert "Europe/Rome" in page
    assert "Handed in: version 1" in page
    assert f'name="expected" value="{handed.pk}"' in page


def test_a_forged_time_is_ignored(phone, event, ada):
    before = timezone.now()
    forged = {"submitted_at": "2001-01-01T00:00", "created_at": "2001-01-01", "locked_at": "2001"}
    phone.post(url("my-deck", event), {"text": "1 Eco"} | forged)
    handed = Entry.objects.get(pk=ada.pk).submission
    assert handed.submitted_at >= before
    assert handed.decklist.created_at >= before
    assert handed.locked_at is None
    lock(event)
    answer = phone.post(url("my-deck", event), {"text": "2 Eco"} | forged)
    assert answer.status_code == 409
    assert DeckSubmission.objects.count() == 1


def test_after_the_lock_the_page_is_read_only_and_says_who_helps(phone, event):
    phone.post(url("my-deck", event), {"text": "1 Eco"})
    lock(event)
    page = phone.get(url("my-deck", event)).content.decode()
    assert "<textarea" not in page
    assert "Only a judge or the organiser can help now" in page
    late = phone.post(url("my-deck", event), {"text": "2 Troppo tardi"})
    assert late.status_code == 409
    assert "2 Troppo tardi" in late.content.decode()
    assert phone.post(url("my-deck-draft", event), {"text": "2 Eco"}).status_code == 409
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    over = phone.get(url("my-deck", event)).content.decode()
    assert ("Lists are locked" in over, "can help now" in over) == (True, False)


def test_with_grace_the_page_is_open_and_says_until_when(phone, event, ada):
    lock(event)
    until = timezone.now() + timedelta(minutes=10, seconds=30)
    deck_locks.open_list(entry=ada, until=until, reason="Late train", by=make.staff(event))
    page = phone.get(url("my-deck", event)).content.decode()
    assert "yours is open until" in page
    assert "10 minutes left" in page
    assert phone.post(url("my-deck", event), {"text": "1 Eco"}).status_code == 302


def test_a_newer_list_is_not_overwritten_unseen(phone, event, ada):
    mended = decklists.submit_decklist(entry=ada, text="1 Del giudice", by=make.staff(event))
    answer = phone.post(url("my-deck", event), {"text": "2 Mia", "expected": "0"})
    page = answer.content.decode()
    assert answer.status_code == 409
    assert ">\n2 Mia</textarea>" in page
    assert f'name="expected" value="{mended.pk}"' in page
    assert Entry.objects.get(pk=ada.pk).submission == mended
    assert ada.submissions.count() == 2
    again = {"text": "2 Mia", "expected": str(mended.pk)}
    assert phone.post(url("my-deck", event), again).status_code == 302


def test_nothing_typed_is_lost_when_the_session_is_over(event, ada, phone):
    phone.cookies.clear()
    answer = phone.post(url("my-deck", event), {"text": "2 Lunga fatica"})
    assert answer.status_code == 403
    assert ">\n2 Lunga fatica</textarea>" in answer.content.decode()
    assert phone.get(url("my-deck", event)).status_code == 403
    assert not DeckSubmission.objects.exists()


def test_an_empty_list_is_not_handed_in(phone, event):
    answer = phone.post(url("my-deck", event), {"text": " \n"})
    assert answer.status_code == 400
    assert "There is no list yet" in answer.content.decode()


def test_versions_and_what_changed(phone, event, ada):
    judge = make.staff(event)
    for text in ("2 Lupo\n1 Eco", "1 Lupo\n1 Faro"):
        phone.post(url("my-deck", event), {"text": text})
    lock(event)
    decklists.submit_decklist(entry=ada, text="1 Lupo", reason="No such card", by=judge)
    versions = url("my-deck-versions", event)
    page = phone.get(versions).content.decode()
    assert page.count("<tr") == 4
    assert f"{judge.user.name} (staff)" in page
    assert "No such card" in page
    assert page.count("counts</span>") == 1
    assert "From version 2 to version 3" in page
    page = " ".join(phone.get(f"{versions}?second=1&first=2").content.decode().split())
    assert "From version 1 to version 2" in page
    assert "<b>Added:</b> 1 <bdi>Faro</bdi>" in page
    assert "<b>Removed:</b> 1 <bdi>Eco</bdi>" in page
    assert "<b>Changed:</b> 2 → 1 <bdi>Lupo</bdi>" in page


@pytest.mark.parametrize("query", ["?first=9&second=1", "?first=1&second=1", "?first=x", "?a=1"])
def test_versions_that_do_not_exist_break_nothing(phone, event, query):
    versions = url("my-deck-versions", event)
    assert phone.get(versions + query).status_code == 200
    phone.post(url("my-deck", event), {"text": "1 Eco"})
    assert phone.get(versions + query).status_code == 200
    phone.post(url("my-deck", event), {"text": "2 Eco"})
    assert "From version 1 to version 2" in phone.get(versions + query).content.decode()


@pytest.mark.parametrize("how_many", [1, 12])
def test_the_page_takes_the_same_number_of_queries(
    phone, event, ada, how_many, django_assert_num_queries
):
    for count in range(how_many):
        decklists.submit_decklist(entry=ada, text=f"{count + 1} Eco", by=Actor(entry=ada))
    with django_assert_num_queries(10):  # one reads the names of twins
        phone.get(url("my-deck", event))


@pytest.mark.parametrize("name", ["my-deck", "my-deck-versions"])
def test_no_cache_keeps_a_list(phone, event, name):
    assert phone.get(url(name, event))["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("how_many", [1, 12])
def test_the_versions_take_the_same_number_of_queries(
    phone, event, ada, how_many, django_assert_num_queries
):
    for count in range(how_many):
        decklists.submit_decklist(entry=ada, text=f"{count + 1} Eco", by=Actor(entry=ada))
    with django_assert_num_queries(5):
        phone.get(url("my-deck-versions", event))


def test_the_page_has_words_where_no_lists_are_collected(phone, event):
    Event.objects.filter(pk=event.pk).update(decklists="off")
    assert "collects no decklists" in phone.get(url("my-deck", event)).content.decode()
    assert phone.post(url("my-deck", event), {"text": "1 Eco"}).status_code == 409


def test_whether_this_text_is_the_one_handed_in_stands_beside_the_button(phone, event):
    def said(answer) -> str:
        return answer.content.decode().split('id="handed" data-handed="')[1].split('"')[0]

    assert said(phone.get(url("my-deck", event))) == "no"
    text = sample_deck(EXO, 7)
    done = phone.post(url("my-deck", event), {"text": text, "expected": "0"}, follow=True)
    assert said(done) == "yes"
    phone.post(url("my-deck-draft", event), {"text": f"{text}1 Lupo"})
    assert said(phone.get(url("my-deck", event))) == "no"
