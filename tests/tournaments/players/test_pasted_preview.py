"""The preview of a pasted list: which word is the surname, one switch for all, and namesakes."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tournaments.core.names import as_listed
from tournaments.events.services.events import change_event
from tournaments.models import Contact

pytestmark = pytest.mark.django_db
LIST = "De Luca Antonio\nLo Presti Salvo\nRossi Mario\nAda Neri; Drago"


@pytest.fixture
def event(by):
    return make.open_event(by)


@pytest.fixture
def paste(by, event):
    client = Client(headers={"accept-language": "en"})
    client.force_login(by.user)
    address = reverse("tournaments:manage-players-paste", args=[event.slug])
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
    found = re.findall(r'<tr class="[^"]*"( hidden)?>\s*<td class="number">(\d+)', body)
    return [int(at) for hidden, at in found if not hidden]


def test_the_surname_is_bold_and_one_switch_turns_the_list(event, paste):
    page = paste(text=LIST)
    names = LIST.partition(";")[0].splitlines()
    assert bold(page) == list(zip(["De Luca", "Lo Presti", "Mario", "Neri"], names, strict=True))
    assert "Surname first" in page
    turned = paste(text=LIST, turned="on")
    assert bold(turned) == list(zip(["De Luca", "Lo Presti", "Rossi", "Ada"], names, strict=True))
    assert re.search(r'name="turned" value="on" id="id_turned"\s+checked', turned)
    assert not re.search(r'name="turned" value="on" id="id_turned"\s+checked', page)
    assert not event.entries.exists(), "nobody is added by looking"


@pytest.mark.parametrize(
    ("turned", "lists"),
    [
        ({}, ["De Luca Antonio", "Lo Presti Salvo", "Mario Rossi", "Neri Ada"]),
        ({"turned": "on"}, ["De Luca Antonio", "Lo Presti Salvo", "Rossi Mario", "Ada Neri"]),
    ],
)
def test_what_was_shown_is_what_is_stored(event, paste, turned, lists):
    paste(text=LIST, sure="on", **turned)
    entries = event.entries.order_by("number")
    assert [str(as_listed(entry)) for entry in entries] == lists
    assert [entry.name for entry in entries][2:] == ["Rossi Mario", "Ada Neri"]


def test_a_namesake_is_asked_for_a_word_that_tells_them_apart(event, by, paste):
    make.players_more(event, ["Mario Rossi"], by)
    for again in ("mario  ROSSI", "Rossi Mario", "Màrio Rossi"):
        page = paste(text=f"{again}\nAda Neri")
        assert "already there?" in page
        assert "a word that tells them apart" in page
    assert "a word that tells them apart" not in paste(text="Ada Neri")


def test_a_comma_that_repeats_over_the_lines_is_offered_as_columns(event, paste):
    text = "Ada Rossi, Torre\nBruno Neri, Cavallo"
    page = paste(text=text)
    assert "A comma repeats over the lines." in page
    chosen = paste(text=text, columns="club")
    assert "<bdi>Torre</bdi>" in chosen
    assert "A comma repeats over the lines." not in chosen
    assert [name for _bold, name in bold(chosen)] == ["Ada Rossi", "Bruno Neri"]
    turned = paste(text=text.replace("Ada Rossi", "Rossi"), columns="surname")
    assert bold(turned)[0] == ("Rossi", "Torre Rossi")


def test_a_word_that_is_pressed_changes_its_side_of_the_border(event, paste):
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
    lists = [str(as_listed(entry)) for entry in event.entries.order_by("number")]
    assert lists == ["De Luca Antonio", "Lo Presti Salvo", "Rossi Mario", "Neri Ada"]


def test_filters_show_whom_to_look_at_and_namesakes_with_their_number(event, by, paste):
    make.players_more(event, ["Anna Ricci"], by)
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


def test_what_cannot_be_an_address_is_mended_in_its_row(event, paste):
    text = "Ugo Sì; ; ; ; e-mail: ugo@x"
    page = paste(text=text)
    assert 'name="mended:ugo@x" value="ugo@x"' in page
    assert "mend it in its row" in page
    assert "ugo@x" in paste(text=text, **{"mended:ugo@x": "ugo@x"})
    still = {"mended:ugo@x": "ugo@y", "mended:ugo@y": "ugo@example.org"}
    page = paste(text=text, **still)
    assert "<bdi>ugo@example.org</bdi>" in page
    assert 'class="mend"' not in page
    paste(text=text, sure="on", **still)
    assert Contact.objects.get().email == "ugo@example.org"
    paste(text=text.replace("Ugo", "Ada"), sure="on", **{"mended:ugo@x": ""})
    assert Contact.objects.count() == 1
    assert event.entries.count() == 2


def test_a_membership_that_the_event_does_not_ask_for_has_a_word(event, by, paste):
    text = "Ugo Sì; ; ; ; konami-id: 7\nZoe; ; ; ; player-id: 8\nAda; ; ; ; lega-nord: 9"
    page = paste(text=text)
    for name in ("Konami ID", "Membership number", "Lega nord"):
        assert f'<th scope="col"><bdi>{name}</bdi></th>' in page
    words = " ".join(page.split())
    assert "does not ask for <bdi>Konami ID, Membership number, Lega nord</bdi>: the" in words
    terms = {"memberships": ["Konami-ID"]}
    change_event(event=event, changes={"contact_terms": terms}, by=by)
    page = paste(text=text.partition("\n")[0])
    assert '<th scope="col"><bdi>Konami-ID</bdi></th>' in page
    assert "does not ask for" not in page
