"""E-mail addresses and membership numbers of a table of names: read, shown once more, stored."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from rules.errors import BadInput
from rules.people.contacts import brought, membership_of
from rules.people.person_names import read_people
from tests import factories as make
from tests.canary import told
from tests.decks.readers.files import workbook
from tournaments.archive.writer import archive
from tournaments.events.services.events import change_event
from tournaments.models import Contact, Entry
from tournaments.players.people_files import read_people_file
from tournaments.players.services.contacts import change_contact
from tournaments.players.services.entries import add_entries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]
TABLE = [
    ["Giocatore", "Club", "E-mail", "Player ID", "Taglia maglietta"],
    ["Antonio De Luca", "La Torre", "zibibbo@example.org", "ZB-0123", "M"],
    ["Sara Monti", "", "sara.monti", "0128", "L"],
    ["Salvo Lo Presti", "", "", "", ""],
]


@pytest.fixture
def event(by):
    """Return an open event that asks for one membership."""
    event = make.open_event(by)
    return change_event(event=event, changes={"contact_terms": {"memberships": ["Play!"]}}, by=by)


def as_user(user) -> Client:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user)
    return client


def sent(client, event, rows=TABLE):
    """Return the answer to a table of names."""
    file = SimpleUploadedFile("people.xlsx", workbook(rows))
    return client.post(
        reverse("tournaments:manage-players-paste", args=[event.slug]), {"file": file}
    )


def confirmed(client, event, shown):
    """Return the answer to the list as it was shown."""
    address = reverse("tournaments:manage-players-paste", args=[event.slug])
    found = shown.context["found"]
    told = {"text": found.text, "was": found.reading.as_text(), "sure": "on"}
    return client.post(address, told)


def contacts() -> dict[str, tuple[str, dict[str, str]]]:
    rows = Contact.objects.values_list("entry__name", "email", "memberships")
    return {name: (email, numbers) for name, email, numbers in rows}


def test_columns_are_known_by_their_names_and_what_is_not_used_is_named(event, by):
    organiser = as_user(by.user)
    shown = sent(organiser, event)
    page = shown.content.decode()
    assert "The column “Taglia maglietta” is not used: its 2 values are not stored." in page
    assert "are read by the organisers alone, and deleted 90 days after" in page
    assert "1 of them can't be one and is not stored" in page
    assert "<bdi>Play!</bdi>" in page
    assert not Entry.objects.exists()
    assert confirmed(organiser, event, shown).status_code == 302
    assert contacts() == {
        "Antonio De Luca": ("zibibbo@example.org", {"play": "ZB-0123"}),
        "Sara Monti": ("", {"play": "0128"}),
    }
    assert event.entries.count() == 3


def test_it_is_in_no_log_and_no_archive(event, by):
    organiser = as_user(by.user)
    confirmed(organiser, event, sent(organiser, event))
    columns = {at.strip() for at, text in told() if "zibibbo" in text or "ZB-0123" in text}
    assert columns == {"Contact.email", "Contact.memberships"}
    event.refresh_from_db()
    assert b"zibibbo" not in archive(event)


@pytest.mark.parametrize("in_event", [True, False])
def test_a_number_that_two_have_is_marked_and_then_refused(event, by, in_event):
    organiser = as_user(by.user)
    rows = [["Name", "Tessera"], ["Ada Blu", "zb-0123"], ["Bea Nera", "7"]]
    if in_event:
        make.players(event, 1, by)
        there = event.entries.get()
        change_contact(entry=there, memberships={"Play!": "ZB-0123"}, by=by)
    else:
        rows.append(["Ugo Re", "ZB-0123"])
    before = event.entries.count()
    shown = sent(organiser, event, rows)
    assert shown.content.decode().count('<span class="badge bad">') == 1 + (not in_event)
    refused = confirmed(organiser, event, shown)
    assert refused.status_code == 400
    assert "Another player of this event has the number" in refused.content.decode()
    assert (event.entries.count(), Contact.objects.count()) == (before, int(in_event))


def test_others_of_the_staff_read_and_store_no_contact(event):
    scorekeeper = as_user(make.staff(event, "scorekeeper").user)
    shown = sent(scorekeeper, event)
    page = shown.content.decode()
    assert "The column “E-mail” is not used: its 2 values are not stored." in page
    assert "zibibbo" not in page
    address = reverse("tournaments:manage-players-paste", args=[event.slug])
    refused = scorekeeper.post(address, {"text": "Ada; ; ; ; e-mail: a@example.org", "sure": "on"})
    assert refused.status_code == 400
    assert "Organisers alone store e-mail addresses" in refused.content.decode()
    assert not Entry.objects.exists()


def test_several_memberships_and_what_cannot_be_one():
    content = workbook([["Nome", "Konami ID", "Player ID", "DCI"], ["Ada", "1;2", "7", "=+"]])
    read = read_people_file(content, memberships=["Konami ID", "Altro"])
    assert read.unused == ()
    found = brought(read.people[0].contact)
    assert (found.memberships, found.wrong) == ({"konami-id": "1;2", "player-id": "7"}, ("=+",))
    assert brought([("x", "1"), ("X", "2"), ("email", "a@b.it")]).wrong == ("2",)
    assert read_people_file(content).unused[0] == {"name": "Konami ID", "number": 2, "values": 1}
    assert [membership_of(name, ["Play!"]) for name in ("Tessera", "play!", "Club")] == [
        "play",
        "play",
        "",
    ]
    with pytest.raises(BadInput):
        brought([(f"n{at}", str(at)) for at in range(11)])


def test_a_long_list_takes_few_queries(event, by, django_assert_max_num_queries):
    lines = "\n".join(f"Nome {n}; ; ; ; e-mail: n{n}@example.org; play: {n}" for n in range(200))
    with django_assert_max_num_queries(25):
        add_entries(event=event, people=read_people(lines), by=by)
    assert Contact.objects.count() == 200
