"""What lines add up to, and what was told when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.events.ledger import Content, Ledger, Line

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
    """Return what lines add up to, as docs/verifying.md says it."""
    rows = {}
    for facts in told:
        gone = list(rows) if facts["whole"] else facts["gone"]
        for place in gone:
            rows = {k: v for k, v in rows.items() if k != place and not k.startswith(f"{place}/")}
        rows |= facts["rows"]
    return rows


@given(lines)
def test_every_moment_is_what_the_lines_up_to_it_add_up_to(told):
    ledger = Ledger()
    for number, facts in enumerate(told, start=1):
        ledger.apply(Line(number=number, facts=facts, words={}))
        assert {place: held.row for place, held in ledger.contents.items()} == folded(told[:number])
    for number in range(len(told) + 1):
        then = folded(told[:number])
        held = {place: ledger.at(place, number) for place in PLACES}
        assert {place: one.row for place, one in held.items() if one} == then
        assert sorted(ledger.places(number)) == sorted(then)


def test_a_row_told_anew_has_the_words_of_its_line_alone():
    ledger = Ledger()
    ledger.apply(Line(number=1, facts={"rows": {"entry/1": {}}}, words={"entry/1": {"name": "A"}}))
    ledger.apply(Line(number=2, facts={"rows": {"entry/1": {}}}, words={}))
    assert ledger.contents["entry/1"] == Content({}, {})
    assert ledger.at("entry/1", 1) == Content({}, {"name": "A"})


def test_an_erasure_takes_all_words_of_before_out_of_memory():
    ledger = Ledger()
    words = {"entry/1": {"name": "Anna"}, "entry/2": {"name": "Bea"}}
    ledger.apply(Line(number=1, facts={"rows": {"entry/1": {}, "entry/2": {}}}, words=words))
    ledger.apply(Line(number=2, facts={"gone": ["entry/2"]}, words={}))
    told = {"entry/1": {"name": "Player 1"}, "entry/3": {"name": "never told"}}
    ledger.apply(Line(number=3, facts={"erased": [1]}, words=told))
    assert ledger.contents == {"entry/1": Content({}, {"name": "Player 1"})}
    assert ledger.at("entry/1", 1) == Content({}, None)
    assert ledger.at("entry/2", 2) is None
    assert "Anna" not in repr(ledger)
    assert "Bea" not in repr(ledger)


def test_who_may_not_read_words_reads_the_rows():
    ledger = Ledger()
    ledger.apply(Line(number=1, facts={"whole": True, "laws": 1, "rows": {"event": {"n": 1}}}))
    assert ledger.contents == {"event": Content({"n": 1}, None)}
    assert (ledger.since, ledger.laws) == (1, 1)


def test_an_act_begins_before_its_line_or_where_it_says():
    ledger = Ledger()
    ledger.apply(Line(number=7, facts={}, since=4))
    assert (ledger.before(7), ledger.before(8)) == (4, 7)


@pytest.mark.parametrize("rows", [{"event": 1}, {"event": ["state"]}, {"event": None}])
def test_what_is_no_row_is_refused_and_changes_nothing(rows):
    ledger = Ledger()
    with pytest.raises(TypeError):
        ledger.apply(Line(number=1, facts={"rows": {"round/1": {}} | rows}))
    assert ledger == Ledger()


@pytest.mark.parametrize("drafted", [False, True])
@pytest.mark.parametrize(
    ("a", "b", "told"), [(9, 4, [4, 9]), (4, 9, [4, 9]), (9, 4, [9, 4]), (7, None, [7])]
)
def test_a_match_has_its_players_in_the_order_of_their_seats(a, b, told, drafted):
    """Lines from before seats had numbers name them in the order of their own."""
    place, row = "round/1/match/1", {"a": a, "b": b, "seats": told}
    rows, words = ({}, {"draft": row}) if drafted else (row, {})
    line = Line(number=1, facts={"rows": {place: rows}}, words={place: words})
    (content,) = Ledger().apply(line).contents.values()
    assert content.columns["seats"] == [player for player in (a, b) if player]


@pytest.mark.parametrize("row", [{"a": 1, "b": 2, "seats": [1, 3]}, {"seats": [7, 2, 5]}, {"n": 1}])
def test_seats_that_are_not_those_of_a_and_b_stay_as_they_are_told(row):
    line = Line(number=1, facts={"rows": {"round/1/match/1": row}}, words={})
    assert Ledger().apply(line).contents["round/1/match/1"].row == row
