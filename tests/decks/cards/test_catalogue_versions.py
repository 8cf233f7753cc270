"""What events began with stays in a catalogue, whatever is loaded later, and nothing else does."""

import pytest

from decks.cards import catalogues
from decks.cards.catalogues import cards_of_version, catalogue_by_id, catalogue_of, resolver
from decks.cards.files import read_cards
from decks.cards.selectors import catalogue_page, game_rows, site_cards
from decks.cards.services import begin_with_cards, drop_cards, forget_former_cards, load_cards
from decks.models import Card, Catalogue, CatalogueVersion
from rules.errors import RuleError
from tests.decks.cards.files import loaded
from tests.factories import user

pytestmark = pytest.mark.django_db

GAME = "thoom"


def load(*names: str, kind: str = "", whole: bool = True, owner: object = None) -> Catalogue:
    """Load cards of these names, and nothing else."""
    rows = "\n".join(["nome;tipo;id", *(f"{name};{kind};{len(name)}" for name in names)])
    cards = read_cards(rows.encode()).cards
    return load_cards(game=GAME, cards=cards, whole=whole, owner=owner).catalogue  # type: ignore[arg-type]


def held(version: CatalogueVersion) -> dict[str, str]:
    """Return the kinds of the cards of a version by their names."""
    index = cards_of_version(version)
    assert index is not None
    return {name: kind for name, _other, kind in map(_parts, index.complete("c", 50))}


def _parts(found):  # type: ignore[no-untyped-def]
    return found.name, found.other, found.kind


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
            version = begin_with_cards(catalogue.pk)
            assert begin_with_cards(catalogue.pk) == version
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
    version = begin_with_cards(catalogue.pk)
    load("Ca", "Cddddd")
    assert site_cards(GAME) == "2"
    assert {row["cards"] for row in game_rows() if row["slug"] == GAME} == {"2"}
    shown = catalogue_page(GAME, None)
    assert [card.name for card in shown["found"] or ()] == ["Ca", "Cddddd"]
    assert shown["catalogues"][0]["cards"] == "2"
    now, then = (
        catalogue_by_id(catalogue.pk, game=GAME, version=at) for at in (None, version.version)
    )
    assert now is catalogue_by_id(catalogue.pk, game=GAME, version=77)
    assert now is catalogue_of(GAME)
    assert (resolver(now)("3"), resolver(then)("3")) == (None, "Cbb")
    assert then is not None
    assert then.loaded_at == catalogue.loaded_at < now.loaded_at  # type: ignore[union-attr, operator]
    assert catalogue_by_id(catalogue.pk, game="yugioh", version=version.version) is None


def test_an_organisers_cards_are_deleted_but_for_what_began_with_them() -> None:
    owner = user()
    site = loaded(GAME, "nome\nSito\n")
    own = load("Ca", "Cbb", owner=owner)
    version = begin_with_cards(own.pk)
    load("Ca", "Cddddd", owner=owner)
    assert drop_cards(game=GAME, owner=owner)
    assert not drop_cards(game=GAME, owner=owner)
    assert catalogue_of(GAME, owner_id=owner.pk).pk == site.pk  # type: ignore[union-attr]
    assert catalogue_by_id(own.pk, game=GAME) is None
    assert sorted(held(version)) == ["Ca", "Cbb"]
    assert sorted(Card.objects.exclude(until=0).values_list("name", flat=True)) == ["Ca", "Cbb"]
    with pytest.raises(RuleError, match="deleted meanwhile"):
        begin_with_cards(own.pk)
    load("Cbb", "Cff", owner=owner)
    assert sorted(held(version)) == ["Ca", "Cbb"]
    assert sorted(held(begin_with_cards(own.pk))) == ["Cbb", "Cff"]


def test_what_no_event_needs_is_forgotten() -> None:
    """No event names these versions: the one of no catalogue stays."""
    owner = user()
    for whose in (None, owner):
        begin_with_cards(load("Ca", "Cbb", owner=whose).pk)
        load("Ca", kind="Aiuto", owner=whose)
    begin_with_cards(None)
    assert drop_cards(game=GAME, owner=owner)
    assert forget_former_cards() == 4
    assert today() == ["Ca"]
    assert Card.objects.count() == 1
    assert [version.catalogue for version in CatalogueVersion.objects.all()] == [None]
    assert [catalogue.owner for catalogue in Catalogue.objects.all()] == [None]
    assert forget_former_cards() == 0
