"""The page of the rules of a game of one's own: words, a list to try, the next version."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from decks.models import HouseFormat
from decks.own_formats.services import OwnFormat, change_own_format, make_own_format
from tests import factories as make
from tests.decks.house_formats.conftest import browser
from tests.tournaments.own_formats.games import PAUPER

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def owner() -> User:
    return make.user()


@pytest.fixture
def own(owner: User) -> HouseFormat:
    return make_own_format(OwnFormat(**PAUPER), by=owner)


def url(own: HouseFormat) -> str:
    return reverse("decks:rules", args=[own.slug])


def typed(client: Client, house: HouseFormat, /, **changed: str) -> dict[str, Any]:
    """Return what the form holds, and what somebody changed."""
    form = client.get(url(house)).context["form"]
    held = {bound.html_name: bound.value() for bound in form}
    return {k: "" if v is None else v for k, v in held.items() if v is not False} | changed


def test_what_is_shown_is_what_is_stored(owner: User, own: HouseFormat) -> None:
    client = browser(owner)
    assert client.post(url(own), typed(client, own)).status_code == 302
    own.refresh_from_db()
    assert own.version == 1, "nothing was changed"
    page = client.get(reverse("decks:format", args=[own.slug])).content.decode()
    assert url(own) in page


def test_changed_rules_are_told_in_words_tried_and_saved(owner: User, own: HouseFormat) -> None:
    client = browser(owner)
    changed = {"copies": "2", "zone_2_name": "Comandante", "zone_2_max": "1", "banned": "Orso"}
    sent = typed(client, own, **changed, text="Deck\n3 Lupo\n57 Isola\nComandante\n1 Orso")
    page = client.post(url(own), sent | {"show": "1"})
    said = page.content.decode()
    assert page.status_code == 200
    assert "at most 2" in said
    assert "<li>Comandante" in said
    assert "The list has 2 errors." in said
    own.refresh_from_db()
    assert own.version == 1
    assert client.post(url(own), sent).status_code == 302
    own.refresh_from_db()
    assert (own.version, own.rules["copies"]["max"]) == (2, 2)
    assert [zone["key"] for zone in own.rules["zones"]] == ["main", "side", "comandante"]
    assert own.rules["card_lists"]["banned"] == ["Orso"]


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"zone_0_max": "50"}, "zone_0_max"),
        ({"zone_1_name": "Deck"}, "zone_1_name"),
        ({"copies": "0"}, "copies"),
        ({"own": "Nazgûl"}, "own"),
        ({"win": "1/3"}, "__all__"),
        ({"draw": "7"}, "win"),
        ({"game": "—"}, "game"),
        ({"score": "points", "best_of": "3"}, "best_of"),
        ({"banned": "Orso", "limited": "Orso"}, "limited"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(
    owner: User, own: HouseFormat, changed: dict[str, str], field: str
) -> None:
    client = browser(owner)
    refused = client.post(url(own), typed(client, own, **changed))
    assert refused.status_code == 400
    assert list(refused.context["form"].errors) == [field]
    own.refresh_from_db()
    assert own.version == 1


def test_who_was_slower_is_refused(owner: User, own: HouseFormat) -> None:
    client = browser(owner)
    sent = typed(client, own, copies="3")
    change_own_format(OwnFormat(**PAUPER | {"game": "Magia"}), slug=own.slug, by=owner)
    assert client.post(url(own), sent).status_code == 409
    own.refresh_from_db()
    assert (own.version, own.rules["copies"]["max"]) == (2, 4)


def test_only_its_owner_opens_it(owner: User, own: HouseFormat) -> None:
    assert browser(make.user()).get(url(own)).status_code == 403
    assert Client().get(url(own)).status_code == 302
    assert browser(owner).get("/formats/creatures-of-exo/rules/").status_code == 404
    assert browser(owner).get("/formats/own_nobody/rules/").status_code == 404
