"""Files of lists on the player's page: read into the editor, handed in, refused."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.browsers import url
from tournaments.models import DeckDraft, DeckSubmission, Entry

pytestmark = pytest.mark.django_db


HTMX = {"HX-Request": "true"}


def a_file(text="2 Lupo\n1 Eco", name="lista.txt"):
    return SimpleUploadedFile(name, text.encode())


def test_a_file_is_read_into_the_editor(phone, event):
    sent = {"text": "1 Prima", "file": a_file()}
    answer = phone.post(url("my-deck-check", event), sent, headers=HTMX)
    part = answer.content.decode()
    assert "<html" not in part
    assert "2 Lupo" in part
    assert "1 Prima" not in part
    assert 'name="from_file"' in part
    assert not DeckSubmission.objects.exists()


def test_a_file_is_headed_in_the_language_of_its_reader(phone, event):
    sent = {"file": a_file("zone,name,count\nevolution,Eco,1\nmain,Faro,2\n", "lista.csv")}
    check = url("my-deck-check", event)
    italian = phone.post(check, sent, headers=HTMX | {"accept-language": "it"}).content.decode()
    assert "Mazzo principale\n2 Faro\n" in italian
    assert "Mazzo Evoluzioni\n1 Eco\n" in italian
    assert "La lista" in italian


def test_a_file_without_cards_leaves_the_editor_as_it_is(phone, event):
    sent = {"text": "1 Tenuta", "file": a_file("", "vuoto.csv")}
    answer = phone.post(url("my-deck-check", event), sent, headers=HTMX)
    assert answer.status_code == 400
    assert "1 Tenuta" in answer.content.decode()
    assert "The file holds no card" in answer.content.decode()


def test_a_file_without_cards_does_not_take_the_place_of_a_list(phone, event, ada):
    phone.post(url("my-deck", event), {"text": "1 Tenuta"})
    answer = phone.post(url("my-deck", event), {"text": "", "file": a_file("", "vuoto.csv")})
    assert answer.status_code == 400
    assert "The file holds no card; nothing was stored." in answer.content.decode()
    assert Entry.objects.get(pk=ada.pk).submission.decklist.raw == "1 Tenuta"
    assert DeckSubmission.objects.count() == 1


def test_a_file_is_handed_in_as_it_was_sent(phone, event, ada):
    phone.post(url("my-deck", event), {"text": "", "file": a_file()})
    handed = Entry.objects.get(pk=ada.pk).submission.decklist
    assert bytes(handed.upload) == b"2 Lupo\n1 Eco"
    assert handed.upload_name == "lista.txt"
    page = phone.get(url("my-deck", event)).content.decode()
    assert "As it was sent" in page
    for kind in re.findall(r"/decklists/1/(\w+)/", page):
        answer = phone.get(url("decklist-file", event, 1, kind))
        assert answer.status_code == 200
        assert answer["Content-Disposition"].startswith("attachment")


def test_a_file_that_was_changed_in_the_editor_is_the_changed_text(phone, event, ada):
    sent = {"text": "2 Lupo\n2 Eco", "file": a_file(), "from_file": "1"}
    phone.post(url("my-deck", event), sent)
    handed = Entry.objects.get(pk=ada.pk).submission.decklist
    assert (handed.raw, handed.upload) == ("2 Lupo\n2 Eco", None)
    phone.post(url("my-deck-draft", event), {"text": "", "file": a_file()})
    assert "2 Lupo" in DeckDraft.objects.get().text


@pytest.mark.parametrize("name", ["my-deck", "my-deck-check", "my-deck-draft"])
def test_a_file_that_is_no_list_is_refused_in_words(phone, event, name):
    rubbish = SimpleUploadedFile("lista.xlsx", b"PK\x03\x04 not a workbook")
    answer = phone.post(url(name, event), {"text": "1 Tenuta", "file": rubbish})
    assert answer.status_code == 400
    assert ">\n1 Tenuta</textarea>" in answer.content.decode()
    assert not DeckSubmission.objects.exists()


def test_a_file_that_can_not_be_read_leaves_the_editor_as_it_is(phone, event, ada):
    rubbish = SimpleUploadedFile("lista.xlsx", b"PK\x03\x04 not a workbook")
    sent = {"text": "1 Tenuta", "file": rubbish}
    answer = phone.post(url("my-deck-check", event), sent, headers=HTMX)
    part = answer.content.decode()
    assert answer.status_code == 400
    assert 'role="alert"' in part
    assert ">\n1 Tenuta</textarea>" in part
    assert 'name="from_file"' in part
    rubbish.seek(0)
    phone.post(url("my-deck", event), sent | {"from_file": "1"})
    assert Entry.objects.get(pk=ada.pk).submission.decklist.raw == "1 Tenuta"


def test_without_scripts_a_file_chosen_last_is_the_list(phone, event, ada):
    page = phone.post(url("my-deck-check", event), {"text": "1 Prima", "file": a_file()})
    assert 'name="from_file"' not in page.content.decode()
    phone.post(url("my-deck", event), {"text": "1 Prima", "file": a_file("1 Seconda")})
    assert Entry.objects.get(pk=ada.pk).submission.decklist.raw == "1 Seconda"
