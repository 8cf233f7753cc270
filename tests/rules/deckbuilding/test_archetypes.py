"""What a deck is called in its game, and what such decks won against each other."""

from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.deck import Deck, Entry
from rules.deckbuilding.statistics import Record, archetype_of, records_between, was_played
from rules.results import EndedBy, Result, Winner, result_of_two
from tests.strategies import stages

EXO = ("leader", "main")
OTHER = ("main", "side")


def of_genera(*cards: tuple[str, int]) -> Deck:
    return Deck(zones={"main": tuple(Entry(name=f"Carta {n}", count=n, genus=g) for g, n in cards)})


def test_a_deck_is_called_by_its_leader_whatever_the_spelling() -> None:
    one, other = (
        archetype_of(Deck(zones={"leader": (Entry(name=name),)}), EXO)
        for name in ("Vampa", "VAMPA")
    )
    assert one is not None
    assert other is not None
    assert (one.key, one.name, one.by) == ("vampa", "Vampa", "leader")
    assert other.key == one.key
    assert archetype_of(Deck(zones={"main": (Entry(name="Lupo"),)}), EXO) is None


def test_a_deck_is_called_by_the_genus_of_most_of_its_cards() -> None:
    found = archetype_of(of_genera(("Fuoco", 3), ("Luce", 2), ("light", 2), ("", 9)), OTHER)
    assert found is not None
    assert (found.key, found.name, found.by) == ("light", "Luce", "genus")
    level = archetype_of(of_genera(("Fuoco", 2), ("Acqua", 2)), OTHER)
    assert level is not None
    assert level.key == "fire"
    assert archetype_of(of_genera(("", 5)), OTHER) is None


def played(a: int, b: int | None, winner: Winner, ended: EndedBy = EndedBy.PLAYED) -> Result:
    return result_of_two(a=a, b=b, winner=winner, ended_by=ended)


def test_each_against_each() -> None:
    held = {1: "fire", 2: "fire", 3: "water", 4: "earth"}
    results = (
        played(1, 3, Winner.A),
        played(3, 2, Winner.A),
        played(2, 3, Winner.DRAW),
        played(1, 2, Winner.B),  # of the same kind
        played(4, 9, Winner.A),  # whose deck is unknown
        played(4, 1, Winner.A, EndedBy.NO_SHOW),
    )
    assert records_between(held, results) == {
        ("fire", "fire"): Record(won=1, lost=1),
        ("fire", "water"): Record(won=1, drawn=1, lost=1),
        ("water", "fire"): Record(won=1, drawn=1, lost=1),
    }


@given(stages(), st.data())
def test_what_one_wins_the_other_loses(stage: object, data: st.DataObject) -> None:
    results = stage.results
    kinds = st.sampled_from(["fire", "water", "earth"])
    held = {player: data.draw(kinds) for player in stage.players}
    found = records_between(held, results)
    for (a, b), record in found.items():
        assert (record.won, record.drawn) == (found[b, a].lost, found[b, a].drawn)
    across = sum(record.played for (a, b), record in found.items() if a != b)
    known = [result for result in results if was_played(result)]
    assert across == 2 * sum(
        held[r.seats[0]] != held[r.seats[-1]] for r in known if len(r.seats) == 2
    )
