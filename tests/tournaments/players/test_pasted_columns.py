"""What a column of a table holds where its name does not say it; and who may be there already."""

import html
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
from tournaments.players.people_files import (
    NUMBER,
    PeopleFile,
    Reading,
    as_lines,
    meanings_offered,
    pasted_table,
    read_people_table,
    reading_of_text,
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
    for lines in ("Ada; Torre\nBea", "Ada\nBea", "Ada\tTorre", 'Ada "Ace', "Ada, Torre", ""):
        assert pasted_table(lines) is None
    assert [one.name for one in table("Nome, Club\nAda, Torre").people] == ["Ada"]
    headless = table("Ada Rossi\tTorre\tM\nBea Neri\t\tL")
    assert not headless.reading.header
    assert as_lines(headless.people) == "Ada Rossi; Torre\nBea Neri"
    assert [(one.name, one.number, one.values) for one in headless.unused] == [("", 3, 2)]


def test_columns_beside_known_ones_are_told_by_their_place() -> None:
    """Of an unknown name, an e-mail address and a club the first is that of the player."""
    found = table("Concorrente\tClub\tE-mail\tTaglia\nAda Rossi\tTorre\ta@example.org\tM")
    assert found.reading == Reading(True, ("name", "club", "e-mail", ""))
    assert found.people == [Person("Ada Rossi", "Torre", contact=(("e-mail", "a@example.org"),))]
    assert not table("Concorrente\tClub\tTaglia\nAda Rossi\tTorre\tM").reading.header


def test_a_column_holds_what_is_chosen() -> None:
    known = table().table
    assert table_of_text(known.as_text()) == known
    chosen = Reading(True, ("name", "club", "e-mail", f"{NUMBER}play-id"))
    assert reading_of_text(chosen.as_text(), known) == chosen
    found = read_people_table(known, chosen)
    assert (found.unused, [one.name for one in found.people]) == ((), ["Ada Rossi", "Bea Neri"])
    assert found.people[1].contact == (("play-id", "L"),)
    named = read_people_table(known, Reading(True, ("name", "club", "", NUMBER)))
    assert named.people[0].contact == (("taglia", "M"),)
    unnamed = read_people_table(known, Reading(False, ("name", "", "", NUMBER)))
    assert unnamed.people[1].contact == (("player-id", "M"),)
    assert list(meanings_offered(None)) == ["", "name", "turned", "surname", "byes", "club"]


@pytest.mark.parametrize(
    ("meanings", "code"),
    [
        (("name", "name", "", ""), "column_twice"),
        (("", "club", "", ""), "column_missing"),
        (("name", "club", "", "byes"), "bad_lines"),
    ],
)
def test_columns_that_can_hold_no_such_thing(meanings: tuple[str, ...], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_people_table(table().table, Reading(True, meanings))
    assert refused.value.code == code
    if code == "bad_lines":
        assert refused.value.sentence.values["lines"] == ("2", "4"), "numbers of the spreadsheet"


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
    hidden = re.findall(r'<input type="hidden" name="(menus|was|table)" value="([^"]*)">', form)
    chosen = re.findall(r'<select name="(.*?)".*?<option value="([^"]*)" selected', form, re.DOTALL)
    header = {"header": "on"} if 'name="header" value="on" checked' in form else {}
    text = form.partition('spellcheck="false">')[2].partition("</textarea>")[0]
    return dict(hidden) | dict(chosen) | header | {"text": text}


def sent_back(send: Callable[..., str], page: str) -> Callable[..., str]:
    """Return a function that sends what a page showed, with changes."""
    return lambda **more: send(**(fields(page) | more))


@pytest.mark.django_db
def test_a_column_gets_its_meaning_from_a_menu_and_the_list_follows(event, send) -> None:
    page = send(file=SimpleUploadedFile("iscritti.csv", SHEET.encode()))
    again = sent_back(send, page)
    assert "The column “Posta” is not used: its 1 value is not stored." in words(page)
    assert fields(page)["was"] == "names,name,club,,"
    assert "ada@example.org" not in page.partition("<tbody>")[2]
    changed = again(column_2="e-mail", column_3=f"{NUMBER}play-id")
    assert "is not used" not in changed
    assert "<bdi>ada@example.org</bdi>" in changed
    assert "<bdi>Play! ID</bdi>" in changed
    assert fields(changed)["was"] == f"names,name,club,e-mail,{NUMBER}play-id"

    sure = again(column_2="e-mail", sure="on")
    assert "nothing is stored yet" in words(sure), "what was chosen last has not been seen"
    assert event.entries.count() == 2
    twice = again(column_2="club")
    assert "Two columns can't hold the same." in words(twice)
    assert fields(twice)["was"] == "names,name,club,,"
    assert "A column can't hold this." in again(column_2="shoes")

    stored = again(sure="on")
    assert "2 players added." in stored
    assert [entry.club for entry in event.entries.order_by("number")[2:]] == ["Torre", ""]


@pytest.mark.django_db
def test_a_list_changed_by_hand_stays_until_it_is_read_anew(event, send) -> None:
    page = send(file=SimpleUploadedFile("iscritti.csv", SHEET.encode()))
    again = sent_back(send, page)
    mended = "Ada Rossini; Torre\nBea Neri"
    by_hand = again(text=mended, column_2="e-mail", sure="on")
    assert "The list was changed by hand, so it stays as it is" in words(by_hand)
    assert "Ada Rossini" in by_hand
    assert event.entries.count() == 2
    anew = again(text=mended, column_2="e-mail", anew="on")
    assert "Ada Rossini" not in anew
    assert "<bdi>ada@example.org</bdi>" in anew
    assert "2 players added." in again(text=mended, sure="on")
    assert event.entries.filter(name="Ada Rossini").exists()


@pytest.mark.django_db
def test_pasted_cells_have_menus_for_organisers(event, send) -> None:
    page = send(text=TABLE)
    assert '<option value="e-mail"' in page
    assert " checked" not in page.partition('name="header"')[2].partition(">")[0]
    named = send(**(fields(page) | {"header": "on", "column_2": "e-mail"}))
    assert "Concorrente" not in named.partition("<tbody>")[2], "it names a column"
    assert "<bdi>ada@example.org</bdi>" in named
    client = Client(headers={"accept-language": "en"})
    client.force_login(make.staff(event, "scorekeeper").user)
    address = reverse("tournaments:manage-players-paste", args=[event.slug])
    told = {"text": TABLE.replace("Concorrente", "Giocatore")}
    other = client.post(address, told).content.decode()
    assert "The column “Posta” is not used" in other
    assert 'name="column_3"' not in other
    assert "ada@example.org" not in other


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
