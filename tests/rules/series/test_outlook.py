"""What is still possible in a series, held against every way in which small ones can end."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations, product

from hypothesis import given
from hypothesis import strategies as st

from rules.series.outlook import EventToCome, Outlook, most_points, outlooks, possible_final_points
from rules.series.points import FinalRow, FinishedEvent, SeriesPoints, read_series_points
from rules.series.table import counted_points, is_short, series_history
from tests.rules.series.test_points import event

STRANGER = 9
BY_PLACE = {"by_place": [5, 3, 1]}


def test_before_the_last_event_the_leader_may_be_out_of_reach() -> None:
    rule = read_series_points(BY_PLACE)
    events = [event(key, 1, 2, 3) for key in ("one", "two", "three")]
    found = outlooks(series_history(rule, events), [EventToCome(key="four")], 1)
    assert found == {
        1: Outlook.CERTAIN,
        2: Outlook.OUT_OF_REACH,
        3: Outlook.OUT_OF_REACH,
    }


def test_without_a_bound_of_match_points_nobody_is_certain() -> None:
    rule = read_series_points({"match_points": 1})
    row = FinalRow(person=1, place=1, match_points=Fraction(99))
    history = series_history(rule, [FinishedEvent(key="one", rows=[row])])
    assert outlooks(history, [EventToCome(key="two")], 1) == {1: Outlook.POSSIBLE}
    bounded = EventToCome(key="two", match_points=Fraction(12))
    assert outlooks(history, [bounded], 1) == {1: Outlook.CERTAIN}


def test_when_all_is_played_the_table_decides() -> None:
    history = series_history(read_series_points(BY_PLACE), [event("one", 1, 2, 3)])
    assert [outlooks(history, [], places)[2] for places in (1, 2, 3)] == [
        Outlook.OUT_OF_REACH,
        Outlook.CERTAIN,
        Outlook.CERTAIN,
    ]


def test_the_most_of_an_event_is_the_best_table_times_its_factor() -> None:
    rule = read_series_points(
        BY_PLACE
        | {"by_players": [{"from": 8, "by_place": [7]}], "taking_part": 1, "wins": "1/2"}
        | {"factor": {"final": 2}}
    )
    assert most_points(rule, EventToCome(key="final", wins=4)) == 20
    assert most_points(rule, EventToCome(key="final")) is None


def test_reach_keeps_the_limits_of_results() -> None:
    rule = read_series_points(BY_PLACE | {"best": 1})
    history = series_history(rule, [event("one", 2, 1)])
    to_come = [EventToCome(key="two"), EventToCome(key="three")]
    found = possible_final_points(history, to_come)[1]
    assert (found.least, found.most) == (3, 5)


# --- Every way to end ----------------------------------------------------------------------
def endings(
    finished: Sequence[FinishedEvent], keys: Sequence[str], people: Sequence[int]
) -> Iterator[list[FinishedEvent]]:
    """Yield the events with every attendance and order of those to come."""
    orders = [*chain.from_iterable(permutations(people, size) for size in range(len(people) + 1))]
    shared = [*chain.from_iterable(combinations(people, size) for size in (2, 3))]
    for chosen in product([*orders, *((each,) for each in shared)], repeat=len(keys)):
        yield [*finished, *map(_event, keys, chosen)]


def _event(key: str, chosen: Sequence[object]) -> FinishedEvent:
    if len(chosen) == 1 and isinstance(chosen[0], tuple):
        rows = [FinalRow(person=person, place=1) for person in chosen[0]]
        return FinishedEvent(key=key, rows=rows, venue="A", month="2026-12")
    return event(key, *chosen, venue="A", month="2026-12")


@st.composite
def seasons(draw: st.DrawFn) -> tuple[SeriesPoints, list[FinishedEvent], int, int]:
    """Draw a rule, finished events, how many are to come, and how many places are wanted."""
    people = [1, 2, 3][: draw(st.integers(2, 3))]
    orders = st.permutations(people).flatmap(
        lambda order: st.integers(0, len(order)).map(lambda size: tuple(order[:size]))
    )
    places = draw(st.lists(st.integers(0, 9), min_size=1, max_size=3))
    document = {
        "by_place": sorted(places, reverse=True),
        "taking_part": draw(st.integers(0, 2)) or 1,
        "ties": draw(st.sampled_from(["better", "share"])),
        "best": draw(st.sampled_from([None, 1, 2])),
        "least_events": draw(st.integers(0, 3)),
        "min_players": draw(st.integers(0, 2)),
        "at_most": draw(st.sampled_from([None, {"per": "venue", "count": 1}])),
        "factor": draw(st.sampled_from([{}, {"to-come-0": 2}])),
        "always_counts": draw(st.sampled_from([[], ["done-0"], ["to-come-0"]])),
        "adjustments": draw(st.sampled_from([[], [{"person": 1, "points": -2, "reason": "Late"}]])),
    }
    venues = st.sampled_from(["", "A", "B"])
    finished = [
        event(f"done-{at}", *order, venue=draw(venues))
        for at, order in enumerate(draw(st.lists(orders, max_size=4)))
    ]
    to_come = draw(st.integers(0, 2 if len(people) < 3 else 1))
    return read_series_points(document), finished, to_come, draw(st.integers(1, 3))


@given(seasons(), st.booleans())
def test_bounds_are_never_wrong(season, venue_known) -> None:
    rule, finished, to_come, places = season
    history = series_history(rule, finished)
    keys = [f"to-come-{at}" for at in range(to_come)]
    fields = {"venue": "A", "month": "2026-12"} if venue_known else {}
    found = outlooks(history, [EventToCome(key=key, **fields) for key in keys], places)
    people = [*history.players, STRANGER] if len(history.players) < 3 else [*history.players]
    for events in endings(finished, keys, people):
        ended = series_history(rule, events)
        state = {
            person: (not is_short(ended, person), counted_points(ended, person))
            for person in ended.players
        }
        for person, outlook in found.items():
            ahead = sum(other > state[person] for other in state.values())
            level = sum(other == state[person] for other in state.values())  # with themselves
            if outlook is Outlook.CERTAIN:
                assert ahead + level <= places
            if outlook is Outlook.OUT_OF_REACH:
                assert ahead >= places
