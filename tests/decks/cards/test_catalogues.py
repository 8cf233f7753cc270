"""Catalogues: which the rules see, and what events that began with one keep of it."""

import pytest

from decks.cards import catalogues
from decks.cards.catalogues import (
    MOST_CACHED,
    card_id_resolver,
    catalogue_by_id,
    catalogue_in_version,
    completion_attributes,
    find_catalogue,
)
from decks.cards.files import read_cards
from decks.cards.selectors import catalogue_context, game_rows, site_card_count
from decks.cards.services import (
    delete_former_cards,
    delete_own_cards,
    load_cards,
    pin_catalogue_version,
)
from decks.checking import check_decklist_text
from decks.models import Card, Catalogue, CatalogueVersion
from decks.rulebook import current_rules
from rules.errors import RuleError
from tests.decks.cards.files import WOLVES, loaded
from tests.factories import user

pytestmark = pytest.mark.django_db

EXO = "creatures-of-exo"


def test_a_list_is_checked_by_the_catalogue_in_either_language() -> None:
    text = "1 wolf queen\nMain\n1 Lupo di Selce\n2 Flint Wolf\n1 Glass Wolf\n1 Lupo di Vetr"
    before = {fault.code for fault in check_decklist_text(current_rules(EXO), text=text).violations}
    assert before & {"card.unknown", "copies.too_many"} == set()
    loaded(EXO)
    found = check_decklist_text(current_rules(EXO), text=text)
    assert [entry.name for entry in found.deck.zone("leader")] == ["wolf queen"]
    said = {fault.code: fault for fault in found.violations}
    assert (said["copies.too_many"].found, said["copies.too_many"].line) == (3, 4)
    assert said["card.unknown"].suggestions[0] == "Lupo di Vetro"
    assert said["kind.unchecked"].found == 1


def test_the_owners_cards_go_before_the_sites() -> None:
    owner, other = user(), user()
    site, own = loaded(EXO), loaded(EXO, "nome\nDrago\n", owner)
    assert own.pk != site.pk
    assert find_catalogue(EXO, owner_id=owner.pk).pk == own.pk  # type: ignore[union-attr]
    assert find_catalogue(EXO, owner_id=other.pk).pk == site.pk  # type: ignore[union-attr]
    assert find_catalogue(EXO).pk == site.pk  # type: ignore[union-attr]
    assert find_catalogue("thoom", owner_id=owner.pk) is None
    assert catalogue_by_id(own.pk, game="thoom") is None
    assert current_rules(EXO, owner_id=owner.pk).catalogue.get("drago") is not None  # type: ignore[union-attr]


def test_what_is_kept_in_memory_is_never_old(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    loaded(EXO)
    with django_assert_num_queries(2):
        first = find_catalogue(EXO)
    with django_assert_num_queries(1):
        assert find_catalogue(EXO) is first
    loaded(EXO, WOLVES)
    assert find_catalogue(EXO) is first
    loaded(EXO, "nome\nDrago\n")
    second = find_catalogue(EXO)
    assert second is not first
    assert (first.get("drago"), second.get("drago").name) == (None, "Drago")  # type: ignore[union-attr]


def test_two_loads_of_one_version_are_two_catalogues() -> None:
    """As when the first of them was never committed."""
    catalogue = loaded(EXO)
    assert find_catalogue(EXO).get("lupo di selce") is not None  # type: ignore[union-attr]
    Card.objects.all().delete()
    catalogue.version = 0
    catalogue.save()
    loaded(EXO, "nome\nDrago\n")
    assert find_catalogue(EXO).get("lupo di selce") is None  # type: ignore[union-attr]


def test_only_a_few_catalogues_stay_in_memory() -> None:
    owners = [user() for _at in range(MOST_CACHED + 1)]
    for owner in owners:
        loaded(EXO, "nome\nDrago\n", owner)
    first = find_catalogue(EXO, owner_id=owners[0].pk)
    for owner in owners[1:]:
        find_catalogue(EXO, owner_id=owner.pk)
    assert find_catalogue(EXO, owner_id=owners[0].pk) is not first


def test_printings_of_one_card_are_one_card() -> None:
    loaded(
        "doomtrooper",
        "nome,nome inglese,tipo,espansione,copie massime\n"
        "Lupo,Wolf,,DT,3\nLupo,,Guerriero,INQ,2\nBrace,Ember,Speciale,DT,\n",
    )
    cards = find_catalogue("doomtrooper")
    assert cards is not None
    wolf, ember = cards.get("wolf"), cards.get("brace")
    assert wolf is cards.get("lupo") is not None
    assert (wolf.kind, wolf.expansion, wolf.max_copies) == ("Guerriero", "", 2)  # type: ignore[union-attr]
    assert (ember.expansion, ember.max_copies) == ("DT", None)  # type: ignore[union-attr]


def test_an_italian_name_goes_before_an_equal_english_one() -> None:
    loaded(EXO, "nome,nome inglese,tipo\nEcho,Sound,Tattica\nEco,Echo,Creatura\n")
    cards = find_catalogue(EXO)
    assert cards is not None
    assert [cards.get(key).kind for key in ("echo", "eco", "sound")] == [  # type: ignore[union-attr]
        *("Tattica", "Creatura", "Tattica")
    ]


def test_near_names_are_offered_in_the_language_that_was_meant() -> None:
    loaded(EXO)
    cards = find_catalogue(EXO)
    assert cards is not None
    assert list(cards.nearest("flint wolv", 3)) == ["Flint Wolf"]
    assert cards.nearest("lupo di selze", 3)[0] == "Lupo di Selce"
    assert list(cards.nearest("regina", 3)) == ["Regina dei Lupi"]
    assert list(cards.nearest("qqqq", 3)) == []


def test_ids_name_cards(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    loaded("yugioh", "nome,id\nDrago,0089631139\nMago,46986414\nSenza,\n")
    resolve = card_id_resolver(find_catalogue("yugioh"))
    with django_assert_num_queries(1):
        assert [resolve(one) for one in ("89631139", "046986414", "1")] == ["Drago", "Mago", None]
    assert card_id_resolver(None)("1") is None


def test_a_text_area_learns_where_to_ask() -> None:
    catalogue = loaded(EXO)
    attributes = completion_attributes(find_catalogue(EXO))
    address = f"/cards/{EXO}/complete/?catalogue={catalogue.pk}&version=1"
    assert attributes["data-complete"] == address
    assert completion_attributes(None) == {}


GAME = "thoom"


def load(*names: str, kind: str = "", whole: bool = True, owner: object = None) -> Catalogue:
    """Load cards of these names, and nothing else."""
    rows = "\n".join(["nome;tipo;id", *(f"{name};{kind};{len(name)}" for name in names)])
    cards = read_cards(rows.encode()).cards
    return load_cards(game=GAME, cards=cards, remove_missing=whole, owner=owner).catalogue  # type: ignore[arg-type]


def held(version: CatalogueVersion) -> dict[str, str]:
    """Return the kinds of the cards of a version by their names."""
    index = catalogue_in_version(version)
    assert index is not None
    return {found["name"]: found["kind"] for found in index.complete("c", 50)}


def today() -> list[str]:
    return list(Card.objects.present().order_by("name").values_list("name", flat=True))


def test_each_version_that_is_kept_holds_what_it_held() -> None:
    """Cards that come, change, go and come back, with versions of which nobody needs any."""
    loads = (
        (("Ca", "Cbb", "Cccc"), "Mostro", True),
        (("Ca", "Cbb"), "Mostro", False),
        (("Ca", "Cbb"), "Aiuto", True),
        (("Ca",), "Mostro", False),
        (("Cbb", "Cddddd"), "Mostro", True),
        (("Ca", "Cbb", "Cccc", "Cddddd"), "Mostro", True),
    )
    kept: list[tuple[CatalogueVersion, dict[str, str]]] = []
    for at, (names, kind, whole) in enumerate(loads):
        catalogue = load(*names, kind=kind, whole=whole)
        if at in (0, 3, 4):
            version = pin_catalogue_version(catalogue.pk)
            assert pin_catalogue_version(catalogue.pk) == version
            kept.append((version, held(version)))
    assert [sorted(cards.items()) for _version, cards in kept] == [
        [("Ca", "Mostro"), ("Cbb", "Mostro"), ("Cccc", "Mostro")],
        [("Ca", "Mostro"), ("Cbb", "Aiuto")],
        [("Cbb", "Mostro"), ("Cddddd", "Mostro")],
    ]
    catalogues._kept.clear()
    assert [held(version) for version, _cards in kept] == [cards for _version, cards in kept]
    assert today() == ["Ca", "Cbb", "Cccc", "Cddddd"]
    written = Card.objects.count()
    load("Ca", "Cbb", "Cccc", "Cddddd", kind="Mostro")
    assert Card.objects.count() == written


def test_without_an_event_a_load_leaves_nothing_of_the_former_one() -> None:
    load("Ca", "Cbb", kind="Mostro")
    load("Ca", "Cbb", kind="Aiuto")
    load("Ca", kind="Aiuto")
    assert [(card.name, card.until) for card in Card.objects.all()] == [("Ca", 0)]


def test_pages_show_the_cards_of_today_and_lists_ask_for_those_of_the_version() -> None:
    catalogue = load("Ca", "Cbb")
    version = pin_catalogue_version(catalogue.pk)
    load("Ca", "Cddddd")
    assert site_card_count(GAME) == "2"
    assert {row["cards"] for row in game_rows() if row["slug"] == GAME} == {"2"}
    shown = catalogue_context(GAME, None)
    assert [card.name for card in shown["found"] or ()] == ["Ca", "Cddddd"]
    assert shown["catalogues"][0]["cards"] == "2"
    now, then = (
        catalogue_by_id(catalogue.pk, game=GAME, version=at) for at in (None, version.version)
    )
    assert now is catalogue_by_id(catalogue.pk, game=GAME, version=77)
    assert now is find_catalogue(GAME)
    assert (card_id_resolver(now)("3"), card_id_resolver(then)("3")) == (None, "Cbb")
    assert then is not None
    assert then.loaded_at == catalogue.loaded_at < now.loaded_at  # type: ignore[union-attr, operator]
    assert catalogue_by_id(catalogue.pk, game="yugioh", version=version.version) is None


def test_an_organisers_cards_are_deleted_but_for_what_began_with_them() -> None:
    owner = user()
    site = loaded(GAME, "nome\nSito\n")
    own = load("Ca", "Cbb", owner=owner)
    version = pin_catalogue_version(own.pk)
    load("Ca", "Cddddd", owner=owner)
    assert delete_own_cards(game=GAME, owner=owner)
    assert not delete_own_cards(game=GAME, owner=owner)
    assert find_catalogue(GAME, owner_id=owner.pk).pk == site.pk  # type: ignore[union-attr]
    assert catalogue_by_id(own.pk, game=GAME) is None
    assert sorted(held(version)) == ["Ca", "Cbb"]
    assert sorted(Card.objects.exclude(until=0).values_list("name", flat=True)) == ["Ca", "Cbb"]
    with pytest.raises(RuleError, match="no longer possible"):
        pin_catalogue_version(own.pk)
    load("Cbb", "Cff", owner=owner)
    assert sorted(held(version)) == ["Ca", "Cbb"]
    assert sorted(held(pin_catalogue_version(own.pk))) == ["Cbb", "Cff"]


def test_what_no_event_needs_is_forgotten() -> None:
    """No event names these versions: the one of no catalogue stays."""
    owner = user()
    for whose in (None, owner):
        pin_catalogue_version(load("Ca", "Cbb", owner=whose).pk)
        load("Ca", kind="Aiuto", owner=whose)
    pin_catalogue_version(None)
    assert delete_own_cards(game=GAME, owner=owner)
    assert delete_former_cards() == 4
    assert today() == ["Ca"]
    assert Card.objects.count() == 1
    assert [version.catalogue for version in CatalogueVersion.objects.all()] == [None]
    assert [catalogue.owner for catalogue in Catalogue.objects.all()] == [None]
    assert delete_former_cards() == 0
