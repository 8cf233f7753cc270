"""What was played: worked examples, and sums that must add up."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.deck import Deck, Entry
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.statistics import (
    Record,
    card_uses,
    cards_of,
    expansion_uses,
    kind_uses,
    records,
    was_played,
)
from rules.results import EndedBy, Winner, result_of_two
from tests.strategies import stages

KINDS = FORMATS.get("creatures-of-exo").kinds


def deck(leader: str, *main: tuple[str, int]) -> Deck:
    return Deck(
        zones={
            "leader": (Entry(name=leader, kind="Leader"),),
            "main": tuple(
                Entry(name=name, count=count, kind="Creatura", expansion="ALFA")
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
    held = {number: cards_of(deck, "leader") for number, deck in enumerate(THREE, start=1)}
    results = [
        result_of_two(a=1, b=2, winner=Winner.A, games=(2, 0, 0)),  # a mirror
        result_of_two(a=1, b=3, winner=Winner.A, games=(2, 1, 0)),
        result_of_two(a=3, b=2, winner=Winner.DRAW, games=(1, 1, 0)),
        result_of_two(a=2, b=3, winner=Winner.B, games=(0, 2, 0)),
        result_of_two(a=3, b=4, winner=Winner.A, games=(2, 0, 0)),  # nobody knows the list of 4
        result_of_two(a=3, b=1, winner=Winner.B, ended_by=EndedBy.NO_SHOW),
        result_of_two(a=3, b=None, winner=Winner.A, ended_by=EndedBy.BYE),
    ]
    assert records(held, results) == {
        "vampa": Record(won=1, drawn=1, lost=1),
        "brina": Record(won=1, drawn=1, lost=1),
    }
    assert Record(won=1, drawn=1, lost=1).share_won == Fraction(1, 3)
    assert Record().share_won is None


def test_what_was_fought() -> None:
    given_up = {"winner": Winner.A, "ended_by": EndedBy.CONCESSION}
    assert was_played(result_of_two(a=1, b=2, score=(30, 12), **given_up))
    assert not was_played(result_of_two(a=1, b=2, **given_up))
    assert not was_played(result_of_two(a=1, b=2))
    assert not was_played(result_of_two(a=1, b=2, winner=Winner.NONE, score=(1, 1)))
    assert was_played(
        result_of_two(a=1, b=2, winner=Winner.DRAW, score=(9, 9), ended_by=EndedBy.TIME)
    )


entries = st.builds(
    Entry,
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
    found = records(held, stage.results).values()
    assert sum(record.won for record in found) == sum(record.lost for record in found)
    met = [r for r in stage.results if was_played(r) and held[r.seats[0]] != held[r.seats[-1]]]
    assert sum(record.played for record in found) == 2 * len(met)
    drawn = sum(result.winner is Winner.DRAW for result in met)
    assert sum(record.drawn for record in found) == 2 * drawn
