"""House formats: made, changed and locked; shown and used on pages, in the API, by commands."""

from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from decks.card_lists.services import load_lists
from decks.formats.selectors import format_labels, house_format_choices
from decks.house_formats.services import (
    LONGEST_SLUG,
    change_house_format,
    create_house_format,
    pin_format_version,
)
from decks.models import CardListVersion, HouseFormat
from decks.rulebook import current_rules
from decks.stored_formats import base_format, load_format
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse_decklist
from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.decks.house_formats.conftest import EXO, browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def test_a_house_format_is_read_like_any_other(house: HouseFormat) -> None:
    assert house.slug == "creatures-of-exo_lega-veloce"
    shape = load_format(house.slug)
    assert (shape.key, shape.category, shape.game) == (house.slug, "Lega veloce", EXO)
    assert base_format(house.slug) is FORMATS.get(EXO)
    text = "Leader\n1 Alfa {Leader}\nMain\n20 Brace {Tattica}"
    codes = [v.code for v in shape.validate(parse_decklist(text, shape))]
    assert codes == ["copies.too_many"]
    assert "at most 3" in " ".join(map(str, shape.describe()))


@pytest.mark.parametrize("slug", ["chess", "creatures-of-exo_nobody", "_", "chess_club", "_x"])
def test_a_slug_that_nobody_made_is_unknown(slug: str, client: Client) -> None:
    with pytest.raises(BadInput):
        current_rules(slug)
    for page in ("format", "copy", "change", "lists_load"):
        assert browser(make.user()).get(reverse(f"decks:{page}", args=[slug])).status_code == 404
    assert client.get(f"/api/v1/formats/{slug}/").status_code == 404


def test_slugs_are_free_short_and_made_of_the_name(owner: User) -> None:
    names = ["Lega veloce", "LEGA_veloce", "リーグ", "x" * 80, "x" * 80]
    slugs = [
        create_house_format(base="doomtrooper-original", name=name, changes={}, by=owner).slug
        for name in names
    ]
    assert slugs[:3] == [
        "doomtrooper-original_lega-veloce",
        "doomtrooper-original_lega-veloce-2",
        "doomtrooper-original_house",
    ]
    assert len(set(slugs)) == 5
    assert all(len(slug) <= LONGEST_SLUG for slug in slugs)


def test_a_copy_of_a_copy_has_the_same_base(house: HouseFormat, owner: User) -> None:
    again = create_house_format(base=house.slug, name="Altra", changes=house.changes, by=owner)
    assert (again.base, again.slug) == (EXO, "creatures-of-exo_altra")


@pytest.mark.parametrize("name", ["", "  ", "\x00", "—", "x" * 81])
def test_a_name_has_letters_and_an_end(name: str, owner: User) -> None:
    with pytest.raises(BadInput) as refused:
        create_house_format(base=EXO, name=name, changes={}, by=owner)
    assert refused.value.sentence.values["field"] == "name"
    assert not HouseFormat.objects.exists()


def test_only_the_owner_changes_it_and_only_what_they_saw(house: HouseFormat, owner: User) -> None:
    def change(by: User, version: int = 1, **changes: Any) -> HouseFormat:
        return change_house_format(
            slug=house.slug, version=version, name="Lega", changes=changes, by=by
        )

    with pytest.raises(PermissionDenied):
        change(make.user(is_staff=True))
    changed = change(owner, limits={"copies": None})
    assert (changed.version, changed.name, changed.slug) == (2, "Lega", house.slug)
    assert load_format(house.slug).limits()["copies"] is None
    assert load_format(house.slug).zones == FORMATS.get(EXO).zones
    with pytest.raises(RuleError) as stale:
        change(owner)
    assert stale.value.code == "stale"
    assert change(owner, version=2, limits={"copies": None}).version == 2
    assert (pin_format_version(house.slug), pin_format_version(EXO)) == (2, None)
    assert change(owner, version=2, limits={"copies": 5}).version == 3
    began = load_format(f"{house.slug}@2")
    assert (began.key, began.limits()["copies"]) == (house.slug, None)
    assert load_format(house.slug).limits()["copies"] == 5
    assert load_format(f"{house.slug}@0").limits()["copies"] is None, "events of before versions"


def test_who_may_not_make_events_makes_no_formats() -> None:
    with pytest.raises(PermissionDenied):
        create_house_format(
            base=EXO, name="Lega", changes={}, by=make.user(can_create_events=False)
        )


def test_it_follows_the_lists_of_its_base_until_it_has_its_own(
    house: HouseFormat, owner: User
) -> None:
    def banned(slug: str, card: str, owner_id: int | None = None) -> bool:
        rules = current_rules(slug, owner_id=owner_id)
        found = rules.format.validate(parse_decklist(card, rules.format))
        return "card.banned" in {violation.code for violation in found}

    def load(slug: str, card: str, day: int, by: User | None) -> CardListVersion:
        rows = [{"list": "banned", "card": card}]
        for_site = by is None
        dated = date(2027, 1, day)
        return load_lists(slug=slug, rows=rows, dated=dated, for_site=for_site, by=by).version

    load(EXO, "Brace", 1, None)
    assert banned(house.slug, "Brace")
    load(EXO, "Lupo", 2, owner)
    assert banned(house.slug, "Lupo")
    assert not banned(EXO, "Lupo")
    with pytest.raises(PermissionDenied):
        load(house.slug, "Faro", 3, make.user())
    own = load(house.slug, "Faro", 1, owner)
    assert banned(house.slug, "Faro")
    assert not banned(house.slug, "Lupo")
    assert not banned(EXO, "Faro")
    page = Client().get(reverse("decks:format", args=[house.slug])).content.decode()
    assert reverse("decks:lists_version", args=[house.slug, own.pk]) in page
    assert Client().get(f"/formats/{house.slug}/lists/{own.pk}/").status_code == 200
    assert Client().get(f"/formats/{EXO}/lists/{own.pk}/").status_code == 404


def test_labels_and_choices(
    house: HouseFormat, owner: User, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        assert format_labels([EXO]) == {EXO: "Creatures of Exo · Standard"}
    with django_assert_num_queries(1):
        labels = format_labels([EXO, house.slug])
    assert labels[house.slug] == "Creatures of Exo · Lega veloce"
    assert house_format_choices(owner.pk) == [(house.slug, "Creatures of Exo – Lega veloce")]
    assert house_format_choices(make.user().pk) == []
    assert house_format_choices(make.user().pk, house.slug) == house_format_choices(owner.pk)


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
    assert "Main deck: at least 20." in page
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
    pin_format_version(house.slug)
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
