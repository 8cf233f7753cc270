"""What a column of a table holds where its name does not say it; and who may be there already."""

import html
import json
import re
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from rules.errors import BadInput
from rules.people.person_names import Person
from tests import factories as make
from tournaments.models import Contact, LogLine
from tournaments.players.people_columns import (
    NUMBER,
    Reading,
    meanings_offered,
    reading_of_text,
)
from tournaments.players.people_files import (
    PeopleFile,
    pasted_table,
    read_people_table,
    table_of_text,
)
from tournaments.players.services.contacts import change_contact

TABLE = """Concorrente\tClub\tPosta\tTaglia
Ada Rossi\tTorre\tada@example.org\tM

Bea Neri\t\t\tL
"""
SHEET = "Giocatore;Club;Posta;Taglia\nAda Rossi;Torre;ada@example.org;M\nBea Neri;;;L\n"


def table(text: str = TABLE) -> PeopleFile:
    found = pasted_table(text, ["Play! ID"])
    assert found is not None
    return found


def test_what_is_a_table_and_what_a_list_of_lines() -> None:
    for lines in ("Ada; Torre\nBea", "Ada\nBea", "Ada\tTorre\nBea", 'Ada "Ace', "Ada, Torre", ""):
        assert pasted_table(lines) is None
    assert [one.name for one in table("Nome, Club\nAda, Torre").people] == ["Ada"]
    headless = table("Ada Rossi\tTorre\tM\nBea Neri\t\tL")
    assert not headless.reading.header
    assert headless.people == [Person("Ada Rossi", "Torre"), Person("Bea Neri")]
    assert headless.unused == ({"name": "", "number": 3, "values": 2},)


def test_columns_beside_known_ones_are_told_by_their_place() -> None:
    """Of an unknown name, an e-mail address and a club the first is that of the player."""
    found = table("Concorrente\tClub\tE-mail\tTaglia\nAda Rossi\tTorre\ta@example.org\tM")
    assert found.reading == Reading(1, ("name", "club", "e-mail", ""))
    assert found.people == [Person("Ada Rossi", "Torre", contact=(("e-mail", "a@example.org"),))]
    alone = table("Concorrente\tClub\tTaglia\nAda Rossi\tTorre\tM")
    assert alone.reading == Reading(1, ("?", "club", ""))
    with pytest.raises(BadInput, match="Choose the column that holds the names"):
        alone.people  # noqa: B018


def test_a_column_holds_what_is_chosen() -> None:
    known = table_of_text(table().text)
    assert known == table().table
    chosen = Reading(1, ("name", "club", "e-mail", f"{NUMBER}play-id"), True)
    assert reading_of_text(chosen.as_text(), 4) == chosen
    assert reading_of_text(chosen.as_text(), 5).meanings == (*chosen.meanings, "")
    for wrong in ("", "names,name", "[]", "{}", '["x", [], 0]', "[" * 9999):
        with pytest.raises(BadInput):
            reading_of_text(wrong, 4)
    found = read_people_table(known, Reading(1, chosen.meanings))
    assert (found.unused, [one.name for one in found.people]) == ((), ["Ada Rossi", "Bea Neri"])
    assert found.people[1].contact == (("play-id", "L"),)
    named = read_people_table(known, Reading(1, ("name", "club", "", NUMBER)))
    assert named.people[0].contact == (("taglia", "M"),)
    unnamed = read_people_table(known, Reading(0, ("name", "", "", NUMBER)))
    assert unnamed.people[1].contact == (("player-id", "M"),)
    assert list(meanings_offered(None)) == ["", "name", "turned", "surname", "byes", "club"]


@pytest.mark.parametrize(
    ("meanings", "code"),
    [
        (("name", "name", "", ""), "column_twice"),
        (("name", "turned", "", ""), "column_twice"),
        (("", "club", "", ""), "column_missing"),
        (("name", "club", "", "byes"), "bad_lines"),
    ],
)
def test_columns_that_can_hold_no_such_thing(meanings: tuple[str, ...], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_people_table(table_of_text(TABLE), Reading(1, meanings)).people  # noqa: B018
    assert refused.value.code == code
    if code == "bad_lines":
        assert str(refused.value).endswith("2, 4."), "numbers of the spreadsheet"


@pytest.fixture
def event(by):
    event = make.open_event(by, contact_terms={"memberships": ["Play! ID"]})
    make.players_more(event, ["Anna Ricci", "Carlo Bo"], by)
    return event


@pytest.fixture
def send(by, event):
    client = Client(headers={"accept-language": "en"})
    client.force_login(by.user)
    address = reverse("tournaments:manage-players-paste", args=[event.slug])
    return lambda **sent: html.unescape(client.post(address, sent, follow=True).content.decode())


def words(page: str) -> str:
    return " ".join(page.split())


def fields(page: str) -> dict[str, str]:
    """Return what the preview's form sends as it stands."""
    form = page.partition('id="pasted"')[2]
    hidden = re.findall(r'<input type="hidden" name="(menus|was)" value="(.*?)">', form)
    chosen = re.findall(r'<select name="(.*?)".*?<option value="([^"]*)" selected', form, re.DOTALL)
    header = {"header": "on"} if 'name="header" value="on" checked' in form else {}
    text = re.split('spellcheck="false"[^>]*>\n', form)[1].partition("</textarea>")[0]
    return dict(hidden) | dict(chosen) | header | {"text": text}


def meanings(page: str) -> list[str]:
    """Return what the columns hold by which a page was made."""
    return json.loads(fields(page)["was"])[1]


def sent_back(send: Callable[..., str], page: str) -> Callable[..., str]:
    """Return a function that sends what a page showed, with changes."""
    return lambda **more: send(**(fields(page) | more))


@pytest.mark.django_db
def test_a_column_gets_its_meaning_from_a_menu_and_the_list_follows(event, send) -> None:
    page = send(file=SimpleUploadedFile("iscritti.csv", SHEET.encode()))
    again = sent_back(send, page)
    assert "The column “Posta” is not used: its 1 value is not stored." in words(page)
    assert meanings(page) == ["name", "club", "", ""]
    assert "ada@example.org" not in page.partition("<tbody>")[2]
    changed = again(column_2="e-mail", column_3=f"{NUMBER}play-id")
    assert "is not used" not in changed
    assert "<bdi>ada@example.org</bdi>" in changed
    assert "<bdi>Play! ID</bdi>" in changed
    assert meanings(changed) == ["name", "club", "e-mail", f"{NUMBER}play-id"]

    sure = again(column_2="e-mail", sure="on")
    assert "nothing is stored yet" in words(sure), "what was chosen last has not been seen"
    assert event.entries.count() == 2
    twice = again(column_2="club")
    assert "Two columns can’t hold the same." in words(twice)
    assert meanings(twice) == ["name", "club", "", ""]
    assert "A column can’t hold this." in again(column_2="shoes")

    stored = again(sure="on")
    assert "2 players added." in stored
    assert [entry.club for entry in event.entries.order_by("number")[2:]] == ["Torre", ""]


@pytest.mark.django_db
def test_cells_are_changed_by_hand_and_stay_a_table(event, send) -> None:
    page = send(file=SimpleUploadedFile("iscritti.csv", SHEET.encode()))
    again = sent_back(send, page)
    mended = fields(page)["text"].replace("Ada Rossi\tTorre", "Ada Rossini\tTorre; 2; 3")
    by_hand = again(text=mended, column_2="e-mail")
    assert "<bdi>Torre; 2; 3</bdi>" in by_hand
    assert "<bdi>ada@example.org</bdi>" in by_hand
    assert "2 players added." in again(text=mended, column_2="", sure="on")
    assert event.entries.filter(name="Ada Rossini", club="Torre; 2; 3", byes=0).exists()


@pytest.mark.django_db
def test_a_column_that_may_hold_the_same_as_another_has_to_be_chosen(event, send) -> None:
    sheet = "Nome,Squadra,Club\nAda Rossi,Rossa,Torre\nBea Neri,Blu,Torre\n"
    page = send(file=SimpleUploadedFile("iscritti.csv", sheet.encode()))
    again = sent_back(send, page)
    assert "Choose what the column “Squadra” holds." in words(page)
    assert '<option value="?" selected>choose</option>' in page
    assert 'name="sure"' not in page
    assert page.count('<option value="?"') == 1
    again(sure="on")
    assert not event.entries.filter(name="Ada Rossi").exists()
    chosen = again(column_1="")
    assert "Choose what" not in chosen
    assert 'name="sure"' in chosen
    assert "2 players added." in sent_back(send, chosen)(sure="on")
    assert event.entries.get(name="Ada Rossi").club == "Torre"


@pytest.mark.django_db
def test_pasted_cells_have_menus_for_organisers(event, send) -> None:
    page = send(text=TABLE)
    assert '<option value="e-mail"' in page
    assert 'name="sure"' not in page
    named = send(**(fields(page) | {"column_0": "name", "column_2": "e-mail"}))
    assert "Concorrente" not in named.partition("<tbody>")[2], "it names a column"
    assert "<bdi>ada@example.org</bdi>" in named
    bare = send(**(fields(page) | {"column_0": "name", "header": ""}))
    assert "Concorrente" in bare.partition("<tbody>")[2], "it is somebody"
    client = Client(headers={"accept-language": "en"})
    client.force_login(make.staff(event, "scorekeeper").user)
    address = reverse("tournaments:manage-players-paste", args=[event.slug])
    told = {"text": TABLE.replace("Concorrente", "Giocatore")}
    other = client.post(address, told).content.decode()
    assert "The column “Posta” is not used" in other
    assert 'name="column_2"' not in other
    assert "ada@example.org" not in other
    again = client.post(address, fields(html.unescape(other)) | {"column_3": "byes"})
    assert again.status_code == 400
    assert "The column “Posta” is not used: its 1 value is not stored." in words(
        again.content.decode()
    )


@pytest.mark.django_db
def test_who_is_there_already_is_left_out_until_it_is_another(event, by, send) -> None:
    anna = event.entries.get(name="Anna Ricci")
    change_contact(entry=anna, email="anna@example.org", by=by)
    text = (
        "anna RICCI; ; ; ; e-mail: other@example.org; play-id: 77\n"
        "Bo Carlo\nDora Sì\ndora si; Torre\nEva; Lupi\nEVA; Torre"
    )
    page = send(text=text)
    assert "Add 3 names" in page, "the two Evas are of two clubs"
    assert "will be called <bdi>“Eva (Lupi)”</bdi>" in words(page)
    assert "“dora si (Torre)”" not in words(page), "it is not said yet that they are two"
    assert 'name="who:anna ricci 1" value="same"' in page
    assert "no. 3 of this list" in words(page)
    assert "3 names may be there already" in words(page)
    said = {"who:anna ricci 1": "same", "who:dora si 2": "other", "who:gone 1": "other"}
    page = send(text=text, **said)
    assert "Add 4 names" in page
    assert "“dora si (Torre)”" in words(page)
    assert page.count("checked>") == 2
    assert "Dora Sì (3)" in words(page), "a number where there is no club"
    assert "1 name may be there already" in words(page)

    stored = send(text=text, sure="on", **said)
    assert (
        "4 players added. 2 of the list were not added: there is somebody of their name." in stored
    )
    names = list(event.entries.order_by("number").values_list("name", flat=True))
    assert names == ["Anna Ricci", "Carlo Bo", "Dora Sì", "dora si", "Eva", "EVA"]
    contact = Contact.objects.get()
    assert (contact.entry, contact.email) == (anna, "anna@example.org")
    assert contact.memberships == {"play-id": "77"}
    last = LogLine.objects.filter(event=event).order_by("-number").values_list("action", flat=True)
    assert list(last[:2]) == ["entry.pasted", "contact.changed"]
    nobody = send(text="Eva", sure="on")
    assert "1 of the list was not added" in words(nobody)
    assert event.entries.count() == 6
