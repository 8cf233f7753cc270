"""The pairings of some players from the best on: all that break no rule, each once, in order."""

from hypothesis import given
from hypothesis import strategies as st

from rules.drafts import draft as module
from rules.drafts.draft import ranked_pairings, seats_in
from rules.swiss.lineup import Entrant


def all_pairings(players):
    """Yield every way to pair players, one of them resting if their number is odd."""
    if len(players) % 2:
        for resting in players:
            rest = tuple(one for one in players if one != resting)
            yield from ([frozenset({resting}), *others] for others in all_pairings(rest))
    elif not players:
        yield []
    else:
        first, *others = players
        for other in others:
            rest = tuple(one for one in others if one != other)
            yield from ([frozenset({first, other}), *more] for more in all_pairings(rest))


@given(st.lists(st.integers(0, 4), min_size=2, max_size=7), st.data())
def test_all_that_break_no_rule_are_found_in_order(points, data):
    number = st.integers(0, len(points) - 1)
    met = data.draw(st.sets(st.frozensets(number, min_size=2, max_size=2), max_size=4))
    players = [
        Entrant(
            player=one,
            points=own,
            met=frozenset(other for pair in met if one in pair for other in pair - {one}),
        )
        for one, own in enumerate(points)
    ]
    found = [frozenset(map(seats_in, each)) for each in ranked_pairings(players, seed="x")]
    assert len(set(found)) == len(found)
    allowed = {
        frozenset(each) for each in all_pairings(tuple(range(len(points)))) if not met & set(each)
    }
    if allowed:
        assert set(found) == allowed
        if len(points) % 2 == 0:
            spreads = [sum((points[min(p)] - points[max(p)]) ** 2 for p in each) for each in found]
            assert spreads == sorted(spreads)


def test_it_ends_after_so_many_pairings_solved(monkeypatch):
    players = [Entrant(player=one, points=0) for one in range(6)]
    assert len(list(ranked_pairings(players, seed="x"))) == 15
    monkeypatch.setattr(module, "MOST_SOLVED", 2)
    assert 1 <= len(list(ranked_pairings(players, seed="x"))) <= 3
