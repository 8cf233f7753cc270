"""The catalogue that the rules see: whose, in which language, and never an old one."""

import pytest

from decks.cards.catalogues import (
    MOST_CACHED,
    catalogue_by_id,
    catalogue_of,
    complete_attributes,
    resolver,
)
from decks.checking import check_text
from decks.models import Card
from decks.rulebook import rules_of
from tests.decks.cards.files import WOLVES, loaded
from tests.factories import user

pytestmark = pytest.mark.django_db

EXO = "creatures-of-exo"


def test_a_list_is_checked_by_the_catalogue_in_either_language() -> None:
    text = "1 wolf queen\nMain\n1 Lupo di Selce\n2 Flint Wolf\n1 Glass Wolf\n1 Lupo di Vetr"
    before = {fault.code for fault in check_text(rules_of(EXO), text=text).violations}
    assert before & {"card.unknown", "copies.too_many"} == set()
    loaded(EXO)
    found = check_text(rules_of(EXO), text=text)
    assert [entry.name for entry in found.deck.zone("leader")] == ["wolf queen"]
    said = {fault.code: fault for fault in found.violations}
    assert (said["copies.too_many"].found, said["copies.too_many"].line) == (3, 4)
    assert said["card.unknown"].suggestions[0] == "Lupo di Vetro"
    assert said["kind.unchecked"].found == 1


def test_the_owners_cards_go_before_the_sites() -> None:
    owner, other = user(), user()
    site, own = loaded(EXO), loaded(EXO, "nome\nDrago\n", owner)
    assert own.pk != site.pk
    assert catalogue_of(EXO, owner_id=owner.pk).pk == own.pk  # type: ignore[union-attr]
    assert catalogue_of(EXO, owner_id=other.pk).pk == site.pk  # type: ignore[union-attr]
    assert catalogue_of(EXO).pk == site.pk  # type: ignore[union-attr]
    assert catalogue_of("thoom", owner_id=owner.pk) is None
    assert catalogue_by_id(own.pk, game="thoom") is None
    assert rules_of(EXO, owner_id=owner.pk).catalogue.get("drago") is not None  # type: ignore[union-attr]


def test_what_is_kept_in_memory_is_never_old(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    loaded(EXO)
    with django_assert_num_queries(2):
        first = catalogue_of(EXO)
    with django_assert_num_queries(1):
        assert catalogue_of(EXO) is first
    loaded(EXO, WOLVES)
    assert catalogue_of(EXO) is first
    loaded(EXO, "nome\nDrago\n")
    second = catalogue_of(EXO)
    assert second is not first
    assert (first.get("drago"), second.get("drago").name) == (None, "Drago")  # type: ignore[union-attr]


def test_two_loads_of_one_version_are_two_catalogues() -> None:
    """As when the first of them was never committed."""
    catalogue = loaded(EXO)
    assert catalogue_of(EXO).get("lupo di selce") is not None  # type: ignore[union-attr]
    Card.objects.all().delete()
    catalogue.version = 0
    catalogue.save()
    loaded(EXO, "nome\nDrago\n")
    assert catalogue_of(EXO).get("lupo di selce") is None  # type: ignore[union-attr]


def test_only_a_few_catalogues_stay_in_memory() -> None:
    owners = [user() for _at in range(MOST_CACHED + 1)]
    for owner in owners:
        loaded(EXO, "nome\nDrago\n", owner)
    first = catalogue_of(EXO, owner_id=owners[0].pk)
    for owner in owners[1:]:
        catalogue_of(EXO, owner_id=owner.pk)
    assert catalogue_of(EXO, owner_id=owners[0].pk) is not first


def test_printings_of_one_card_are_one_card() -> None:
    loaded(
        "doomtrooper",
        "nome,nome inglese,tipo,espansione,copie massime\n"
        "Lupo,Wolf,,DT,3\nLupo,,Guerriero,INQ,2\nBrace,Ember,Speciale,DT,\n",
    )
    cards = catalogue_of("doomtrooper")
    assert cards is not None
    wolf, ember = cards.get("wolf"), cards.get("brace")
    assert wolf is cards.get("lupo") is not None
    assert (wolf.kind, wolf.expansion, wolf.max_copies) == ("Guerriero", "", 2)  # type: ignore[union-attr]
    assert (ember.expansion, ember.max_copies) == ("DT", None)  # type: ignore[union-attr]


def test_an_italian_name_goes_before_an_equal_english_one() -> None:
    loaded(EXO, "nome,nome inglese,tipo\nEcho,Sound,Tattica\nEco,Echo,Creatura\n")
    cards = catalogue_of(EXO)
    assert cards is not None
    assert [cards.get(key).kind for key in ("echo", "eco", "sound")] == [  # type: ignore[union-attr]
        *("Tattica", "Creatura", "Tattica")
    ]


def test_near_names_are_offered_in_the_language_that_was_meant() -> None:
    loaded(EXO)
    cards = catalogue_of(EXO)
    assert cards is not None
    assert list(cards.nearest("flint wolv", 3)) == ["Flint Wolf"]
    assert cards.nearest("lupo di selze", 3)[0] == "Lupo di Selce"
    assert list(cards.nearest("regina", 3)) == ["Regina dei Lupi"]
    assert list(cards.nearest("qqqq", 3)) == []


def test_ids_name_cards(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    loaded("yugioh", "nome,id\nDrago,0089631139\nMago,46986414\nSenza,\n")
    resolve = resolver(catalogue_of("yugioh"))
    with django_assert_num_queries(1):
        assert [resolve(one) for one in ("89631139", "046986414", "1")] == ["Drago", "Mago", None]
    assert resolver(None)("1") is None


def test_a_text_area_learns_where_to_ask() -> None:
    catalogue = loaded(EXO)
    attributes = complete_attributes(catalogue_of(EXO))
    address = f"/cards/{EXO}/complete/?catalogue={catalogue.pk}&version=1"
    assert attributes["data-complete"] == address
    assert complete_attributes(None) == {}
