"""Swiss rounds: line-up, pairings, and whole events at random.

``make check-pairings`` plays five thousand random events, and a hundred of each late round.
"""

import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.results import PlayerId
from rules.swiss import lineup, rounds
from rules.swiss.lineup import Entrant, build_lineup
from rules.swiss.rounds import REMATCH, WISH, SwissPair, pair_round
from tests.rules.swiss.events import RandomEvent
from tests.rules.swiss.late_rounds import LATE, differ, is_optimal


def entrants(*points: int) -> list[Entrant]:
    """Return players 1, 2, 3 … with these points."""
    return [Entrant(player=number, points=own) for number, own in enumerate(points, start=1)]


def having_met(players: list[Entrant], *pairs: tuple[int, int]) -> list[Entrant]:
    """Return the players after these pairs have met."""
    return [_met(one, pairs) for one in players]


def _met(one: Entrant, pairs: tuple[tuple[int, int], ...]) -> Entrant:
    others = {b if a == one.player else a for a, b in pairs if one.player in (a, b)}
    return replace(one, met=one.met | others)


def pairs_of(found: tuple[SwissPair, ...]) -> set[frozenset[object]]:
    """Return who meets whom, the bye left out."""
    return {frozenset((pair.a, pair.b)) for pair in found if pair.b is not None}


def test_equal_points_meet_and_the_most_points_come_first() -> None:
    found = pair_round(entrants(0, 3, 6, 0, 3, 6), seed="x")
    assert [{pair.a, pair.b} for pair in found] == [{3, 6}, {2, 5}, {1, 4}]
    assert str(found[0].reason) == "Both players’ points: 6."


def test_an_odd_number_at_a_level_sends_one_down() -> None:
    found = pair_round(entrants(6, 3, 3, 3), seed="x")
    assert found[0].a == 1
    assert (
        str(found[0].reason)
        == "Paired down from 6 to 3 points: there was an odd number of players at 6 points."
    )


def test_a_player_who_has_met_the_whole_level_floats_with_a_reason() -> None:
    players = having_met(entrants(3, 3, 0, 0), (1, 2))
    found = pair_round(players, seed="x")
    assert all("no unplayed opponent" in str(pair.reason) for pair in found)


def test_the_lowest_without_a_bye_rests() -> None:
    players = entrants(6, 3, 0, 3, 0)
    (bye,) = [pair for pair in pair_round(players, seed="x") if pair.b is None]
    assert bye.a in (3, 5)
    rested = [replace(one, byes=1) if one.points == 0 else one for one in players]
    (bye,) = [pair for pair in pair_round(rested, seed="x") if pair.b is None]
    assert bye.a in (2, 4)


def test_a_second_bye_comes_only_after_everybody_had_one() -> None:
    players = [replace(one, byes=1) for one in entrants(3, 3, 0)]
    (bye,) = [pair for pair in pair_round(players, seed="x") if pair.b is None]
    assert bye.a == 3
    assert str(bye.reason) == "Bye: every available player has already had one."


def test_the_bye_leaves_the_others_a_pairing() -> None:
    # Were 5 to rest, the lowest, 1 would have nobody left.
    players = having_met(entrants(6, 6, 6, 3, 0), (1, 2), (1, 3), (1, 4))
    found = pair_round(players, seed="x")
    assert [pair.a for pair in found if pair.b is None] == [4]
    assert frozenset((1, 5)) in pairs_of(found)


def test_a_rematch_only_where_nothing_else_is_left_and_it_is_said() -> None:
    everybody = having_met(entrants(9, 6, 3, 0), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))
    found = pair_round(everybody, seed="x")
    assert all(pair.reason == REMATCH for pair in found)
    assert pairs_of(found) == {frozenset((1, 2)), frozenset((3, 4))}


def test_a_wish_is_given_up_before_a_rematch_is_made() -> None:
    players = having_met(entrants(3, 3, 0, 0), (1, 3), (1, 4), (2, 3), (2, 4))
    apart = [
        replace(one, apart=frozenset({2 if one.player == 1 else 1})) if one.player < 3 else one
        for one in players
    ]
    found = pair_round(apart, seed="x")
    assert pairs_of(found) == {frozenset((1, 2)), frozenset((3, 4))}
    assert [pair.reason for pair in found if pair.a in (1, 2)] == [WISH]


def kept_apart(players: list[Entrant], *pairs: tuple[int, int]) -> list[Entrant]:
    """Return the players with these pairs kept apart by the organiser."""
    apart = {
        one.player: {b if a == one.player else a for a, b in pairs if one.player in (a, b)}
        for one in players
    }
    return [replace(one, apart=frozenset(apart[one.player])) for one in players]


def test_the_bye_moves_up_before_anybody_meets_twice_for_a_wish() -> None:
    # Were 3 to rest, the lowest, 1 and 2 would meet again; 1 and 3 are only wished apart.
    players = kept_apart(having_met(entrants(6, 3, 0), (1, 2)), (1, 3), (2, 3))
    found = pair_round(players, seed="x")
    assert [pair.a for pair in found if pair.b is None] == [2]
    assert [pair.reason for pair in found if pair.b is not None] == [WISH]


def test_no_wish_gives_anybody_a_second_bye() -> None:
    players = kept_apart(entrants(3, 3, 0), (1, 2))
    rested = [replace(one, byes=1) if one.player < 3 else one for one in players]
    found = pair_round(rested, seed="x")
    assert [pair.a for pair in found if pair.b is None] == [3]
    assert [pair.reason for pair in found if pair.b is not None] == [WISH]


def test_one_club_is_kept_apart() -> None:
    club = frozenset(range(1, 33))
    players = [
        replace(one, apart=club - {one.player}) if one.player in club else one
        for one in entrants(*[0] * 64)
    ]
    found = pair_round(players, seed="x")
    assert not any(pair.a in club and pair.b in club for pair in found)


def test_a_club_too_large_for_an_exact_search_is_paired_all_the_same() -> None:
    club = frozenset(range(1, 401))
    players = [
        replace(one, apart=club - {one.player}) if one.player in club else one
        for one in entrants(*[0] * 800)
    ]
    found = pair_round(players, seed="x")
    assert len(pairs_of(found)) == 400
    together = [pair for pair in found if pair.a in club and pair.b in club]
    assert all(pair.reason == WISH for pair in together)


def test_the_seed_decides_what_the_rules_leave_open() -> None:
    players = entrants(*[0] * 16)
    one, other = pair_round(players, seed="one"), pair_round(players, seed="other")
    assert pairs_of(one) != pairs_of(other)
    assert pairs_of(pair_round(players[::-1], seed="one")) == pairs_of(one)


PROGRAM = """
from rules.swiss.lineup import Entrant
from rules.swiss.rounds import pair_round
players = [
    Entrant(player=f"p{n}", points=n * 7 % 13, met=frozenset(f"p{(n * k) % 64}" for k in (3, 5)))
    for n in range(64)
]
print([(pair.a, pair.b) for pair in pair_round(players, seed="s")])
"""


def test_two_processes_pair_alike_whatever_their_hashes() -> None:
    answers = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "12345")
    }
    assert len(answers) == 1


@pytest.mark.parametrize("start", range(0, 300, 30))
def test_whole_tournaments_break_no_rule(start: int) -> None:
    for number in range(start, start + 30):
        source = random.Random(number)
        size = source.choice((4, 5, 7, 8, 12, 16, 33, 64))
        rounds = source.randrange(2, min(9, size - 1))
        Tournament(size, source).play(rounds)


class Tournament:
    """A tournament with drops and late entries, its rounds checked one by one."""

    def __init__(self, size: int, source: random.Random) -> None:
        self.source = source
        self.points = dict.fromkeys(range(1, size + 1), 0)
        self.met: dict[int, set[int]] = {player: set() for player in self.points}
        self.byes: Counter[int] = Counter()
        self.floats: Counter[int] = Counter()
        self.gone: set[int] = set()

    def play(self, rounds: int) -> None:
        for number in range(rounds):
            present = [player for player in self.points if player not in self.gone]
            if len(present) < 3:
                return
            found = pair_round([self.entrant(player) for player in present], seed=f"s{number}")
            self.check(found, present)
            for pair in found:
                self.settle(pair)
            self.change(number)

    def entrant(self, player: int) -> Entrant:
        return Entrant(
            player=player,
            points=self.points[player],
            met=frozenset(self.met[player]),
            byes=self.byes[player],
            floats=self.floats[player],
        )

    def check(self, found: tuple[SwissPair, ...], present: list[int]) -> None:
        seated = [player for pair in found for player in (pair.a, pair.b) if player is not None]
        assert sorted(seated) == sorted(present)
        byes = [pair.a for pair in found if pair.b is None]
        assert len(byes) == len(present) % 2
        for pair in found:
            if pair.b is not None and pair.b in self.met[pair.a]:
                assert pair.reason == REMATCH
                assert not self.avoidable([one for one in present if one not in byes])

    def avoidable(self, players: list[int]) -> bool:
        """Say whether the players could have been paired without a rematch, by trying."""
        if not players:
            return True
        one, *others = players
        return any(
            self.avoidable([p for p in others if p != other])
            for other in others
            if other not in self.met[one]
        )

    def settle(self, pair: SwissPair) -> None:
        if pair.b is None:
            self.byes[pair.a] += 1
            self.points[pair.a] += 3
            return
        self.met[pair.a].add(pair.b)
        self.met[pair.b].add(pair.a)
        if self.points[pair.a] != self.points[pair.b]:
            self.floats.update((pair.a, pair.b))
        winner = self.source.choice((pair.a, pair.b, None))
        for player in (pair.a, pair.b):
            self.points[player] += 1 if winner is None else 3 * (player == winner)

    def change(self, number: int) -> None:
        """Now and then somebody leaves, and somebody comes late."""
        if self.source.random() < 0.3:
            self.gone.add(self.source.choice(list(self.points)))
        if number == 0 and self.source.random() < 0.3:
            late = len(self.points) + 1
            self.points[late] = 0
            self.met[late] = set()


NAMES = st.one_of(st.integers(-3, 200), st.text("aàb1", min_size=1, max_size=3))


@st.composite
def in_line(draw: st.DrawFn) -> list[Entrant]:
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


@given(in_line(), st.text(max_size=4))
def test_players_are_ordered_by_points_number_and_name(known: list[Entrant], seed: str) -> None:
    found = build_lineup(known, seed)
    by_words = sorted(
        known, key=lambda one: (-one.points, number(seed, one.player), str(one.player))
    )
    assert found.entrants == by_words
    assert found.noise == [number(seed, one.player) for one in by_words]


def test_equal_numbers_leave_the_order_to_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    same = SimpleNamespace(digest=lambda: bytes(32))
    monkeypatch.setattr(lineup, "sha256", lambda _text: same)
    found = build_lineup([Entrant(player=one) for one in (9, 10, "b", "a")], "x")
    assert [one.player for one in found.entrants] == [10, 9, "a", "b"]


@given(in_line())
def test_bars_name_the_others_of_the_round_only(known: list[Entrant]) -> None:
    found = build_lineup(known, "x")
    at = {one.player: index for index, one in enumerate(found.entrants)}
    barred = found.barred()
    for one, met, apart, both in zip(
        found.entrants, barred.met, barred.apart, barred.both(), strict=True
    ):
        assert met - {-1} == {at[other] for other in one.met if other in at}
        assert apart - {-1} == {at[other] for other in one.apart if other in at}
        assert both == met | apart


@given(in_line().filter(bool))
def test_who_rests_leaves_the_others_as_they_were(known: list[Entrant]) -> None:
    found = build_lineup(known, "x")
    resting = known[0]
    rest = found.without(resting)
    assert rest == build_lineup(known[1:], "x")


PAIRED = "38e7fbeadfa552eb74fe3ae57d8c915dea598dccbc04de583f09b00a91ac2685"


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


@pytest.mark.parametrize(
    "start",
    [*range(0, 80, 20), *(pytest.param(at, marks=pytest.mark.deep) for at in range(80, 200, 20))],
)
def test_no_rule_is_broken(start: int) -> None:
    for number in range(start, start + 20):
        event = RandomEvent(number).play()
        if len(event.players) <= 64:
            event.check_standings()


@pytest.mark.parametrize("size", [65, 512])
def test_no_rule_is_broken_in_a_large_event(size: int) -> None:
    RandomEvent(size, size).play()


@pytest.mark.parametrize(("players", "rounds"), LATE)
def test_small_late_rounds_are_the_cheapest_there_are(players: int, rounds: int) -> None:
    for seed in range(20 if players < 64 else 2):
        assert is_optimal(players, rounds, random.Random(seed))


def test_another_hash_seed_makes_the_same_late_rounds() -> None:
    assert not differ(3)
