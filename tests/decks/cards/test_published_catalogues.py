"""Catalogues as their publishers offer them, and the invented cards of the demo."""

import json
import tracemalloc
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decks.cards.files import CardData, cards_as_csv, read_cards
from decks.cards.index import CardIndex
from decks.cards.published.reading import MOST_OF_A_CARD, ReadLimiter, read_catalogue
from decks.checking import check_decklist_text
from decks.decklists.samples import sample_cards, sample_deck
from decks.labels import game_labels
from decks.rulebook import DeckRules
from decks.stored_formats import load_format
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.zones import find_kind
from rules.errors import BadInput
from tests.decks.cards.files import WOLVES, as_xlsx, sample_catalogue
from tests.decks.cards.published_files import as_json, by_set, duel, magic, pocket, read


def named(cards: tuple[CardData, ...]) -> list[str]:
    return [card.name for card in cards]


def test_scryfall_cards_have_their_kind_and_where_they_are_legal() -> None:
    ring = magic("Sol Ring", "vintage=restricted commander", type_line="Artifact")
    bear = magic("Frost Bear", "", type_line="Snow Artifact Creature — Bear")
    found = read([ring, bear], packed=True)
    assert found.source == "Scryfall"
    assert [(card.name, card.kind, card.legal_in) for card in found.cards] == [
        ("Sol Ring", "Artifact", "commander, vintage: 1"),
        ("Frost Bear", "Creature", "-"),
    ]


def test_tokens_art_and_what_is_only_digital_are_no_cards() -> None:
    left_out = [
        *(magic("Goblin", layout=layout) for layout in ("token", "emblem", "art_series")),
        magic("A-Goblin", digital=True),
        magic("Goblin of Arena", games=["arena"]),
        magic("Gobelin", lang="fr"),
    ]
    assert named(read([*left_out, magic("Goblin Guide")]).cards) == ["Goblin Guide"]


def test_each_face_finds_the_card_and_two_equal_sides_are_one() -> None:
    split = magic("Fire // Ice", layout="split", card_faces=[{"name": "Fire"}, {"name": "Ice"}])
    sides = [{"name": "Swamp"}, {"name": "Swamp"}]
    both = magic("Swamp // Swamp", layout="reversible_card", card_faces=sides)
    one, other = read([split, both]).cards
    assert (one.name, one.other_names) == ("Fire // Ice", "Fire|Ice")
    assert (other.name, other.other_names) == ("Swamp", "")


def test_italian_and_english_printings_are_one_card() -> None:
    faces = [{"name": "Fire", "printed_name": "Fuoco"}, {"name": "Ice", "printed_name": "Ghiaccio"}]
    cards = [
        magic("Lightning Bolt", lang="it", printed_name="Fulmine"),
        magic("Lightning Bolt"),
        magic("Bolt", lang="it", printed_name="Fulmine"),
        magic("Fire // Ice", lang="it", card_faces=faces),
        magic("Goblin", lang="it", printed_name="Folletto", released_at="1994-04-01"),
        magic("Goblin", lang="it", printed_name="Goblin Nuovo", released_at="2024-04-01"),
    ]
    found = {card.name_en or card.name: card for card in read(cards).cards}
    assert named(tuple(found.values())) == ["Fulmine", "Bolt", "Fuoco // Ghiaccio", "Goblin Nuovo"]
    assert found["Bolt"].other_names == "Fulmine"  # another card has that name already
    assert found["Fire // Ice"].other_names == "Fire|Ice|Fuoco|Ghiaccio"


def test_names_of_other_worlds_find_the_card() -> None:
    faces = [
        {"name": "Fire", "flavor_name": "Flame"},
        {"name": "Ice", "flavor_name": "Snow"},
    ]
    cards = [
        magic("Zilortha"),
        magic("Zilortha", flavor_name="Godzilla"),
        magic("Zilortha", lang="it", printed_name="Zilortha, Forza", flavor_name="Godzilla, Re"),
        magic("Fire // Ice", card_faces=faces),
    ]
    one, split = read(cards).cards
    assert (one.name, one.name_en) == ("Zilortha, Forza", "Zilortha")
    assert one.other_names == "Godzilla|Godzilla, Re"
    assert split.other_names == "Fire|Ice|Flame // Snow|Flame|Snow"


def test_yugioh_cards_have_every_id_and_their_banned_list() -> None:
    dragon = duel(
        89631139,
        "Blue-Eyes",
        frameType="normal_pendulum",
        card_images=[{"id": 89631139}, {"id": 89631140}],
        banlist_info={"ban_tcg": "Semi-Limited", "ban_goat": "Limited"},
        misc_info=[{"formats": ["TCG", "GOAT", "Master Duel"]}],
    )
    pot = duel(55144522, "Pot", frameType="spell", banlist_info={"ban_tcg": "Forbidden"})
    token = duel(1, "Sheep", frameType="token")
    found = read({"data": [dragon, pot, token]})
    assert found.source == "YGOPRODeck"
    assert [(card.kind, card.legal_in) for card in found.cards] == [
        ("Monster", "goat: 1, master duel, tcg: 2"),
        ("Spell", "ocg"),
        ("Token", "-"),
    ]
    assert found.cards[0].attributes == {"id": "89631139 89631140"}


def test_pokemon_printings_have_the_code_of_their_set_and_their_number() -> None:
    content = by_set(
        base1=[pocket("base1-58", "Pikachu"), pocket("base1-4", "Charizard", "unlimited")],
        sv3pt5=[pocket("sv3pt5-25", "Pikachu", "standard expanded")],
        sets=[{"id": "sv3pt5", "name": "151", "ptcgoCode": "MEW"}, {"id": "base1"}],
    )
    found = read(content)
    assert found.source == "Pokémon TCG"
    assert [(card.name, card.expansion, card.number) for card in found.cards] == [
        ("Pikachu", "BASE1", "58"),
        ("Charizard", "BASE1", "4"),
        ("Pikachu", "MEW", "25"),
    ]
    assert found.cards[2].legal_in == "expanded, standard"
    inside = {"id": "swsh1-1", "set": {"id": "swsh1"}, "name": "Celebi V"}
    assert read([pocket("", "x") | inside]).cards[0].expansion == "SWSH1"


def test_a_number_that_is_a_whole_number_is_its_text() -> None:
    told = [pocket("base1-58", "Pikachu", number=58), pocket("base1-4", "Mew", number="4a")]
    assert [card.number for card in read(by_set(base1=told)).cards] == ["58", "4a"]
    for wrong in (True, 5.5, -1, ["58"]):
        with pytest.raises(BadInput):
            read(by_set(base1=[pocket("base1-58", "Pikachu", number=wrong)]))


def test_persons_and_basic_energy_are_one_pokemon_card() -> None:
    printed = [
        *("Boss's Orders (Ghetsis)", "Boss's Orders (Cyrus)", "Boss's Orders"),
        *("Fire Energy", "Basic Fire Energy"),
    ]
    pockets = [pocket(f"sv-{at}", name) for at, name in enumerate(printed)]
    assert [(card.name, card.other_names) for card in read(pockets).cards] == [
        ("Boss's Orders", "Boss's Orders (Ghetsis)"),
        ("Boss's Orders", "Boss's Orders (Cyrus)"),
        ("Boss's Orders", ""),
        ("Basic Fire Energy", "Fire Energy"),
        ("Basic Fire Energy", ""),
    ]


def test_what_was_read_stays_the_same_as_a_table() -> None:
    cards = (
        *read([magic("Fire // Ice", card_faces=[{"name": "Fire"}, {"name": "Ice"}])]).cards,
        *read([magic("Nowhere", "")]).cards,
        *read({"data": [duel(7, "Pot")]}).cards,
        *read(by_set(base1=[pocket("base1-58", "Pikachu")])).cards,
        *read_cards(WOLVES.encode()).cards,
    )
    assert read_cards(cards_as_csv(cards)).cards == cards


def test_tables_and_workbooks_are_read_as_before() -> None:
    rows = [line.split(";") for line in WOLVES.splitlines()]
    for content in (WOLVES.encode(), as_xlsx(rows)):
        assert named(read(content).cards)[0] == "Lupo di Selce"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([{"object": "set", "name": "Alpha"}], "Unknown JSON"),
        ([], "Unknown JSON"),
        ({"cards": [magic("Bear")]}, "Unknown JSON"),
        ([magic("Bear"), 7], "damaged after card 1"),
        ([magic("Bear"), magic("")], "damaged after card 1"),
        ([magic("Bear", legalities="all")], "damaged after card 0"),
        ([magic("Bear", card_faces=[7])], "damaged after card 0"),
        ([magic("B" * 161)], "Unknown JSON"),
        ({"data": [duel(7, "Pot", card_images=[{"id": "x"}])]}, "damaged after card 0"),
        (by_set(base1=[magic("Bear")]), "damaged after card 0"),
        (as_json([magic("Bear")] * 3)[:-40], "after card 2"),
        (as_json([magic("Bear")]) + b"]", "damaged after card"),
        (b'[{"a": NaN}]', "after card 0"),
        (b"[" * 3_000, "after card 0"),
        (b"[" * 200_000, "Unknown JSON"),
        (
            as_json([*[magic("Bear")] * 200, magic("Wolf", oracle_text="[" * 200_000)]),
            "damaged after card",
        ),
        (b'[{"a": "' + b"x" * (MOST_OF_A_CARD + 9) + b'"}]', "Unknown JSON"),
        ([magic("Bear", layout="token")], "The file has no cards"),
    ],
)
def test_what_is_no_catalogue_is_refused_in_words(content: Any, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        read(content, most=10 * MOST_OF_A_CARD)
    assert said in str(refused.value)


def test_a_damaged_archive_and_too_large_a_file_are_refused() -> None:
    whole = as_json([magic(f"Bear {at}") for at in range(50)])
    with pytest.raises(BadInput) as refused:
        read_catalogue(BytesIO(b"\x1f\x8b\x08" + bytes(40)), meter=ReadLimiter(most=9_000))
    assert "damaged after card 0" in str(refused.value)
    with pytest.raises(BadInput) as refused:
        read(whole, most=len(whole) - 1, packed=True)
    assert refused.value.code == "file_too_large"


def test_a_file_is_read_in_the_memory_of_its_names() -> None:
    """Ten megabytes of cards whose texts nobody needs, with the same forty names."""
    card = json.dumps(magic("Bear", oracle_text="x" * 25_000))
    lines = ",".join(card.replace("Bear", f"Bear {at % 40}") for at in range(400))
    file = BytesIO(f"[{lines}]".encode())
    del lines
    tracemalloc.start()
    found = read_catalogue(file, meter=ReadLimiter(most=20_000_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found.cards) == 40
    assert peak < 1_000_000


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


INDEXES = {game: index(game) for game in game_labels()}


@pytest.mark.parametrize("game", list(game_labels()))
def test_each_game_has_some_cards_of_kinds_that_it_knows(game: str) -> None:
    cards = sample_cards(game)
    assert 60 <= len(cards) <= 150
    assert len({card.name for card in cards} | {card.name_en for card in cards}) == 2 * len(cards)
    if game != "doomtrooper":
        kinds = next(known.kinds for known in FORMATS if known.game == game)
        assert all(find_kind(kinds, card.kind) for card in cards)


def test_no_name_stands_for_cards_of_two_games() -> None:
    names = [card.name for game in game_labels() for card in sample_cards(game)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("key", FORMATS.keys())
@given(number=st.integers(0, 300))
def test_sample_lists_are_legal_by_the_cards_too(key: str, number: int) -> None:
    shape = load_format(key)
    rules = DeckRules(format=shape, catalogue=INDEXES[shape.game])
    assert check_decklist_text(rules, text=sample_deck(key, number)).violations == ()


@pytest.mark.parametrize("key", FORMATS.keys())
def test_the_cards_make_written_kinds_unnecessary(key: str) -> None:
    shape = load_format(key)
    rules = DeckRules(format=shape, catalogue=INDEXES[shape.game])
    bare = "\n".join(line.partition(" {")[0] for line in sample_deck(key, 3).splitlines())
    assert check_decklist_text(rules, text=bare).violations == ()
