"""What may change places with the side between games."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.deck import Deck, DeckEntry, Violation
from rules.deckbuilding.deck_json import deck_from_json
from rules.deckbuilding.exchange import check_exchange
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.moves import ExchangedDeck, exchange_by_moves, exchange_by_new_deck
from rules.errors import BadInput

GOLDEN = Path(__file__).parents[2] / "golden" / "exchange"
FILES = sorted(GOLDEN.glob("*/*.json"))
EXO = FORMATS.get("creatures-of-exo")
EXCHANGING = [known for known in FORMATS if known.exchange is not None]


def read(sample: Mapping[str, Any], shape: DeckFormat) -> tuple[Deck, ExchangedDeck]:
    decks = {
        key: deck_from_json(sample[key], shape)
        for key in ("registered", "out", "in", "table")
        if key in sample
    }
    registered = decks["registered"]
    if "table" in decks:
        return registered, exchange_by_new_deck(shape, registered, decks["table"])
    return registered, exchange_by_moves(shape, registered, decks["out"], decks["in"])


def faults(sample: Mapping[str, Any], shape: DeckFormat) -> tuple[Violation, ...]:
    registered, exchanged = read(sample, shape)
    played = sample.get("games_played")
    return check_exchange(shape, registered, exchanged, games_played=played)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_sample_is_what_it_says(path: Path) -> None:
    sample = json.loads(path.read_text(encoding="utf-8"))
    found = faults(sample, FORMATS.get(path.parent.name))
    assert [fault.code for fault in found] == sample["codes"]
    assert path.stem.startswith("legal-") is (sample["codes"] == [])
    assert all(str(fault.sentence).endswith(".") for fault in found)


def test_each_game_with_an_exchange_has_samples_of_each_code() -> None:
    codes = {"exchange.unequal", "exchange.not_in_list", "exchange.before_first_game"}
    for game in {shape.game for shape in EXCHANGING}:
        keys = {shape.key for shape in EXCHANGING if shape.game == game}
        shown = {path.stem.split("-")[0] for path in FILES if path.parent.name in keys}
        assert shown >= codes | {"legal"}, game


@pytest.mark.parametrize("shape", [known for known in FORMATS if known not in EXCHANGING])
def test_a_game_without_exchange_says_so(shape: DeckFormat) -> None:
    empty = Deck(zones={})
    with pytest.raises(BadInput) as refused:
        exchange_by_moves(shape, empty, empty, empty)
    assert refused.value.code == "no_exchange"
    with pytest.raises(BadInput):
        exchange_by_new_deck(shape, empty, empty)


def deck(**zones: list[DeckEntry]) -> Deck:
    return Deck(zones={key: tuple(zones.get(key, ())) for key in (*EXO.zone_keys, *zones)})


def tactics(*names: str, count: int = 1) -> list[DeckEntry]:
    return [DeckEntry(name=name, count=count, kind="Tactic") for name in names]


MAIN = [f"Main {letter}" for letter in "abcdefghijklmno"]
SIDE = [f"Side {letter}" for letter in "abcdef"]
REGISTERED = deck(
    leader=[DeckEntry(name="Boss", kind="Leader")],
    main=tactics(*MAIN, count=2),
    side=tactics(*SIDE),
)


def test_all_faults_come_at_once_with_their_numbers() -> None:
    out = deck(main=[*tactics("Main a", count=2), *tactics("Nobody")])
    into = deck(main=[*tactics("Side a", "Stranger"), DeckEntry(name="Boss")])
    found = check_exchange(
        EXO, REGISTERED, exchange_by_moves(EXO, REGISTERED, out, into), games_played=0
    )
    assert [(v.code, v.zone, v.card, v.found, v.minimum, v.maximum) for v in found] == [
        ("exchange.not_in_list", "main", "Nobody", 1, None, 0),
        ("kind.wrong_zone", "main", "Boss", None, None, None),
        ("exchange.before_first_game", None, None, 3, None, 0),
        ("exchange.not_in_list", None, "Boss", 2, None, 1),
        ("exchange.not_in_list", None, "Stranger", 1, None, 0),
    ]


def test_unequal_numbers_are_named() -> None:
    exchanged = exchange_by_moves(EXO, REGISTERED, deck(), deck(main=tactics("Side a")))
    found = check_exchange(EXO, REGISTERED, exchanged, games_played=1)
    assert [(v.code, v.zone, v.found, v.maximum) for v in found] == [
        ("zone.too_many", "main", 31, 30),
        ("exchange.unequal", None, 1, 0),
    ]
    assert str(found[1].sentence) == "Cards out: 0, in: 1. Take out 1 more."


def test_an_exchange_gives_the_deck_that_is_played() -> None:
    out, into = deck(main=tactics("main A")), deck(side=[DeckEntry(name="SIDE A")])
    played = exchange_by_moves(EXO, REGISTERED, out, into).deck
    assert played.counts() == REGISTERED.counts()
    assert [(e.name, e.count, e.kind) for e in played.zone("main")[:1]] == [("Main a", 1, "Tactic")]
    assert played.zone("main")[-1] == DeckEntry(name="SIDE A", kind="Tactic")
    assert {entry.name for entry in played.zone("side")} == {*SIDE[1:], "Main a"}


@st.composite
def swaps(draw: st.DrawFn) -> tuple[Deck, Deck]:
    """Draw equal numbers of registered cards that leave main and come from the side."""
    into = draw(st.lists(st.sampled_from(SIDE), unique=True))
    copies = [name for name in MAIN for _copy in range(2)]
    out = draw(st.permutations(copies))[: len(into)]
    return deck(main=tactics(*out)), deck(main=tactics(*into))


@given(swaps(), st.integers(min_value=1, max_value=9))
def test_an_equal_exchange_of_registered_cards_is_legal(
    moves: tuple[Deck, Deck], games_played: int
) -> None:
    exchanged = exchange_by_moves(EXO, REGISTERED, *moves)
    assert check_exchange(EXO, REGISTERED, exchanged, games_played=games_played) == ()
    assert exchanged.deck.counts() == REGISTERED.counts()


REGISTERED_NAMES = [*MAIN, "Boss"]


@given(
    st.lists(st.sampled_from(REGISTERED_NAMES), unique=True, max_size=4),
    st.dictionaries(st.sampled_from(SIDE), st.sampled_from(["leader", "main"]), max_size=4),
    st.booleans(),
    st.integers(min_value=0, max_value=1),
)
def test_moves_and_the_deck_that_they_give_agree(
    leaving: list[str], entering: dict[str, str], side_shown: bool, played: int
) -> None:
    out = deck(
        leader=tactics(*(name for name in leaving if name == "Boss")),
        main=tactics(*(name for name in leaving if name != "Boss")),
    )
    into = deck(
        leader=tactics(*(name for name, zone in entering.items() if zone == "leader")),
        main=tactics(*(name for name, zone in entering.items() if zone == "main")),
    )
    moved = exchange_by_moves(EXO, REGISTERED, out, into)
    table = moved.deck.zones | ({} if side_shown else {"side": ()})
    found = exchange_by_new_deck(EXO, REGISTERED, Deck(zones=table))
    assert found.deck.counts() == moved.deck.counts()
    told, seen = (
        check_exchange(EXO, REGISTERED, exchanged, games_played=played)
        for exchanged in (moved, found)
    )
    assert [(v.code, v.zone, v.found) for v in told] == [(v.code, v.zone, v.found) for v in seen]


@st.composite
def any_decks(draw: st.DrawFn, shape: DeckFormat) -> Deck:
    entries = st.builds(
        DeckEntry,
        name=st.sampled_from(["Brace", "BRACE", "Lupo", "Sacrificio di Nathaniel"]),
        count=st.integers(min_value=1, max_value=999),
        kind=st.sampled_from(["", "Drago", *(kind.words[0] for kind in shape.kinds)]),
    )
    zones = [*shape.zone_keys, "elsewhere"]
    return Deck(zones={zone: tuple(draw(st.lists(entries, max_size=3))) for zone in zones})


THREE_DECKS = st.sampled_from(EXCHANGING).flatmap(
    lambda shape: st.tuples(st.just(shape), *[any_decks(shape)] * 3)
)


@given(THREE_DECKS, st.integers(min_value=0, max_value=1))
def test_whatever_is_exchanged_is_answered(
    drawn: tuple[DeckFormat, Deck, Deck, Deck], played: int
) -> None:
    shape, registered, one, other = drawn
    for exchanged in (
        exchange_by_moves(shape, registered, one, other),
        exchange_by_new_deck(shape, registered, one),
    ):
        found = check_exchange(shape, registered, exchanged, games_played=played)
        assert all(str(fault.sentence) for fault in found)
        assert len({(v.code, v.zone, v.card) for v in found}) == len(found)
        if exchanged.out != exchanged.into:
            assert "exchange.unequal" in {fault.code for fault in found}


@pytest.mark.parametrize("shape", EXCHANGING)
@pytest.mark.parametrize("played", [None, 0, 1])
def test_taking_nothing_is_legal(shape: DeckFormat, played: int | None) -> None:
    for path in FILES:
        sample = json.loads(path.read_text(encoding="utf-8"))
        if path.parent.name == shape.key and path.stem.startswith("legal-"):
            registered = sample["registered"]
            moves = {"registered": registered, "out": {}, "in": {}, "games_played": played}
            table = {"registered": registered, "table": registered, "games_played": played}
            assert faults(moves, shape) == faults(table, shape) == ()
