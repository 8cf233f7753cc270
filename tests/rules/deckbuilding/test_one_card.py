"""One card under several names: faces, persons in brackets, symbols, quotes."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.card_lists import CardLists, ListedCard
from rules.deckbuilding.catalogue import CardFacts, canonical_name
from rules.deckbuilding.data.formats import apply_card_lists, format_from_rules
from rules.deckbuilding.data.json import rules_from_json
from rules.deckbuilding.deck import Violation
from rules.deckbuilding.deck_json import deck_from_json
from rules.deckbuilding.exchange import check_exchange
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.moves import exchange_by_new_deck
from rules.deckbuilding.text import parse_decklist
from rules.names import card_key, name_key
from tests.rules.deckbuilding.reading import MAGIC, POKEMON, READY, cards

SWU, LORCANA = READY["star-wars-unlimited"], READY["lorcana"]


def too_many(shape: DeckFormat, *lines: str, **known: object) -> list[tuple[str, int | None]]:
    """Return the cards of a list of which there are too many, with their number."""
    faults = shape.validate(parse_decklist("\n".join(lines), shape), **known)  # type: ignore[arg-type]
    return [(one.card or "", one.found) for one in faults if one.code == "copies.too_many"]


FACES = ["Fire // Ice", "Fire/Ice", "Fire / Ice", "Fire//Ice", "Fire /// Ice", "FIRE //ice"]


def test_faces_are_one_card_however_they_are_parted() -> None:
    assert len({card_key(name) for name in FACES}) == 1
    (entry,) = parse_decklist("\n".join(f"1 {name}" for name in FACES), MAGIC).zone("main")
    assert (entry.count, entry.name) == (len(FACES), "Fire // Ice")
    assert too_many(MAGIC, "3 Fire // Ice (APC) 128", "2 Fire/Ice") == [("Fire // Ice", 5)]


@pytest.mark.parametrize("name", ["Fire", "Ice // Fire", "Fire // Water", "Fireice", "Fire-Ice"])
def test_other_names_are_other_cards(name: str) -> None:
    assert card_key(name) != card_key("Fire // Ice")


@given(st.text(st.sampled_from("a /'B"), max_size=12))
def test_the_key_of_a_key_is_the_key(name: str) -> None:
    key = card_key(name)
    assert card_key(key) == key


def test_faces_in_json_are_one_card() -> None:
    zones = {"main": [{"name": "Fire // Ice", "count": 3}, {"name": "Fire/Ice *F*", "count": 2}]}
    faults = MAGIC.validate(deck_from_json(zones, MAGIC))
    assert [(one.code, one.found) for one in faults if one.zone is None] == [("copies.too_many", 5)]


def test_quotes_around_the_whole_name_are_no_part_of_it() -> None:
    assert card_key("“Ach! Hans, Run!”") == card_key("Ach! Hans, Run!")
    assert card_key("'Lupo' e Orso") == name_key("'Lupo' e Orso")
    assert card_key("''") == name_key("''")


def test_a_card_may_be_called_by_its_front_face() -> None:
    lines = ("4 Delver of Secrets", "SB: 2 Delver of Secrets // Insectile Aberration")
    assert too_many(MAGIC, *lines) == [("Delver of Secrets", 6)]
    assert too_many(POKEMON, *lines) == []
    assert too_many(MAGIC, "4 Delver of Secrets", "4 Insectile Aberration") == []


def test_what_a_catalogue_knows_as_two_cards_stays_two() -> None:
    lines = ("4 Bind", "4 Bind // Liberate")
    bind, both = CardFacts(name="Bind"), CardFacts(name="Bind // Liberate")
    assert too_many(MAGIC, *lines) == [("Bind", 8)]
    assert too_many(MAGIC, *lines, catalogue=cards(bind, both)) == []
    assert too_many(MAGIC, *lines, catalogue=cards(bind)) == [("Bind", 8)]


def banning(name: str, shape: DeckFormat = MAGIC) -> DeckFormat:
    """Return a format with a list that bans a card."""
    return apply_card_lists(shape, CardLists(cards={"banned": (ListedCard(name=name),)}))


@pytest.mark.parametrize("listed", ["Delver of Secrets", "Delver of Secrets/Insectile Aberration"])
@pytest.mark.parametrize(
    "written", ["1 Delver of Secrets", "1 Delver of Secrets // Insectile Aberration"]
)
def test_a_list_bans_a_card_by_any_notation(listed: str, written: str) -> None:
    deck = parse_decklist(
        f"{written}\n1 Delver of Secrets\n1 Delver of Secrets/Insectile Aberration", MAGIC
    )
    codes = {one.code for one in banning(listed).validate(deck)}
    assert "card.banned" in codes


PERSONS = [
    *("Boss's Orders", "Boss's Orders PAL 172", "Boss's Orders (Ghetsis) PAL 172 PH"),
    *("Boss's Orders (Giovanni)", "Boss’s Orders (Cyrus) (BRS) 132"),
]


def test_persons_in_brackets_are_one_card() -> None:
    assert too_many(POKEMON, *(f"1 {name}" for name in PERSONS)) == [("Boss's Orders", 5)]
    research = [
        f"2 Professor's Research{person}" for person in ("", " (Oak)", " (Professor Sada) SVI 189")
    ]
    assert too_many(POKEMON, *research) == [("Professor's Research", 6)]
    italian = (
        "2 Ordini del Capo (Ghetsis) PAL 172",
        "1 Boss's Orders",
        "2 Ordini del Capo PAL 265",
    )
    assert too_many(POKEMON, *italian) == [("Ordini del Capo (Ghetsis)", 5)]
    assert too_many(MAGIC, "3 Boss's Orders", "3 Boss's Orders (Ghetsis) (PAL) 1") == []


def test_a_catalogue_of_persons_knows_the_card_by_any_of_them() -> None:
    keys = tuple(map(card_key, ("Boss's Orders", "Boss's Orders (Ghetsis)")))
    known = cards(CardFacts(name="Boss's Orders", keys=keys))
    deck = parse_decklist("3 Boss's Orders (Ghetsis)\n3 Boss's Orders PAL 265", POKEMON)
    codes = [one.code for one in POKEMON.validate(deck, known)]
    assert codes == ["zone.too_few", "copies.too_many"]


def test_energy_by_its_symbol_is_basic_energy() -> None:
    known = cards(CardFacts(name="Basic Lightning Energy"), CardFacts(name="Water Energy"))
    lines = ("20 Basic {L} Energy SVE 4", "20 Lightning Energy", "20 Basic {W} Energy Energy 3")
    deck = parse_decklist("\n".join(lines), POKEMON)
    assert POKEMON.validate(deck, known) == ()
    (entry,) = parse_decklist("* 20 Lightning Energy  4", POKEMON).zone("deck")  # of PTCGO: no set
    assert (entry.name, entry.number) == ("Lightning Energy", "4")
    assert too_many(POKEMON, "20 Basic {X} Energy") == [("Basic {X} Energy", 20)]
    assert [one.code for one in banning("Water Energy", POKEMON).validate(deck)] == ["card.banned"]


def test_a_subtitle_in_any_notation_is_the_version() -> None:
    ways = [
        *("1 Luke Skywalker [Faithful Friend]", "1 | Luke Skywalker | Faithful Friend"),
        *("1 Luke Skywalker, Faithful Friend", "1 Luke Skywalker - Faithful Friend"),
    ]
    assert [found for _name, found in too_many(SWU, "Main deck", *ways)] == [4]
    assert too_many(SWU, "Main deck", *ways[:3], "1 Luke Skywalker [Jedi Knight]") == []
    assert [found for _name, found in too_many(LORCANA, *ways, "1 Luke Skywalker")] == []
    assert [found for _name, found in too_many(LORCANA, *ways, ways[0])] == [5]


def exchanged(registered: str, table: str) -> Sequence[Violation]:
    decks = [parse_decklist(text, MAGIC) for text in (registered, table)]
    shape, _known = MAGIC.knowing(decks, None)
    return check_exchange(shape, decks[0], exchange_by_new_deck(shape, *decks))


def test_what_is_on_the_table_may_be_written_otherwise_than_in_the_list() -> None:
    registered = "Main\n60 Island\n4 Delver of Secrets\nSide\n4 Fire // Ice"
    table = "Main\n60 Island\n4 Delver of Secrets // Insectile Aberration\nSide\n4 Fire/Ice"
    assert exchanged(registered, table) == ()
    assert [one.code for one in exchanged(registered, table.replace("Ice", "Water"))] == [
        "exchange.not_in_list"
    ]


def test_brackets_that_a_catalogue_knows_as_part_of_a_name_are_part_of_it() -> None:
    names = ["Erase", "Erase (Not the Urza's Legacy One)", "Plains", "Plains (331)"]
    known = cards(*(CardFacts(name=name) for name in names))
    lines = [
        "4 Erase (ULG) 6",
        "4 Erase (Not the Urza's Legacy One)",
        "4 Plains (331)",
        "1 Foo (a)",
    ]
    assert too_many(MAGIC, *lines, catalogue=known) == []
    assert too_many(MAGIC, *lines) == [("Erase", 8)]
    deck = parse_decklist("\n".join(lines), MAGIC)
    unknown = [one.card for one in MAGIC.validate(deck, known) if one.code == "card.unknown"]
    assert unknown == ["Foo"]


def same(*names: str) -> DeckFormat:
    """Return a format with four copies, in which these names are one card."""
    rules = {
        "zones": [{"key": "main"}],
        "copies": {"max": 4, "own": {"Wolf": 6}, "unlimited": ["Bear"]},
        "notation": {"same_cards": [list(names)]},
    }
    return format_from_rules(rules_from_json(rules), key="a", game="a", game_name="A", name="A")


def test_names_of_one_card_are_data_of_a_game() -> None:
    assert too_many(same("Lupo", "Wolf"), "4 Lupo", "2 Wolf") == [("Lupo", 6)]
    assert too_many(same("Wolf", "Lupo"), "4 Lupo", "2 Wolf") == []
    assert too_many(same("Bear", "Orso * nero"), "9 Orso del bosco nero") == []
    assert too_many(same("Bear", "Orso * nero"), "9 Orso nero") == [("Orso nero", 9)]
    notation = same("Bear", "Orso * nero").notation
    assert [canonical_name(name, notation) for name in ("ORSO molto nero", "Lupo")] == [
        "Bear",
        "Lupo",
    ]
