"""An organiser loads a published catalogue by the form; lists of an own game are checked by it."""

import json
from http import HTTPStatus
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from decks.cards.catalogues import card_id_resolver, find_catalogue
from decks.checking import check_decklist_text
from decks.models import Catalogue
from decks.own_formats.services import FormatInput, create_custom_format
from decks.rulebook import current_rules
from tests.decks.cards.published_files import as_json, duel, magic
from tests.factories import user

pytestmark = pytest.mark.django_db

RULES = {
    "zones": [{"key": "main", "name": "Main deck", "min": 4, "max": None}],
    "copies": {"max": 4, "unlimited": ["Island"]},
    "legal_in": "Vintage",
}
CARDS = [
    magic("Island", "vintage pauper", type_line="Basic Land — Island"),
    magic("Sol Ring", "vintage=restricted", type_line="Artifact"),
    magic("Fire // Ice", "vintage", card_faces=[{"name": "Fire"}, {"name": "Ice"}]),
    magic("Shahrazad", "", type_line="Sorcery"),
]


def own_format(by: User, game: str = "Magia Nostra", **more: Any) -> str:
    content = FormatInput(game=game, name="Vintage", lists="counted", rules=RULES | more)
    return create_custom_format(content, by=by).slug


def load(client: Client, game: str, content: bytes, name: str = "oracle.json") -> Any:
    address = reverse("decks:cards_load", args=[game])
    file = SimpleUploadedFile(name, content)
    return client.post(address, {"file": file, "whose": "mine"})


def codes(slug: str, text: str) -> list[str]:
    return sorted(
        violation.code
        for violation in check_decklist_text(current_rules(slug), text=text).violations
    )


def test_an_organiser_loads_a_file_of_scryfall_and_lists_are_checked_by_it() -> None:
    owner = user()
    slug = own_format(owner)
    client = Client(headers={"accept-language": "en"})
    client.force_login(owner)
    assert codes(slug, "4 Sol Ring") == ["legality.unchecked"]
    shown = load(client, "magia-nostra", as_json(CARDS))
    assert "Scryfall: Added: 4, changed: 0, unchanged: 0, removed: 0" in shown.content.decode()
    assert not Catalogue.objects.exists()
    address = reverse("decks:cards_load", args=["magia-nostra"])
    stored = client.post(address, shown.context["sure"], follow=True)
    assert "Added: 4, changed: 0, unchanged: 0, removed: 0" in stored.content.decode()
    assert Catalogue.objects.get().owner == owner
    assert codes(slug, "9 Island\n1 Sol Ring\n2 Fire\n2 Ice") == []
    assert codes(slug, "9 Island\n2 Sol Ring") == ["copies.too_many"]
    assert codes(slug, "9 Island\n1 Shahrazad") == ["card.banned"]
    assert codes(slug, "9 Island\n1 Sol Rong") == ["card.unknown"]


@pytest.mark.parametrize("content", [b'[{"object": "set"}]', as_json(CARDS)[:-9], b"PK\x03\x04x"])
def test_what_is_no_catalogue_is_refused_at_the_form(content: bytes) -> None:
    owner = user()
    own_format(owner)
    client = Client(headers={"accept-language": "en"})
    client.force_login(owner)
    answer = load(client, "magia-nostra", content)
    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert answer.context["form"].errors
    assert not Catalogue.objects.exists()


def test_games_of_organisers_have_cards_others_have_none(client: Client) -> None:
    own_format(user())
    page = client.get(reverse("decks:card_games"), headers={"accept-language": "en"})
    assert "Magia Nostra" in page.content.decode()
    assert client.get(reverse("decks:cards", args=["magia-nostra"])).status_code == HTTPStatus.OK
    missing = client.get(reverse("decks:cards", args=["magia-vostra"]))
    assert missing.status_code == HTTPStatus.NOT_FOUND


def test_every_id_of_a_card_is_known_to_lists_of_simulators() -> None:
    owner = user()
    client = Client()
    client.force_login(owner)
    cards = {"data": [duel(89631139, "Blue-Eyes", card_images=[{"id": 7}, {"id": 89631139}])]}
    shown = load(client, "yugioh", json.dumps(cards).encode())
    client.post(reverse("decks:cards_load", args=["yugioh"]), shown.context["sure"])
    resolve = card_id_resolver(find_catalogue("yugioh", owner_id=owner.pk))
    assert resolve("0000007") == resolve("89631139") == "Blue-Eyes"
    assert resolve("8") is None


def test_the_rules_page_names_the_formats_of_the_catalogue_and_tries_lists_by_it() -> None:
    owner = user()
    slug = own_format(owner, legal_in=None)
    client = Client(headers={"accept-language": "en"})
    client.force_login(owner)
    page = reverse("decks:rules", args=[slug])
    assert "This game’s card catalogue lists no formats." in client.get(page).content.decode()
    shown = load(client, "magia-nostra", as_json(CARDS))
    client.post(reverse("decks:cards_load", args=["magia-nostra"]), shown.context["sure"])
    answer = client.get(page)
    assert "In the card catalogue: pauper, vintage." in answer.content.decode()
    held = {field.html_name: field.value() for field in answer.context["form"]}
    sent = {key: "" if value in (None, False) else value for key, value in held.items()}
    sent |= {"legal_in": "vintage", "text": "4 Island\n1 Shahrazad"}
    tried = client.post(page, sent | {"show": "1"}).content.decode()
    assert "Legal in: vintage" in tried
    assert "“Shahrazad” is not legal in vintage." in tried
    assert client.post(page, sent).status_code == HTTPStatus.FOUND
    assert codes(slug, "4 Island\n1 Shahrazad") == ["card.banned"]
