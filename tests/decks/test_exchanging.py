"""An exchange by the rules that hold: the catalogue's kinds, a card in two languages."""

from decks.checking import check_exchange_by_moves, check_exchange_by_new_deck
from decks.rulebook import DeckRules
from rules.deckbuilding.catalogue import CardFacts
from rules.deckbuilding.deck import Deck, DeckEntry
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse_decklist
from tests.rules.deckbuilding.reading import bilingual, cards

EXO = FORMATS.get("creatures-of-exo")
MAIN = "\n".join(f"2 Lupo {letter}" for letter in "abcdefghijklmn")
CATALOGUE = cards(
    CardFacts(name="Re", kind="Leader"),
    CardFacts(name="Regina", kind="Leader"),
    bilingual("Scudo", "Shield", kind="Tattica"),
    bilingual("Brace", "Ember", kind="Creatura"),
    *(CardFacts(name=f"Lupo {letter}", kind="Creatura") for letter in "abcdefghijklmn"),
)
RULES = DeckRules(format=EXO, catalogue=CATALOGUE)
REGISTERED = parse_decklist(f"Leader\n1 Re\nMain\n{MAIN}\n2 Brace\nSide\n1 Scudo\n1 Regina", EXO)


def deck(**zones: str) -> Deck:
    return Deck(zones={key: (DeckEntry(name=name),) for key, name in zones.items()})


def test_a_card_may_be_named_in_another_language() -> None:
    out, into = deck(main="Ember"), deck(main="SHIELD")
    moved = check_exchange_by_moves(
        RULES, registered=REGISTERED, out=out, into=into, games_played=1
    )
    assert moved.violations == ()
    assert moved.legal
    table = Deck(zones={**moved.deck.zones, "side": ()})
    assert check_exchange_by_new_deck(RULES, registered=REGISTERED, table=table).violations == ()


def test_the_catalogue_says_where_a_card_may_be() -> None:
    out, into = deck(main="Brace"), deck(main="Regina")
    faults = check_exchange_by_moves(RULES, registered=REGISTERED, out=out, into=into).violations
    assert [(fault.code, fault.card) for fault in faults] == [("kind.wrong_zone", "Regina")]


def test_a_card_from_the_side_finds_its_home_by_the_catalogue() -> None:
    out, into = deck(leader="Re"), deck(side="Regina")
    moved = check_exchange_by_moves(RULES, registered=REGISTERED, out=out, into=into)
    assert moved.violations == ()
    assert moved.deck.zone("leader")[0].name == "Regina"
