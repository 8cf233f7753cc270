"""The players of a round in columns: the same order and the same bars as said in plain words."""

from hashlib import sha256
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.results import PlayerId
from rules.swiss import lineup, rounds
from rules.swiss.lineup import Entrant, lined_up
from rules.swiss.rounds import pair_round

NAMES = st.one_of(st.integers(-3, 200), st.text("aàb1", min_size=1, max_size=3))


@st.composite
def entrants(draw: st.DrawFn) -> list[Entrant]:
    """Return players who have met each other and people who are not in the round."""
    names: list[PlayerId] = draw(st.lists(NAMES, unique_by=str, max_size=12))
    others = st.frozensets(st.sampled_from([*names, "gone", 999]), max_size=4)
    return [
        Entrant(player=name, points=draw(st.integers(-2, 9)), met=draw(others), apart=draw(others))
        for name in names
    ]


def number(seed: str, player: PlayerId) -> int:
    """Return the number of a player by the definition."""
    return int.from_bytes(sha256(f"{seed}:{player}".encode()).digest()[:4], "big")


@given(entrants(), st.text(max_size=4))
def test_players_are_ordered_by_points_number_and_name(known: list[Entrant], seed: str) -> None:
    found = lined_up(known, seed)
    by_words = sorted(
        known, key=lambda one: (-one.points, number(seed, one.player), str(one.player))
    )
    assert found.entrants == by_words
    assert found.noise == [number(seed, one.player) for one in by_words]


def test_equal_numbers_leave_the_order_to_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    same = SimpleNamespace(digest=lambda: bytes(32))
    monkeypatch.setattr(lineup, "sha256", lambda _text: same)
    found = lined_up([Entrant(player=one) for one in (9, 10, "b", "a")], "x")
    assert [one.player for one in found.entrants] == [10, 9, "a", "b"]


@given(entrants())
def test_bars_name_the_others_of_the_round_only(known: list[Entrant]) -> None:
    found = lined_up(known, "x")
    at = {one.player: index for index, one in enumerate(found.entrants)}
    barred = found.barred()
    for one, met, apart, both in zip(
        found.entrants, barred.met, barred.apart, barred.both(), strict=True
    ):
        assert met - {-1} == {at[other] for other in one.met if other in at}
        assert apart - {-1} == {at[other] for other in one.apart if other in at}
        assert both == met | apart


@given(entrants().filter(bool))
def test_who_rests_leaves_the_others_as_they_were(known: list[Entrant]) -> None:
    found = lined_up(known, "x")
    resting = known[0]
    rest = found.without(resting)
    assert rest == lined_up(known[1:], "x")


PAIRED = "4447db2f59f36c597f16ce67ff40a483305ab72c1024699ce692e2fecd47e9f5"


def test_rounds_are_paired_as_they_have_always_been() -> None:
    """The verification of stored events pairs their rounds again."""
    told = sha256()
    for seed in range(60):
        chance = Random(seed)
        names = range(1, chance.choice((4, 7, 12, 33, 64)) + 1)
        met: dict[int, set[int]] = {name: set() for name in names}
        for _match in range(chance.choice((0, 1, 2)) * len(names)):
            a, b = chance.sample(names, 2)
            met[a].add(b)
            met[b].add(a)
        known = [
            Entrant(
                player=name,
                points=chance.choice((0, 1, 3, 4, 6)),
                met=frozenset(met[name]),
                apart=frozenset(chance.sample(names, chance.choice((0, 0, 0, 1)))) - {name},
                byes=chance.randrange(2),
                floats=chance.randrange(3),
            )
            for name in names
        ]
        for pair in pair_round(known, seed=f"s{seed}"):
            told.update(f"{pair.a} {pair.b} {pair.reason}\n".encode())
    assert told.hexdigest() == PAIRED


def test_wishes_that_tangle_the_search_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = range(1, 7)
    known = [
        Entrant(player=one, points=one % 3, apart=frozenset(everybody) - {one, one + 1, one - 1})
        for one in everybody
    ]
    freely = [Entrant(player=one.player, points=one.points) for one in known]
    monkeypatch.setattr(rounds, "MOST_NODES", 1)
    found = pair_round(known, seed="x")
    monkeypatch.undo()
    assert [pair[:2] for pair in found] == [pair[:2] for pair in pair_round(freely, seed="x")]
    assert rounds.WISH in [pair.reason for pair in found]
