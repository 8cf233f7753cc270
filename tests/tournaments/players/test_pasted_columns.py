"""The preview of a table or list: columns, surnames, namesakes and contacts."""

import html
import json
import re
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from rules.errors import BadInput
from rules.people.contacts import column_membership_key, parse_contact
from rules.people.person_names import Person, read_people
from tests import factories as make
from tests.browsers import url
from tests.canary import told
from tests.decks.readers.files import workbook
from tournaments.archive.writer import event_archive
from tournaments.core.names import listed_name
from tournaments.events.services import change_event
from tournaments.models import Contact, Entry, LogLine
from tournaments.players.people_columns import (
    NUMBER,
    ColumnMapping,
    column_meanings,
    parse_column_mapping,
)
from tournaments.players.people_files import (
    PeopleFile,
    parse_tab_separated,
    read_pasted_table,
    read_people_file,
    read_people_table,
)
from tournaments.players.services.contacts import change_contact
from tournaments.players.services.entries import add_entries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


TABLE = """Concorrente\tClub\tPosta\tTaglia
Ada Rossi\tTorre\tada@example.org\tM

Bea Neri\t\t\tL
"""
SHEET = "Giocatore;Club;Posta;Taglia\nAda Rossi;Torre;ada@example.org;M\nBea Neri;;;L\n"


def table(text: str = TABLE) -> PeopleFile:
    found = read_pasted_table(text, ["Play! ID"])
    assert found is not None
    return found


def test_what_is_a_table_and_what_a_list_of_lines() -> None:
    for lines in ("Ada; Torre\nBea", "Ada\nBea", "Ada\tTorre\nBea", 'Ada "Ace', "Ada, Torre", ""):
        assert read_pasted_table(lines) is None
    assert [one.name for one in table("Nome, Club\nAda, Torre").people] == ["Ada"]
    headless = table("Ada Rossi\tTorre\tM\nBea Neri\t\tL")
    assert not headless.reading.header
    assert headless.people == [Person("Ada Rossi", "Torre"), Person("Bea Neri")]
    assert headless.unused == ({"name": "", "number": 3, "values": 2},)


def test_columns_beside_known_ones_are_told_by_their_place() -> None:
    """Of an unknown name, an e-mail address and a club the first is that of the player."""
    found = table("Concorrente\tClub\tE-mail\tTaglia\nAda Rossi\tTorre\ta@example.org\tM")
    assert found.reading == ColumnMapping(1, ("name", "club", "e-mail", ""))
    assert found.people == [Person("Ada Rossi", "Torre", contact=(("e-mail", "a@example.org"),))]
    alone = table("Concorrente\tClub\tTaglia\nAda Rossi\tTorre\tM")
    assert alone.reading == ColumnMapping(1, ("?", "club", ""))
    with pytest.raises(BadInput, match="Choose the column that contains the names"):
        alone.people  # noqa: B018


def test_a_column_holds_what_is_chosen() -> None:
    known = parse_tab_separated(table().text)
    assert known == table().table
    chosen = ColumnMapping(1, ("name", "club", "e-mail", f"{NUMBER}play-id"), True)
    assert parse_column_mapping(chosen.as_text(), 4) == chosen
    assert parse_column_mapping(chosen.as_text(), 5).meanings == (*chosen.meanings, "")
    for wrong in ("", "names,name", "[]", "{}", '["x", [], 0]', "[" * 9999):
        with pytest.raises(BadInput):
            parse_column_mapping(wrong, 4)
    found = read_people_table(known, ColumnMapping(1, chosen.meanings))
    assert (found.unused, [one.name for one in found.people]) == ((), ["Ada Rossi", "Bea Neri"])
    assert found.people[1].contact == (("play-id", "L"),)
    named = read_people_table(known, ColumnMapping(1, ("name", "club", "", NUMBER)))
    assert named.people[0].contact == (("taglia", "M"),)
    unnamed = read_people_table(known, ColumnMapping(0, ("name", "", "", NUMBER)))
    assert unnamed.people[1].contact == (("player-id", "M"),)
    assert list(column_meanings(None)) == ["", "name", "turned", "surname", "byes", "club"]


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
        read_people_table(parse_tab_separated(TABLE), ColumnMapping(1, meanings)).people  # noqa: B018
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
    address = url("manage-players-paste", event)
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
    assert "“Posta”</bdi> (1)" in words(page)
    assert meanings(page) == ["name", "club", "", ""]
    assert "ada@example.org" not in page.partition("<tbody>")[2]
    changed = again(column_2="e-mail", column_3=f"{NUMBER}play-id")
    assert "Not used:" not in changed
    assert "<bdi>ada@example.org</bdi>" in changed
    assert "<bdi>Play! ID</bdi>" in changed
    assert meanings(changed) == ["name", "club", "e-mail", f"{NUMBER}play-id"]

    sure = again(column_2="e-mail", sure="on")
    assert "Preview" in words(sure), "what was chosen last has not been seen"
    assert event.entries.count() == 2
    twice = again(column_2="club")
    assert "Two columns have the same meaning. Change one of them." in words(twice)
    assert meanings(twice) == ["name", "club", "", ""]
    assert "Choose one of the options." in again(column_2="shoes")

    stored = again(sure="on")
    assert "Players added: 2" in stored
    assert [entry.club for entry in event.entries.order_by("number")[2:]] == ["Torre", ""]


@pytest.mark.django_db
def test_cells_are_changed_by_hand_and_stay_a_table(event, send) -> None:
    page = send(file=SimpleUploadedFile("iscritti.csv", SHEET.encode()))
    again = sent_back(send, page)
    mended = fields(page)["text"].replace("Ada Rossi\tTorre", "Ada Rossini\tTorre; 2; 3")
    by_hand = again(text=mended, column_2="e-mail")
    assert "<bdi>Torre; 2; 3</bdi>" in by_hand
    assert "<bdi>ada@example.org</bdi>" in by_hand
    assert "Players added: 2" in again(text=mended, column_2="", sure="on")
    assert event.entries.filter(name="Ada Rossini", club="Torre; 2; 3", byes=0).exists()


@pytest.mark.django_db
def test_a_column_that_may_hold_the_same_as_another_has_to_be_chosen(event, send) -> None:
    sheet = "Nome,Squadra,Club\nAda Rossi,Rossa,Torre\nBea Neri,Blu,Torre\n"
    page = send(file=SimpleUploadedFile("iscritti.csv", sheet.encode()))
    again = sent_back(send, page)
    assert "Choose what column Squadra contains." in words(page)
    assert '<option value="?" selected>Choose</option>' in page
    assert 'name="sure"' not in page
    assert page.count('<option value="?"') == 1
    again(sure="on")
    assert not event.entries.filter(name="Ada Rossi").exists()
    chosen = again(column_1="")
    assert "Choose what" not in chosen
    assert 'name="sure"' in chosen
    assert "Players added: 2" in sent_back(send, chosen)(sure="on")
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
    address = url("manage-players-paste", event)
    told = {"text": TABLE.replace("Concorrente", "Giocatore")}
    other = client.post(address, told).content.decode()
    assert "“Posta”</bdi> (1)" in words(other)
    assert 'name="column_2"' not in other
    assert "ada@example.org" not in other
    again = client.post(address, fields(html.unescape(other)) | {"column_3": "byes"})
    assert "“Posta”</bdi> (1)" in words(again.content.decode())


@pytest.mark.django_db
def test_who_is_there_already_is_left_out_until_it_is_another(event, by, send) -> None:
    anna = event.entries.get(name="Anna Ricci")
    change_contact(entry=anna, email="anna@example.org", by=by)
    text = (
        "anna RICCI; ; ; ; e-mail: other@example.org; play-id: 77\n"
        "Bo Carlo\nDora Sì\ndora si; Torre\nEva; Lupi\nEVA; Torre"
    )
    page = send(text=text)
    assert "Add (3)" in page, "the two Evas are of two clubs"
    assert "Shown as <bdi>“Eva (Lupi)”</bdi>" in words(page)
    assert "“dora si (Torre)”" not in words(page), "it is not said yet that they are two"
    assert 'name="who:anna ricci 1" value="same"' in page
    assert "Row 3" in words(page)
    assert "already taken: 3. Choose" in words(page)
    said = {"who:anna ricci 1": "same", "who:dora si 2": "other", "who:gone 1": "other"}
    page = send(text=text, **said)
    assert "Add (4)" in page
    assert "“dora si (Torre)”" in words(page)
    assert page.count("checked>") == 2
    assert "Dora Sì (3)" in words(page), "a number where there is no club"
    assert "already taken: 1. Choose" in words(page)

    stored = send(text=text, sure="on", **said)
    assert "Players added: 4. Namesakes: 2." in stored
    names = list(event.entries.order_by("number").values_list("name", flat=True))
    assert names == ["Anna Ricci", "Carlo Bo", "Dora Sì", "dora si", "Eva", "EVA"]
    contact = Contact.objects.get()
    assert (contact.entry, contact.email) == (anna, "anna@example.org")
    assert contact.memberships == {"play-id": "77"}
    last = LogLine.objects.filter(event=event).order_by("-number").values_list("action", flat=True)
    assert list(last[:2]) == ["entry.pasted", "contact.changed"]
    nobody = send(text="Eva", sure="on")
    assert "Namesakes: 1." in words(nobody)
    assert event.entries.count() == 6


LIST = "De Luca Antonio\nLo Presti Salvo\nRossi Mario\nAda Neri; Drago"


@pytest.fixture
def plain(by):
    return make.open_event(by)


@pytest.fixture
def paste(by, plain):
    client = Client(headers={"accept-language": "en"})
    client.force_login(by.user)
    address = url("manage-players-paste", plain)
    return lambda **sent: client.post(address, sent).content.decode()


def bold(page):
    """Return (what is bold, all of the name) of each player of a preview."""
    names = re.findall(r'<bdi class="person">(.*?)</bdi>', page, re.DOTALL)
    words = [re.findall(r'aria-pressed="(.*?)">(.*?)</button>', name) for name in names]
    return [
        (" ".join(w for own, w in each if own == "true"), " ".join(w for _own, w in each))
        for each in words
    ]


def filters(page):
    """Return what can be shown, and how many each."""
    found = re.findall(r'name="show" value="([^"]*)" id.*?<b>(\d+)</b>', page, re.DOTALL)
    return {key: int(count) for key, count in found}


def rows(page):
    """Return the places in the list of the rows that are shown."""
    body = page.partition("<tbody>")[2]
    found = re.findall(r'<tr class="[^"]*"( hidden)?>.*?id="row-(\d+)"', body, re.DOTALL)
    return [int(at) for hidden, at in found if not hidden]


def test_the_surname_is_bold_and_one_switch_turns_the_list(plain, paste):
    page = paste(text=LIST)
    names = LIST.partition(";")[0].splitlines()
    assert bold(page) == list(zip(["De Luca", "Lo Presti", "Mario", "Neri"], names, strict=True))
    assert "Surname first" in page
    turned = paste(text=LIST, turned="on")
    assert bold(turned) == list(zip(["De Luca", "Lo Presti", "Rossi", "Ada"], names, strict=True))
    assert re.search(r'name="turned" value="on" id="id_turned"\s+checked', turned)
    assert not re.search(r'name="turned" value="on" id="id_turned"\s+checked', page)
    assert not plain.entries.exists(), "nobody is added by looking"


@pytest.mark.parametrize(
    ("turned", "lists"),
    [
        ({}, ["De Luca Antonio", "Lo Presti Salvo", "Mario Rossi", "Neri Ada"]),
        ({"turned": "on"}, ["De Luca Antonio", "Lo Presti Salvo", "Rossi Mario", "Ada Neri"]),
    ],
)
def test_what_was_shown_is_what_is_stored(plain, paste, turned, lists):
    paste(text=LIST, sure="on", **turned)
    entries = plain.entries.order_by("number")
    assert [str(listed_name(entry)) for entry in entries] == lists
    assert [entry.name for entry in entries][2:] == ["Rossi Mario", "Ada Neri"]


def test_a_namesake_is_asked_for_a_word_that_tells_them_apart(plain, by, paste):
    make.players_more(plain, ["Mario Rossi"], by)
    for again in ("mario  ROSSI", "Rossi Mario", "Màrio Rossi"):
        page = paste(text=f"{again}\nAda Neri")
        assert "Already registered?" in page
        assert "These names are already taken:" in page
    assert "These names are already taken:" not in paste(text="Ada Neri")


def test_a_comma_that_repeats_over_the_lines_is_offered_as_columns(plain, paste):
    text = "Ada Rossi, Torre\nBruno Neri, Cavallo"
    page = paste(text=text)
    assert "What do the commas separate?" in page
    chosen = paste(text=text, columns="club")
    assert "<bdi>Torre</bdi>" in chosen
    assert "What do the commas separate?" not in chosen
    assert [name for _bold, name in bold(chosen)] == ["Ada Rossi", "Bruno Neri"]
    turned = paste(text=text.replace("Ada Rossi", "Rossi"), columns="surname")
    assert bold(turned)[0] == ("Rossi", "Torre Rossi")


def test_a_word_that_is_pressed_changes_its_side_of_the_border(plain, paste):
    page = paste(text=LIST, word="0 Rossi Mario")
    assert bold(page)[2] == ("Rossi", "Rossi Mario")
    assert '<input type="hidden" name="surname:Rossi Mario" value="Rossi">' in page
    kept = {"surname:Rossi Mario": "Rossi"}
    for nonsense in ("9 Rossi Mario", "0 Nobody", "x", "0"):
        assert bold(paste(text=LIST, word=nonsense, **kept)) == bold(page), "it is kept"
    more = f"Zoe Blu\n{LIST}"
    assert bold(paste(text=more, turned="on", **kept))[3] == ("Rossi", "Rossi Mario")
    stored = paste(text=LIST, sure="on", **kept, **{"surname:Ada Neri": "Blu"})
    assert not stored, "it leads to the players"
    lists = [str(listed_name(entry)) for entry in plain.entries.order_by("number")]
    assert lists == ["De Luca Antonio", "Lo Presti Salvo", "Rossi Mario", "Neri Ada"]


def test_filters_show_whom_to_look_at_and_namesakes_with_their_number(plain, by, paste):
    make.players_more(plain, ["Anna Ricci"], by)
    text = "Anna Ricci\nZoe Blu; Torre\nZoe Blu; Drago\nZoe Blu\nUgo Sì; ; ; ; e-mail: ugo@x"
    page = paste(text=text)
    assert filters(page) == {"": 5, "look": 3, "twins": 2}, "the third Zoe may be one of them"
    assert rows(page) == [1, 2, 3, 4, 5]
    assert rows(paste(text=text, show="look")) == [1, 4, 5]
    assert rows(paste(text=text, show="twins")) == [2, 3]
    other = paste(text=text, show="twins", **{"who:blu zoe 3": "other"})
    assert filters(other) == {"": 5, "look": 2, "twins": 3}
    called = [" ".join(name.split()) for name in re.findall(r"<bdi>“(.*?)”</bdi>", other)]
    assert called == ["Zoe Blu (Torre)", "Zoe Blu (Drago)", "Zoe Blu (4)"]
    assert filters(paste(text="Ada Neri")) == {}
    assert rows(paste(text="Ada Neri", show="look")) == [1], "a filter that shows nobody is left"


def test_what_cannot_be_an_address_is_mended_in_its_row(plain, paste):
    text = "Ugo Sì; ; ; ; e-mail: ugo@x"
    page = paste(text=text)
    assert 'name="mended:ugo@x" value="ugo@x"' in page
    assert "Not saved: 1" in page
    assert "ugo@x" in paste(text=text, **{"mended:ugo@x": "ugo@x"})
    still = {"mended:ugo@x": "ugo@y", "mended:ugo@y": "ugo@example.org"}
    page = paste(text=text, **still)
    assert "<bdi>ugo@example.org</bdi>" in page
    assert 'class="mend"' not in page
    paste(text=text, sure="on", **still)
    assert Contact.objects.get().email == "ugo@example.org"
    paste(text=text.replace("Ugo", "Ada"), sure="on", **{"mended:ugo@x": ""})
    assert Contact.objects.count() == 1
    assert plain.entries.count() == 2


def test_a_membership_that_the_event_does_not_ask_for_has_a_word(plain, by, paste):
    text = "Ugo Sì; ; ; ; konami-id: 7\nZoe; ; ; ; player-id: 8\nAda; ; ; ; lega-nord: 9"
    page = paste(text=text)
    for name in ("Konami ID", "Membership number", "Lega nord"):
        assert f'<th scope="col"><bdi>{name}</bdi></th>' in page
    terms = {"memberships": ["Konami-ID"]}
    change_event(event=plain, changes={"contact_terms": terms}, by=by)
    page = paste(text=text.partition("\n")[0])
    assert '<th scope="col"><bdi>Konami-ID</bdi></th>' in page


CONTACTS = [
    ["Giocatore", "Club", "E-mail", "Player ID", "Taglia maglietta"],
    ["Antonio De Luca", "La Torre", "zibibbo@example.org", "ZB-0123", "M"],
    ["Sara Monti", "", "sara.monti", "0128", "L"],
    ["Salvo Lo Presti", "", "", "", ""],
]


@pytest.fixture
def asking(by):
    """Return an open event that asks for one membership."""
    asking = make.open_event(by)
    return change_event(event=asking, changes={"contact_terms": {"memberships": ["Play!"]}}, by=by)


def as_user(user) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def sent(client, event, rows=CONTACTS):
    """Return the answer to a table of names."""
    file = SimpleUploadedFile("people.xlsx", workbook(rows))
    return client.post(url("manage-players-paste", event), {"file": file})


def confirmed(client, event, shown):
    """Return the answer to the list as it was shown."""
    address = url("manage-players-paste", event)
    found = shown.context["found"]
    told = {"text": found.text, "was": found.reading.as_text(), "sure": "on"}
    return client.post(address, told)


def contacts() -> dict[str, tuple[str, dict[str, str]]]:
    rows = Contact.objects.values_list("entry__name", "email", "memberships")
    return {name: (email, numbers) for name, email, numbers in rows}


def test_columns_are_known_by_their_names_and_what_is_not_used_is_named(asking, by):
    organiser = as_user(by.user)
    shown = sent(organiser, asking)
    page = shown.content.decode()
    assert "“Taglia maglietta”</bdi> (2)" in page
    assert "Only organisers can read this. It is deleted 90 days after" in page
    assert "Not saved: 1" in page
    assert "<bdi>Play!</bdi>" in page
    assert not Entry.objects.exists()
    assert confirmed(organiser, asking, shown).status_code == 302
    assert contacts() == {
        "Antonio De Luca": ("zibibbo@example.org", {"play": "ZB-0123"}),
        "Sara Monti": ("", {"play": "0128"}),
    }
    assert asking.entries.count() == 3


def test_it_is_in_no_log_and_no_archive(asking, by):
    organiser = as_user(by.user)
    confirmed(organiser, asking, sent(organiser, asking))
    columns = {at.strip() for at, text in told() if "zibibbo" in text or "ZB-0123" in text}
    assert columns == {"Contact.email", "Contact.memberships"}
    asking.refresh_from_db()
    assert b"zibibbo" not in event_archive(asking)


@pytest.mark.parametrize("in_event", [True, False])
def test_a_number_that_two_have_is_marked_and_then_refused(asking, by, in_event):
    organiser = as_user(by.user)
    rows = [["Name", "Tessera"], ["Ada Blu", "zb-0123"], ["Bea Nera", "7"]]
    if in_event:
        make.players(asking, 1, by)
        there = asking.entries.get()
        change_contact(entry=there, memberships={"Play!": "ZB-0123"}, by=by)
    else:
        rows.append(["Ugo Re", "ZB-0123"])
    before = asking.entries.count()
    shown = sent(organiser, asking, rows)
    assert shown.content.decode().count('<span class="badge bad">') == 1 + (not in_event)
    refused = confirmed(organiser, asking, shown)
    assert refused.status_code == 400
    assert "Another player already has number" in refused.content.decode()
    assert (asking.entries.count(), Contact.objects.count()) == (before, int(in_event))


def test_others_of_the_staff_read_and_store_no_contact(asking):
    scorekeeper = as_user(make.staff(asking, "scorekeeper").user)
    shown = sent(scorekeeper, asking)
    page = shown.content.decode()
    assert "“E-mail”</bdi> (2)" in page
    assert "zibibbo" not in page
    address = url("manage-players-paste", asking)
    refused = scorekeeper.post(address, {"text": "Ada; ; ; ; e-mail: a@example.org", "sure": "on"})
    assert refused.status_code == 400
    assert "Only organisers can add email addresses" in refused.content.decode()
    assert not Entry.objects.exists()


def test_several_memberships_and_what_cannot_be_one():
    content = workbook([["Nome", "Konami ID", "Player ID", "DCI"], ["Ada", "1;2", "7", "=+"]])
    read = read_people_file(content, memberships=["Konami ID", "Altro"])
    assert read.unused == ()
    found = parse_contact(read.people[0].contact)
    assert (found.memberships, found.wrong) == ({"konami-id": "1;2", "player-id": "7"}, ("=+",))
    assert parse_contact([("x", "1"), ("X", "2"), ("email", "a@b.it")]).wrong == ("2",)
    assert read_people_file(content).unused[0] == {"name": "Konami ID", "number": 2, "values": 1}
    assert [column_membership_key(name, ["Play!"]) for name in ("Tessera", "play!", "Club")] == [
        "play",
        "play",
        "",
    ]
    with pytest.raises(BadInput):
        parse_contact([(f"n{at}", str(at)) for at in range(11)])


def test_a_long_list_takes_few_queries(asking, by, django_assert_max_num_queries):
    lines = "\n".join(f"Nome {n}; ; ; ; e-mail: n{n}@example.org; play: {n}" for n in range(200))
    with django_assert_max_num_queries(25):
        add_entries(event=asking, people=read_people(lines), by=by)
    assert Contact.objects.count() == 200
