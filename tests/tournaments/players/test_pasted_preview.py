"""The preview of a pasted list: which word is the surname, one switch for all, and namesakes."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tournaments.core.names import as_listed

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
    found = re.findall(r'<bdi class="person">(.*?)</bdi>', page, re.DOTALL)
    light = re.compile(r'<span\s+class="given">.*?</span>')
    return [(light.sub("", name), re.sub(r"<[^>]*>", "", name)) for name in found]


def test_the_surname_is_bold_and_one_switch_turns_the_list(event, paste):
    page = paste(text=LIST)
    names = LIST.partition(";")[0].splitlines()
    assert bold(page) == list(zip(["De Luca", "Lo Presti", "Mario", "Neri"], names, strict=True))
    assert "Surname first" in page
    turned = paste(text=LIST, turned="on")
    assert bold(turned) == list(zip(["De Luca", "Lo Presti", "Rossi", "Ada"], names, strict=True))
    assert '<input type="hidden" name="turned" value="on">' in turned
    assert "Surname last" in turned
    assert bold(paste(text=LIST, turned=["on", ""])) == bold(page), "the button is sent last"
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
