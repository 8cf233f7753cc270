"""What is told of decks: statistics, archetypes, and what changed between two lists."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.deck import Deck, DeckEntry, compare_decks
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.statistics import (
    Record,
    card_keys,
    card_uses,
    expansion_uses,
    find_archetype,
    kind_uses,
    matchup_records,
    records_by_item,
    was_played,
)
from rules.deckbuilding.text import parse_decklist
from rules.results import MatchEnding, Result, Winner, two_player_result
from tests.strategies import stages

KINDS = FORMATS.get("creatures-of-exo").kinds


def deck(leader: str, *main: tuple[str, int]) -> Deck:
    return Deck(
        zones={
            "leader": (DeckEntry(name=leader, kind="Leader"),),
            "main": tuple(
                DeckEntry(name=name, count=count, kind="Creatura", expansion="ALFA")
                for name, count in main
            ),
        }
    )


FIRE, FIRE_TOO = deck("Vampa", ("Lupo", 2), ("Gufo", 1)), deck("VAMPA", ("lupo", 1), ("Faro", 2))
ICE = deck("Brina", ("Gufo", 2), ("Lupo", 2))
THREE = (FIRE, FIRE_TOO, ICE)


def test_cards_by_lists_then_copies_then_name() -> None:
    found = [(use.name, use.lists, use.copies) for use in card_uses(THREE, apart=("leader",))]
    assert found == [("Lupo", 3, 5), ("Gufo", 2, 3), ("Faro", 1, 2)]


def test_kinds_and_expansions_go_by_copies() -> None:
    assert [(use.key, use.copies) for use in kind_uses(THREE, KINDS)] == [
        ("creature", 10),
        ("leader", 3),
    ]
    assert [(use.key, use.copies) for use in expansion_uses(THREE)] == [("alfa", 10), ("", 3)]


def test_how_each_leader_did_without_mirror_matches() -> None:
    held = {number: card_keys(deck, "leader") for number, deck in enumerate(THREE, start=1)}
    results = [
        two_player_result(a=1, b=2, winner=Winner.A, games=(2, 0, 0)),  # a mirror
        two_player_result(a=1, b=3, winner=Winner.A, games=(2, 1, 0)),
        two_player_result(a=3, b=2, winner=Winner.DRAW, games=(1, 1, 0)),
        two_player_result(a=2, b=3, winner=Winner.B, games=(0, 2, 0)),
        two_player_result(a=3, b=4, winner=Winner.A, games=(2, 0, 0)),  # nobody knows the list of 4
        two_player_result(a=3, b=1, winner=Winner.B, ended_by=MatchEnding.NO_SHOW),
        two_player_result(a=3, b=None, winner=Winner.A, ended_by=MatchEnding.BYE),
    ]
    assert records_by_item(held, results) == {
        "vampa": Record(won=1, drawn=1, lost=1),
        "brina": Record(won=1, drawn=1, lost=1),
    }
    assert Record(won=1, drawn=1, lost=1).share_won == Fraction(1, 3)
    assert Record().share_won is None


def test_what_was_fought() -> None:
    given_up = {"winner": Winner.A, "ended_by": MatchEnding.CONCESSION}
    assert was_played(two_player_result(a=1, b=2, score=(30, 12), **given_up))
    assert not was_played(two_player_result(a=1, b=2, **given_up))
    assert not was_played(two_player_result(a=1, b=2))
    assert not was_played(two_player_result(a=1, b=2, winner=Winner.NONE, score=(1, 1)))
    assert was_played(
        two_player_result(a=1, b=2, winner=Winner.DRAW, score=(9, 9), ended_by=MatchEnding.TIME)
    )


entries = st.builds(
    DeckEntry,
    name=st.sampled_from(["Lupo", "lupo", "LÙPO", "Gufo", "Faro", "Eco"]),
    count=st.integers(1, 4),
    kind=st.sampled_from(["", "Creatura", "Creature", "Leader", "Sasso"]),
    expansion=st.sampled_from(["", "A", "a", "B"]),
)
decks = st.builds(
    lambda leader, main: Deck(zones={"leader": tuple(leader), "main": tuple(main)}),
    st.lists(entries, max_size=1),
    st.lists(entries, max_size=6),
)


@given(st.lists(decks, max_size=6))
def test_copies_add_up_whatever_they_are_counted_by(found: list[Deck]) -> None:
    total = sum(entry.count for deck in found for _zone, entry in deck)
    for uses in (card_uses(found), kind_uses(found, KINDS), expansion_uses(found)):
        assert sum(use.copies for use in uses) == total
        assert all(1 <= use.lists <= min(len(found), use.copies) for use in uses)
        assert len({use.key for use in uses}) == len(uses)
    leaders = sum(entry.count for deck in found for entry in deck.zone("leader"))
    apart = card_uses(found, apart=("leader",))
    assert sum(use.copies for use in apart) == total - leaders


@given(st.lists(decks, max_size=6), st.randoms())
def test_the_order_of_lists_changes_nothing(found: list[Deck], chance: st.DataObject) -> None:
    other = list(found)
    chance.shuffle(other)
    assert card_uses(found) == card_uses(other)
    assert kind_uses(found, KINDS) == kind_uses(other, KINDS)
    assert expansion_uses(found) == expansion_uses(other)


@given(stages(), st.data())
def test_what_one_wins_another_loses(stage: object, data: st.DataObject) -> None:
    colours = st.sampled_from(["red", "blue", "green"])
    held = {player: {data.draw(colours)} for player in stage.players}
    found = records_by_item(held, stage.results).values()
    assert sum(record.won for record in found) == sum(record.lost for record in found)
    met = [r for r in stage.results if was_played(r) and held[r.seats[0]] != held[r.seats[-1]]]
    assert sum(record.played for record in found) == 2 * len(met)
    drawn = sum(result.winner is Winner.DRAW for result in met)
    assert sum(record.drawn for record in found) == 2 * drawn


EXO_ZONES = ("leader", "main")
OTHER = ("main", "side")


def of_genera(*cards: tuple[str, int]) -> Deck:
    return Deck(
        zones={"main": tuple(DeckEntry(name=f"Carta {n}", count=n, genus=g) for g, n in cards)}
    )


def test_a_deck_is_called_by_its_leader_whatever_the_spelling() -> None:
    one, other = (
        find_archetype(Deck(zones={"leader": (DeckEntry(name=name),)}), EXO_ZONES)
        for name in ("Vampa", "VAMPA")
    )
    assert one is not None
    assert other is not None
    assert (one.key, one.name, one.by) == ("vampa", "Vampa", "leader")
    assert other.key == one.key
    assert find_archetype(Deck(zones={"main": (DeckEntry(name="Lupo"),)}), EXO_ZONES) is None


def test_a_deck_is_called_by_the_genus_of_most_of_its_cards() -> None:
    found = find_archetype(of_genera(("Fuoco", 3), ("Luce", 2), ("light", 2), ("", 9)), OTHER)
    assert found is not None
    assert (found.key, found.name, found.by) == ("light", "Luce", "genus")
    level = find_archetype(of_genera(("Fuoco", 2), ("Acqua", 2)), OTHER)
    assert level is not None
    assert level.key == "fire"
    assert find_archetype(of_genera(("", 5)), OTHER) is None


def played(
    a: int, b: int | None, winner: Winner, ended: MatchEnding = MatchEnding.PLAYED
) -> Result:
    return two_player_result(a=a, b=b, winner=winner, ended_by=ended)


def test_each_against_each() -> None:
    held = {1: "fire", 2: "fire", 3: "water", 4: "earth"}
    results = (
        played(1, 3, Winner.A),
        played(3, 2, Winner.A),
        played(2, 3, Winner.DRAW),
        played(1, 2, Winner.B),  # of the same kind
        played(4, 9, Winner.A),  # whose deck is unknown
        played(4, 1, Winner.A, MatchEnding.NO_SHOW),
    )
    assert matchup_records(held, results) == {
        ("fire", "fire"): Record(won=1, lost=1),
        ("fire", "water"): Record(won=1, drawn=1, lost=1),
        ("water", "fire"): Record(won=1, drawn=1, lost=1),
    }


@given(stages(), st.data())
def test_what_one_wins_the_other_loses(stage: object, data: st.DataObject) -> None:
    results = stage.results
    kinds = st.sampled_from(["fire", "water", "earth"])
    held = {player: data.draw(kinds) for player in stage.players}
    found = matchup_records(held, results)
    for (a, b), record in found.items():
        assert (record.won, record.drawn) == (found[b, a].lost, found[b, a].drawn)
    across = sum(record.played for (a, b), record in found.items() if a != b)
    known = [result for result in results if was_played(result)]
    assert across == 2 * sum(
        held[r.seats[0]] != held[r.seats[-1]] for r in known if len(r.seats) == 2
    )


EXO = FORMATS.get("creatures-of-exo")


def told(before, after):
    """Return what has changed as short texts, by zone."""
    found = compare_decks(parse_decklist(before, EXO), parse_decklist(after, EXO))
    return {
        each.zone: [
            *(f"+{entry.count} {entry.name}" for entry in each.added),
            *(f"-{entry.count} {entry.name}" for entry in each.removed),
            *(f"{pair.before.count}>{pair.after.count} {pair.after.name}" for pair in each.changed),
        ]
        for each in found
    }


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("2 Brace", "2 Brace", {}),
        ("2 Brace\n1 Lupo", "1 Lupo\n2 brace", {}),
        ("1 Brace\n1 Brace", "2 Brace", {}),
        ("2 Brace", "1 Brace", {"main": ["2>1 Brace"]}),
        ("2 Brace", "2 Lupo", {"main": ["+2 Lupo", "-2 Brace"]}),
        ("", "2 Lupo", {"main": ["+2 Lupo"]}),
        ("2 Lupo", "", {"main": ["-2 Lupo"]}),
        ("Main\n2 Lupo", "Side\n2 Lupo", {"main": ["-2 Lupo"], "side": ["+2 Lupo"]}),
        ("METTI GIU'", "metti giù", {}),
        ("2 Lupo {Creatura}", "2 Lupo {Tattica}", {"main": ["2>2 Lupo"]}),
        ("2 Lupo", "2 Lupo {Creatura}", {"main": ["2>2 Lupo"]}),
        ("1 Lupo (A)\n1 Lupo (B)", "1 Lupo (A)\n2 Lupo (B)", {"main": ["1>2 Lupo"]}),
        ("1 Lupo (A)", "1 Lupo (A)\n1 Lupo (B)", {"main": ["+1 Lupo"]}),
        ("2 Brace", "Fusion\n2 Brace", {"main": ["-2 Brace"], "fusion": ["+2 Brace"]}),
    ],
)
def test_by_zone_added_removed_changed(before, after, expected):
    assert told(before, after) == expected


ENTRIES = st.lists(
    st.builds(
        DeckEntry,
        name=st.sampled_from(["Lupo", "Brace", "Eco"]),
        count=st.integers(1, 3),
        expansion=st.sampled_from(["", "A", "B"]),
    ),
    unique_by=lambda entry: (entry.name, entry.expansion),
).map(tuple)
DECKS = st.builds(lambda main, side: Deck(zones={"main": main, "side": side}), ENTRIES, ENTRIES)


@given(DECKS, DECKS)
def test_the_difference_leads_from_one_list_to_the_other(before, after):
    for each in compare_decks(before, after):
        changed = sum(pair.after.count - pair.before.count for pair in each.changed)
        added = sum(entry.count for entry in each.added)
        removed = sum(entry.count for entry in each.removed)
        grown = after.size(each.zone) - before.size(each.zone)
        assert added - removed + changed == grown


@given(DECKS)
def test_a_list_does_not_differ_from_itself(deck):
    assert compare_decks(deck, deck) == ()
