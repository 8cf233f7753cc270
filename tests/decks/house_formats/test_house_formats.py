"""House formats: made, changed and locked; shown and used like any other format."""

from datetime import date
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from accounts.models import User
from decks.card_lists.services import load_lists
from decks.formats.selectors import format_labels, house_choices
from decks.house_formats.services import (
    LONGEST_SLUG,
    begin_with,
    change_house_format,
    make_house_format,
)
from decks.models import CardListVersion, HouseFormat
from decks.rulebook import base_format, deck_format, rules_of
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse
from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.decks.house_formats.conftest import EXO, browser

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def test_a_house_format_is_read_like_any_other(house: HouseFormat) -> None:
    assert house.slug == "creatures-of-exo_lega-veloce"
    shape = deck_format(house.slug)
    assert (shape.key, shape.category, shape.game) == (house.slug, "Lega veloce", EXO)
    assert base_format(house.slug) is FORMATS.get(EXO)
    text = "Leader\n1 Alfa {Leader}\nMain\n20 Brace {Tattica}"
    codes = [v.code for v in shape.validate(parse(text, shape))]
    assert codes == ["copies.too_many"]
    assert "at most 3" in " ".join(map(str, shape.describe()))


@pytest.mark.parametrize("slug", ["chess", "creatures-of-exo_nobody", "_", "chess_club", "_x"])
def test_a_slug_that_nobody_made_is_unknown(slug: str, client: Client) -> None:
    with pytest.raises(BadInput):
        rules_of(slug)
    for page in ("format", "copy", "change", "lists_load"):
        assert browser(make.user()).get(reverse(f"decks:{page}", args=[slug])).status_code == 404
    assert client.get(f"/api/v1/formats/{slug}/").status_code == 404


def test_slugs_are_free_short_and_made_of_the_name(owner: User) -> None:
    names = ["Lega veloce", "LEGA_veloce", "リーグ", "x" * 80, "x" * 80]
    slugs = [
        make_house_format(base="doomtrooper-original", name=name, changes={}, by=owner).slug
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
    again = make_house_format(base=house.slug, name="Altra", changes=house.changes, by=owner)
    assert (again.base, again.slug) == (EXO, "creatures-of-exo_altra")


@pytest.mark.parametrize("name", ["", "  ", "\x00", "—", "x" * 81])
def test_a_name_has_letters_and_an_end(name: str, owner: User) -> None:
    with pytest.raises(BadInput) as refused:
        make_house_format(base=EXO, name=name, changes={}, by=owner)
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
    assert deck_format(house.slug).limits()["copies"] is None
    assert deck_format(house.slug).zones == FORMATS.get(EXO).zones
    with pytest.raises(RuleError) as stale:
        change(owner)
    assert stale.value.code == "stale"
    assert change(owner, version=2, limits={"copies": None}).version == 2
    assert (begin_with(house.slug), begin_with(EXO)) == (2, None)
    assert change(owner, version=2, limits={"copies": 5}).version == 3
    began = deck_format(f"{house.slug}@2")
    assert (began.key, began.limits()["copies"]) == (house.slug, None)
    assert deck_format(house.slug).limits()["copies"] == 5
    assert deck_format(f"{house.slug}@0").limits()["copies"] is None, "events of before versions"


def test_who_may_not_make_events_makes_no_formats() -> None:
    with pytest.raises(PermissionDenied):
        make_house_format(base=EXO, name="Lega", changes={}, by=make.user(can_create_events=False))


def test_it_follows_the_lists_of_its_base_until_it_has_its_own(
    house: HouseFormat, owner: User
) -> None:
    def banned(slug: str, card: str, owner_id: int | None = None) -> bool:
        rules = rules_of(slug, owner_id=owner_id)
        found = rules.format.validate(parse(card, rules.format))
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
    assert house_choices(owner.pk) == [(house.slug, "Creatures of Exo – Lega veloce")]
    assert house_choices(make.user().pk) == []
    assert house_choices(make.user().pk, house.slug) == house_choices(owner.pk)
