"""The public pages of the deck formats."""

import pytest
from django.test import Client
from django.urls import reverse

from decks.decklists.samples import sample_deck
from decks.models import Decklist
from rules.deckbuilding.formats import FORMATS

KEYS = FORMATS.keys()


@pytest.mark.django_db
def test_every_format_is_listed(client: Client) -> None:
    page = client.get(reverse("decks:format_list")).content.decode()
    assert all(reverse("decks:format", args=[key]) in page for key in KEYS)


@pytest.mark.django_db
@pytest.mark.parametrize("key", KEYS)
def test_a_format_has_a_help_page(client: Client, key: str) -> None:
    answer = client.get(reverse("decks:format", args=[key]), headers={"Accept-Language": "en"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Rulings" in page
    assert "How to write a decklist" in page
    assert ("Banned cards (28)" in page) is key.startswith("doomtrooper")


@pytest.mark.django_db
def test_an_unknown_format_is_not_found(client: Client) -> None:
    assert client.get("/formats/chess/").status_code == 404
    assert client.post("/formats/chess/", {"text": "a"}).status_code == 404


@pytest.mark.django_db
def test_a_pasted_list_is_checked_line_by_line_and_not_stored(client: Client) -> None:
    url = reverse("decks:format", args=["creatures-of-exo"])
    text = "Main\n<b>Brace</b>\n0 Nulla"
    answer = client.post(url, {"text": text}, headers={"Accept-Language": "en"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Line 3" in page
    assert "3 errors" in page
    assert "&lt;b&gt;Brace&lt;/b&gt;" in page
    assert "<b>Brace" not in page
    assert not Decklist.objects.exists()


@pytest.mark.django_db
def test_a_legal_list_is_said_to_be_legal(client: Client) -> None:
    url = reverse("decks:format", args=["creatures-of-exo"])
    text = sample_deck("creatures-of-exo", 3)
    page = client.post(url, {"text": text}, headers={"Accept-Language": "en"}).content.decode()
    assert "The decklist is legal." in page
    assert "Main deck" in page


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["", "a" * 70_000, "a\x00"])
def test_a_text_that_is_no_list_is_a_form_error(client: Client, text: str) -> None:
    url = reverse("decks:format", args=["creatures-of-exo"])
    answer = client.post(url, {"text": text})
    assert answer.status_code == 400
    assert 'id="checked"' not in answer.content.decode()
