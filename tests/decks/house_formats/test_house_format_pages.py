"""House formats on pages, in the API and by the command."""

from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from decks.card_lists.services import load_lists
from decks.house_formats.services import (
    begin_with,
)
from decks.models import HouseFormat
from rules.deckbuilding.formats import FORMATS
from tests import factories as make
from tests.decks.house_formats.conftest import EXO, browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


KEYS = FORMATS.keys()


def filled(client: Client, address: str, **other: Any) -> dict[str, Any]:
    """Return the form of a page as a browser would send it back."""
    form = client.get(address).context["form"]
    sent = {}
    for bound in (form[name] for name in form.fields):
        value = bound.value()
        if value not in (None, False):
            sent[bound.html_name] = "on" if value is True else value
    return sent | other


def test_a_format_is_copied_changed_and_shown(owner: User) -> None:
    organiser = browser(owner)
    address = reverse("decks:copy", args=[EXO])
    sent = filled(organiser, address, name="Lega <b>", zone_main_minimum="20")
    sent |= {"kind_0_name": "Artefatto", "kind_0_zones": ["side"], "kind_0_least": "2"}
    sent |= {"limit_copies": "", "least_creature": "5", "zone_main_maximum": ""}
    answer = organiser.post(address, sent, follow=True)
    page = answer.content.decode()
    house = HouseFormat.objects.get()
    assert house.changes == {
        "zones": {"main": {"minimum": 20, "maximum": None, "or_none": False}},
        "limits": {"copies": None},
        "minimums": {"artefatto": 2, "creature": 5},
        "kinds": [{"name": "Artefatto", "zones": ["side"]}],
    }
    assert answer.redirect_chain[-1][0] == reverse("decks:format", args=[house.slug])
    assert "Main deck: at least 20 cards, no maximum." in page
    assert "Artefatto: only in Side deck." in page
    assert "Side deck, Artefatto: at least 2." in page
    assert "Lega &lt;b&gt;" in page
    assert "Lega <b>" not in page
    change = reverse("decks:change", args=[house.slug])
    assert change in page
    sent = filled(organiser, change, kind_0_name="", kind_0_zones=[], kind_0_least="")
    organiser.post(change, sent)
    house.refresh_from_db()
    assert house.changes["minimums"] == {"creature": 5}
    assert house.version == 2
    assert organiser.post(change, sent).status_code == 409


def test_a_format_left_as_it_is_has_no_changes(owner: User) -> None:
    organiser = browser(owner)
    for key in KEYS:
        address = reverse("decks:copy", args=[key])
        assert organiser.post(address, filled(organiser, address, name=key)).status_code == 302
    assert {house.base: house.changes for house in HouseFormat.objects.all()} == {
        key: {} for key in KEYS
    }


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"name": ""}, "name"),
        ({"name": "—"}, "name"),
        ({"zone_main_minimum": "31"}, "zone_main_maximum"),
        ({"zone_main_minimum": "1000"}, "zone_main_minimum"),
        ({"zone_main_maximum": "-1"}, "zone_main_maximum"),
        ({"limit_copies": "0"}, "limit_copies"),
        ({"least_creature": "31"}, "least_creature"),
        ({"kind_0_name": "Artefatto"}, "kind_0_zones"),
        ({"kind_1_zones": ["main"]}, "kind_1_name"),
        ({"kind_1_least": "2"}, "kind_1_name"),
        ({"kind_2_name": "Creature", "kind_2_zones": ["main"]}, "kind_2_name"),
        ({"kind_0_name": "A", "kind_0_zones": ["side"], "kind_0_least": "7"}, "kind_0_least"),
        ({"kind_0_name": "A", "kind_0_zones": ["fusion"]}, "kind_0_zones"),
    ],
)
def test_what_is_wrong_stands_at_its_field(owner: User, fields: dict[str, Any], wrong: str) -> None:
    organiser = browser(owner)
    address = reverse("decks:copy", args=[EXO])
    answer = organiser.post(address, filled(organiser, address) | {"name": "Lega"} | fields)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == [wrong]
    assert not HouseFormat.objects.exists()


def test_expansions_are_ticked(owner: User) -> None:
    organiser = browser(owner)
    address = reverse("decks:copy", args=["doomtrooper-open"])
    sent = filled(organiser, address, name="Solo DT", expansions=["DT"])
    organiser.post(address, sent)
    assert HouseFormat.objects.get().changes == {
        "expansions": {"codes": ["DT"], "any_other": False}
    }
    refused = organiser.post(address, sent | {"expansions": []})
    assert list(refused.context["form"].errors) == ["expansions"]


def test_who_may_open_the_form(house: HouseFormat, owner: User) -> None:
    change = reverse("decks:change", args=[house.slug])
    copy = reverse("decks:copy", args=[house.slug])
    other = browser(make.user())
    assert other.get(change).status_code == 403
    assert other.post(change, {}).status_code == 403
    assert other.get(copy).status_code == 200
    assert other.get(copy).context["form"]["zone_main_minimum"].value() == 20
    assert browser(make.user(can_create_events=False)).get(copy).status_code == 403
    assert Client().get(change).status_code == 302
    assert browser(owner).get(reverse("decks:change", args=[EXO])).status_code == 404
    begin_with(house.slug)
    assert browser(owner).get(change).status_code == 200
    page = browser(owner).get(reverse("decks:format", args=[house.slug])).content.decode()
    assert change in page
    assert copy in page


def test_house_formats_are_listed_on_the_page_and_by_the_api(
    house: HouseFormat, client: Client
) -> None:
    page = client.get("/formats/").content.decode()
    assert reverse("decks:format", args=[house.slug]) in page
    listed = client.get("/api/v1/formats/").json()["results"]
    (found,) = (known for known in listed if known["slug"] == house.slug)
    assert (found["base"], found["category"], found["lists_date"]) == (EXO, "Lega veloce", None)
    assert found["zones"][1]["maximum"] == 20
    rules = client.get(f"/api/v1/formats/{house.slug}/").json()
    assert rules["limits"] == {"copies": 3}
    original = client.get("/api/v1/formats/doomtrooper-original/").json()
    assert original["list_versions"] == [{"date": "2026-11-21", "holds": True}]
    assert original["lists"]["excluded_together"][0]["with"] == "RISERVE SEGRETE"
    assert original["expansions"]["any_other"] is False


def test_the_api_tells_the_dates_of_lists(
    house: HouseFormat, client: Client, django_assert_num_queries: Any
) -> None:
    rows = [{"list": "banned", "card": "Brace"}]
    load_lists(slug=EXO, rows=rows, dated=date(2027, 1, 1), for_site=True, by=None)
    load_lists(slug="thoom", rows=rows, dated=date(2027, 1, 2), for_site=False, by=house.owner)
    with django_assert_num_queries(2):
        listed = client.get("/api/v1/formats/?page_size=100").json()["results"]
    dates = {known["slug"]: known["lists_date"] for known in listed}
    assert dates[EXO] == dates[house.slug] == "2027-01-01"
    assert dates["thoom"] is None
    assert dates["doomtrooper-free"] == "2026-11-21"


def test_validate_and_the_command_know_house_formats(
    house: HouseFormat, client: Client, tmp_path: Path
) -> None:
    text = "Leader\n1 Alfa {Leader}\nMain\n" + "\n".join(
        f"2 Carta {letter} {{Tattica}}" for letter in "abcdefghij"
    )
    answer = client.post(
        f"/api/v1/formats/{house.slug}/validate/", {"text": text}, content_type="application/json"
    ).json()
    assert (answer["format"], answer["legal"]) == (house.slug, True)
    page = client.post(reverse("decks:format", args=[house.slug]), {"text": text})
    assert page.context["decklist"].legal
    path, out = tmp_path / "deck.txt", StringIO()
    path.write_text(text)
    call_command("check_deck", house.slug, str(path), stdout=out)
    assert "Leader 1" in out.getvalue()
