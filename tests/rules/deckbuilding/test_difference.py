"""What has changed from one list to another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.deckbuilding.deck import Deck, Entry, difference
from rules.deckbuilding.formats import FORMATS
from rules.deckbuilding.text import parse

EXO = FORMATS.get("creatures-of-exo")


def told(before, after):
    """Return what has changed as short texts, by zone."""
    found = difference(parse(before, EXO), parse(after, EXO))
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
        Entry,
        name=st.sampled_from(["Lupo", "Brace", "Eco"]),
        count=st.integers(1, 3),
        expansion=st.sampled_from(["", "A", "B"]),
    ),
    unique_by=lambda entry: (entry.name, entry.expansion),
).map(tuple)
DECKS = st.builds(lambda main, side: Deck(zones={"main": main, "side": side}), ENTRIES, ENTRIES)


@given(DECKS, DECKS)
def test_the_difference_leads_from_one_list_to_the_other(before, after):
    for each in difference(before, after):
        changed = sum(pair.after.count - pair.before.count for pair in each.changed)
        added = sum(entry.count for entry in each.added)
        removed = sum(entry.count for entry in each.removed)
        grown = after.size(each.zone) - before.size(each.zone)
        assert added - removed + changed == grown


@given(DECKS)
def test_a_list_does_not_differ_from_itself(deck):
    assert difference(deck, deck) == ()
