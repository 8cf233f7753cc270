"""The invented cards of the demo: every sample list is known to them, and stays legal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.cards.index import CardIndex
from decks.cards.samples import sample_cards, sample_catalogue
from decks.checking import check_text
from decks.decklists.samples import sample_deck
from decks.labels import games
from decks.models import Card, Catalogue
from decks.rulebook import DeckRules, deck_format
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.zones import find_kind
from tournaments.demo import demo_cards

FIELDS = (
    *("key", "key_en", "name", "name_en", "kind", "genus", "expansion", "max_copies"),
    *("other_names", "legal_in"),
)


def index(game: str) -> CardIndex:
    return CardIndex(
        1,
        game,
        [
            tuple(getattr(card, field) for field in FIELDS)  # type: ignore[misc]
            for card in sorted(sample_catalogue(game), key=lambda card: card.key)
        ],
    )


INDEXES = {game: index(game) for game in games()}


@pytest.mark.parametrize("game", list(games()))
def test_each_game_has_some_cards_of_kinds_that_it_knows(game: str) -> None:
    cards = sample_cards(game)
    assert 60 <= len(cards) <= 150
    assert len({card.name for card in cards} | {card.name_en for card in cards}) == 2 * len(cards)
    if game != "doomtrooper":
        kinds = next(known.kinds for known in FORMATS if known.game == game)
        assert all(find_kind(kinds, card.kind) for card in cards)


def test_no_name_stands_for_cards_of_two_games() -> None:
    names = [card.name for game in games() for card in sample_cards(game)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("key", FORMATS.keys())
@given(number=st.integers(0, 300))
def test_sample_lists_are_legal_by_the_cards_too(key: str, number: int) -> None:
    shape = deck_format(key)
    rules = DeckRules(format=shape, catalogue=INDEXES[shape.game])
    assert check_text(rules, text=sample_deck(key, number)).violations == ()


@pytest.mark.parametrize("key", FORMATS.keys())
def test_the_cards_make_written_kinds_unnecessary(key: str) -> None:
    shape = deck_format(key)
    rules = DeckRules(format=shape, catalogue=INDEXES[shape.game])
    bare = "\n".join(line.partition(" {")[0] for line in sample_deck(key, 3).splitlines())
    assert check_text(rules, text=bare).violations == ()


@pytest.mark.django_db
def test_the_demo_leaves_cards_alone_that_the_site_has() -> None:
    real = Catalogue.objects.create(game="thoom", version=1)
    demo_cards()
    demo_cards()
    assert set(Catalogue.objects.values_list("game", flat=True)) == set(games())
    assert set(Catalogue.objects.values_list("version", flat=True)) == {1}
    assert not Card.objects.filter(catalogue=real).exists()
