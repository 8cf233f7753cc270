"""Who is who over the events of a series: what joins players, what is only suggested."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput
from rules.people.appearances import Appearance, Place
from rules.series.people import GroupedPeople, MergeSuggestion, check_same_person, group_people

DCI, OTHER = frozenset({("dci", "77")}), frozenset({("dci", "78")})


def player(event: int, number: int, name: str = "anna", **more: object) -> Appearance:
    return Appearance(place=(event, number), name=(name,), **more)


def groups(*players: Appearance, **decided: object) -> list[tuple[Place, ...]]:
    """Return only the people of several places."""
    return [group for group in group_people(players, **decided).groups if len(group) > 1]


def suggested(*players: Appearance, **decided: object) -> list[tuple[Place, Place, str]]:
    found = group_people(players, **decided).suggestions
    return [(one.one, one.other, one.reason) for one in found]


ONE = [((0, 1), (1, 5))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"account": 3}, {"account": 3, "name": "a. rossi"}),
        ({}, {"origin": (0, 1), "name": "a. rossi"}),
        ({"memberships": DCI}, {"memberships": DCI}),
    ],
)
def test_account_origin_and_a_number_under_one_name_are_one_person(one, other) -> None:
    pair = player(0, 1, **one), player(1, 5, **other)
    assert groups(*pair) == ONE
    assert suggested(*pair) == []
    assert groups(*reversed(pair)) == ONE


def test_a_decision_joins_and_parts() -> None:
    pair = player(0, 1), player(1, 5, "bea")
    assert groups(*pair, same=[((1, 5), (0, 1))]) == ONE
    assert groups(*pair, same=ONE, apart=ONE) == []
    assert groups(player(0, 1, account=3), player(1, 5, account=3), apart=ONE) == []


def test_decisions_on_players_of_other_events_say_nothing() -> None:
    gone = [((0, 1), (7, 7))]
    assert group_people([player(0, 1)], same=gone, apart=gone) == GroupedPeople((((0, 1),),), ())


def test_a_number_under_another_name_is_only_suggested() -> None:
    pair = player(0, 1, memberships=DCI), player(1, 5, "bea", memberships=DCI)
    assert groups(*pair) == []
    assert suggested(*pair) == [((0, 1), (1, 5), "membership")]
    assert suggested(*pair, apart=ONE) == []


@pytest.mark.parametrize(
    ("club", "other", "asked"),
    [("", "", True), ("milano", "", True), ("roma", "roma", True), ("milano", "roma", False)],
)
def test_a_name_is_suggested_unless_clubs_contradict(club: str, other: str, asked: bool) -> None:
    pair = player(0, 1, club=club), player(1, 5, club=other)
    assert groups(*pair) == []
    assert suggested(*pair) == ([((0, 1), (1, 5), "name")] if asked else [])
    assert suggested(*pair, apart=ONE) == []


def test_one_pair_is_suggested_once_for_the_stronger_reason() -> None:
    ann = player(0, 1, "ann", account=3, memberships=DCI), player(1, 2, "anna", account=3)
    anna = player(2, 5, "anna", memberships=DCI)
    assert suggested(*ann, anna) == [((0, 1), (2, 5), "membership")]


def test_of_many_alike_each_is_suggested_with_the_first_that_fits() -> None:
    assert suggested(*(player(at, 1) for at in range(4))) == [
        ((0, 1), (at, 1), "name") for at in (1, 2, 3)
    ]
    twins = player(0, 1), player(0, 2)
    assert suggested(*twins, player(1, 5)) == [
        ((0, 1), (1, 5), "name"),
        ((0, 2), (1, 5), "name"),
    ]
    assert suggested(*twins, player(1, 5), apart=ONE) == [((0, 2), (1, 5), "name")]


def test_a_name_is_a_person_where_the_series_says_so() -> None:
    three = [player(0, 1), player(1, 5, club="roma"), player(2, 3, "bea")]
    assert groups(*three, names_are_people=True) == ONE
    assert groups(*three, names_are_people=True, apart=ONE) == []


def test_twins_of_one_event_are_told_apart_by_their_clubs_or_not_at_all() -> None:
    milan, rome = {"club": "milano"}, {"club": "roma"}
    clubs = player(0, 1, **milan), player(0, 2, **rome), player(1, 5, **milan)
    assert groups(*clubs, player(2, 6), names_are_people=True) == ONE
    none = player(0, 1), player(0, 2), player(1, 5)
    assert groups(*none, names_are_people=True) == []


def test_nobody_is_two_players_of_one_event() -> None:
    met = player(0, 1, account=3), player(1, 5, account=3), player(1, 6, origin=(0, 1))
    assert groups(*met) == ONE
    assert suggested(*met) == []
    assert groups(*met, same=[((0, 1), (1, 6))]) == ONE


def test_the_stronger_reason_goes_first() -> None:
    held = {"memberships": DCI}
    three = player(0, 1, **held), player(1, 5), player(1, 6, **held)
    assert groups(*three, same=ONE) == ONE
    assert groups(*three) == [((0, 1), (1, 6))]


def test_who_is_erased_is_joined_by_decisions_alone_and_never_suggested() -> None:
    same = {"account": 3, "memberships": DCI}
    pair = player(0, 1, **same), player(1, 5, barred=True, origin=(0, 1), **same)
    assert groups(*pair, names_are_people=True) == []
    assert suggested(player(0, 1, **same), player(1, 5, barred=True, memberships=DCI)) == []
    assert groups(*pair, same=ONE) == ONE


def test_places_are_in_the_order_of_the_events_and_people_of_their_first_places() -> None:
    players = [
        player(2, 1, "bea", account=4),
        player(1, 3, "carla"),
        player(0, 9, account=3),
        player(1, 2, "bea", account=4),
        player(2, 4, account=3),
    ]
    found = group_people(players).groups
    assert found == (((0, 9), (2, 4)), ((1, 2), (2, 1)), ((1, 3),))


def test_players_of_one_event_are_refused_as_one_person() -> None:
    people = group_people([player(0, 1, account=3), player(1, 5, account=3), player(1, 6, "bea")])
    check_same_person(people, [(0, 1), (1, 5), (9, 9)])
    with pytest.raises(BadInput) as refused:
        check_same_person(people, [(0, 1), (1, 6)])
    assert refused.value.code == "person_twice"
    assert refused.value.sentence.values["path"] == "entries[1]"


# --- Any players, any decisions ------------------------------------------------------------
PLACES = [(event, number) for event in range(4) for number in range(1, 4)]
PAIRS = [pair for pair in combinations(PLACES, 2) if pair[0][0] != pair[1][0]]


@st.composite
def players_of_series(draw: st.DrawFn) -> list[Appearance]:
    return [
        Appearance(
            place=place,
            name=(draw(st.sampled_from("ab")),),
            club=draw(st.sampled_from(["", "x", "y"])),
            account=draw(st.sampled_from([None, None, 1, 2])),
            memberships=draw(st.sampled_from([frozenset(), DCI, OTHER, DCI | OTHER])),
            origin=draw(st.sampled_from([None, *PLACES])),
            barred=draw(st.integers(0, 9)) == 0,
        )
        for place in draw(st.lists(st.sampled_from(PLACES), unique=True, max_size=9))
    ]


DECIDED = st.lists(st.sampled_from(PAIRS), max_size=3)


def same_person(people: GroupedPeople) -> set[tuple[Place, Place]]:
    return {pair for group in people.groups for pair in combinations(group, 2)}


@given(players_of_series(), DECIDED, DECIDED, st.booleans(), st.randoms())
def test_people_are_whole_apart_and_never_twice_in_one_event(
    players, same, apart, names, chance
) -> None:
    decided = {"same": same, "apart": apart, "names_are_people": names}
    people = group_people(players, **decided)
    assert sorted(place for group in people.groups for place in group) == sorted(
        one.place for one in players
    )
    assert [group[0] for group in people.groups] == sorted(group[0] for group in people.groups)
    for group in people.groups:
        assert len({event for event, _number in group}) == len(group)
    together = same_person(people)
    assert together.isdisjoint(apart)
    for one in people.suggestions:
        both = people.group_of[one.one], people.group_of[one.other]
        assert (one.one, one.other) == (both[0][0], both[1][0])
        assert {event for event, _ in both[0]}.isdisjoint(event for event, _ in both[1])
        assert not {(a, b) for a in both[0] for b in both[1]} & {*apart, *(p[::-1] for p in apart)}
    for each in (players, same, apart):
        chance.shuffle(each)
    assert group_people(players, **decided) == people


@given(players_of_series(), DECIDED, DECIDED, st.sampled_from(PAIRS), st.booleans())
def test_one_more_decision_that_is_possible_joins_these_two_and_parts_nobody(
    players, same, apart, more, names
) -> None:
    before = group_people(players, same=same, apart=apart, names_are_people=names)
    both = [before.group_of.get(place, ()) for place in more]
    after = group_people(players, same=[*same, more], apart=apart, names_are_people=names)
    if not all(both):
        assert after == before
        return
    try:
        check_same_person(before, more)
    except BadInput:
        return
    if any((min(a, b), max(a, b)) in apart for a in both[0] for b in both[1]):
        return
    assert same_person(before) <= same_person(after)
    assert after.group_of[more[0]] == tuple(sorted({*both[0], *both[1]}))


def test_suggestions_say_both_people_by_their_first_places() -> None:
    ann = player(0, 1, account=3), player(2, 2, account=3)
    assert group_people([*ann, player(1, 7)]).suggestions == (
        MergeSuggestion((0, 1), (1, 7), "name"),
    )
