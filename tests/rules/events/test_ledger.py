"""What lines add up to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.events.ledger import Content, Ledger, incomparable_words

PLACES = ("event", "round/1", "round/1/match/1", "round/1/match/2", "round/10")
lines = st.lists(
    st.fixed_dictionaries(
        {
            "whole": st.booleans(),
            "gone": st.lists(st.sampled_from(PLACES), max_size=2),
            "rows": st.dictionaries(st.sampled_from(PLACES), st.just({}) | st.just({"n": 1})),
        }
    ),
    max_size=6,
)


def folded(told):
    """Return what lines add up to, by the plain way."""
    rows = {}
    for facts in told:
        gone = list(rows) if facts["whole"] else facts["gone"]
        for place in gone:
            rows = {k: v for k, v in rows.items() if k != place and not k.startswith(f"{place}/")}
        rows |= facts["rows"]
    return rows


@given(lines)
def test_it_holds_what_the_lines_add_up_to(told):
    ledger = Ledger()
    for number, facts in enumerate(told, start=1):
        ledger.apply(number, facts, {})
        assert {place: held.row for place, held in ledger.contents.items()} == folded(told[:number])
        assert ledger.lines.keys() == ledger.contents.keys()


def test_a_row_told_anew_has_the_words_of_its_line_alone():
    ledger = Ledger()
    ledger.apply(1, {"rows": {"entry/1": {}}}, {"entry/1": {"name": "A"}})
    assert ledger.contents["entry/1"] == Content({}, {"name": "A"})
    ledger.apply(2, {"rows": {"entry/1": {}}}, {})
    assert ledger.contents["entry/1"] == Content({}, {})
    assert ledger.lines == {"entry/1": 2}


def test_words_told_anew_are_those_of_the_rows_that_are_there():
    ledger = Ledger()
    words = {"entry/1": {"name": "Anna"}, "entry/2": {"name": "Bea"}}
    ledger.apply(1, {"rows": {"entry/1": {"n": 1}, "entry/2": {}}}, words)
    ledger.apply(2, {"gone": ["entry/2"]}, {})
    told = {"entry/1": {"name": "Player 1"}, "entry/3": {"name": "never told"}}
    ledger.apply(3, {"erased": [1]}, told)
    assert ledger.contents == {"entry/1": Content({"n": 1}, {"name": "Player 1"})}


def test_the_first_line_with_the_whole_event_is_kept():
    ledger = Ledger()
    for number, whole in enumerate((False, True, True), start=1):
        ledger.apply(number, {"whole": whole, "rows": {"event": {"n": number}}}, {})
    assert (ledger.since, ledger.lines) == (2, {"event": 3})


@pytest.mark.parametrize("rows", [{"event": 1}, {"event": ["state"]}, {"event": None}])
def test_what_is_no_row_is_refused_and_changes_nothing(rows):
    ledger = Ledger()
    with pytest.raises(TypeError):
        ledger.apply(1, {"rows": {"round/1": {}} | rows}, {})
    assert ledger == Ledger()


@pytest.mark.parametrize("drafted", [False, True])
@pytest.mark.parametrize(
    ("a", "b", "told"), [(9, 4, [4, 9]), (4, 9, [4, 9]), (9, 4, [9, 4]), (7, None, [7])]
)
def test_a_match_has_its_players_in_the_order_of_their_seats(a, b, told, drafted):
    """Lines from before seats had numbers name them in the order of their own."""
    place, row = "round/1/match/1", {"a": a, "b": b, "seats": told}
    rows, words = ({}, {"draft": row}) if drafted else (row, {})
    (content,) = Ledger().apply(1, {"rows": {place: rows}}, {place: words}).contents.values()
    assert content.columns["seats"] == [player for player in (a, b) if player]


@pytest.mark.parametrize("row", [{"a": 1, "b": 2, "seats": [1, 3]}, {"seats": [7, 2, 5]}, {"n": 1}])
def test_seats_that_are_not_those_of_a_and_b_stay_as_they_are_told(row):
    ledger = Ledger().apply(1, {"rows": {"round/1/match/1": row}}, {})
    assert ledger.contents["round/1/match/1"].row == row


@pytest.mark.parametrize(
    ("words", "then", "closed"),
    [
        ({"account": 1, "lists": 1}, {"account": 2, "lists": 2}, set()),
        ({"account": 1}, {"lists": 2}, {"account"}),
        ({}, {"account": 1}, {"account", "lists"}),
    ],
)
def test_words_that_older_lines_lack_are_not_compared(words, then, closed):
    assert incomparable_words(words, then) == closed
