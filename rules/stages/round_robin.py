"""Groups in which all players meet each other, once to four times.

Source: Regolamento da torneo, Formula; tournament rules, Schedules.
"""

from rules.results import PlayerId
from rules.stages.base import (
    LEGS,
    STAGE_KINDS,
    WITHOUT_LAST,
    Meetings,
    Pairing,
    StageKind,
    StageState,
    scheduled_pairing,
)
from rules.wording import Sentence

Schedule = tuple[tuple[tuple[int, int], ...], ...]

PUBLISHED: dict[int, Schedule] = {
    3: (((1, 2),), ((1, 3),), ((2, 3),)),
    4: (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3))),
}
REPECHAGE: Schedule = (((1, 4), (2, 3)), ((1, 3), (2, 4)), ((1, 2), (3, 4)))
"""L–P M–N | L–N M–P | L–M N–P, for seats L, M, N, P."""


def round_robin_schedule(players: int, order: str = "standard") -> Schedule:
    """Return the rounds of one leg of a round robin, each with pairs of seats from 1.

    Three and four players use the published order, four in a repechage (``order``) their own. Two,
    five and more use the circle method: seats 1 2 3 … n are arranged in a circle (an odd number
    with an empty seat at the end, whose opponent has a bye); in each round first meets last, second
    meets last but one, and so on; then seat 1 stays and all others move by one, the last to second.
    For five: 2–5 3–4 | 1–5 2–3 | 1–4 3–5 …, the lower seat first.
    """
    if order == "repechage" and players == 4:
        return REPECHAGE
    return PUBLISHED.get(players) or _circle_schedule(players)


def rounds_per_leg(players: int) -> int:
    """Return the number of rounds of one leg of a round robin of so many players."""
    return players - 1 + players % 2 if players > 1 else 0


def _circle_schedule(players: int) -> Schedule:
    if players < 2:
        return ()
    circle = list(range(1, players + players % 2 + 1))
    rounds = []
    for _round in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        rounds.append(tuple((min(pair), max(pair)) for pair in pairs if max(pair) <= players))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return tuple(rounds)


class RoundRobin(StageKind):
    """The kind of stage whose groups play round robin at the same time."""

    key = "round_robin"
    label = Sentence("Round robin")
    settings = (LEGS, WITHOUT_LAST)
    most = 32
    several_groups = True
    all_meet = True

    @property
    def usual_name(self) -> Sentence:
        """Return the default name of a new stage of this kind."""
        return Sentence("Groups")

    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the pairings of the next round, () after the last.

        They do not depend on results; matches of players who have left are forfeits.
        """
        count = sum(len(played) for played in state.rounds)
        pairings: list[Pairing] = []
        for group in state.plan.groups:
            for a, b, leg in _pairs_of_round(state, group.name, len(state.rounds) + 1):
                number = count + len(pairings) + 1
                pairings.append(scheduled_pairing(state, group.name, number, a, b, leg=leg))
        return tuple(pairings)

    def meetings(self, state: StageState, group: str) -> Meetings:
        """Return who meets whom in each round of a group, () before it is drawn."""
        if not state.seats:
            return ()
        rounds = range(1, self.total_rounds(state) + 1)
        found = (_pairs_of_round(state, group, number) for number in rounds)
        return tuple(tuple((a, b) for a, b, _leg in pairs) for pairs in found)

    def total_rounds(self, state: StageState) -> int:
        """Return the number of rounds of the largest group, all legs included."""
        return state.legs * max(_rounds_a_leg(state, group.name) for group in state.plan.groups)

    def matches_by_round(self, state: StageState) -> list[int]:
        """Return the number of matches in each round; smaller groups finish earlier."""
        sizes = [len(group.seats) for group in state.plan.groups]
        longest = max(map(rounds_per_leg, sizes))
        leg = [
            sum(size // 2 for size in sizes if number < rounds_per_leg(size))
            for number in range(longest)
        ]
        return leg * state.legs

    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Return a round's label, with its leg if there are several."""
        if state.legs == 1:
            return Sentence("Round %(number)s", {"number": number})
        leg = (number - 1) * state.legs // self.total_rounds(state) + 1
        if state.legs > 2:
            return Sentence("Round %(number)s, leg %(leg)s", {"number": number, "leg": leg})
        if leg == 1:
            return Sentence("Round %(number)s, first leg", {"number": number})
        return Sentence("Round %(number)s, second leg", {"number": number})


def _rounds_a_leg(state: StageState, group: str) -> int:
    return rounds_per_leg(len(state.seated(group)))


def _pairs_of_round(
    state: StageState, group: str, number: int
) -> list[tuple[PlayerId, PlayerId, int]]:
    """Return a group's pairs in a round with their leg; in every second leg the seats are swapped.

    All groups start a leg together, after the largest has finished the one before.
    """
    players = state.seated(group)
    longest = max(_rounds_a_leg(state, other.name) for other in state.plan.groups)
    leg, index = divmod(number - 1, longest) if longest else (state.legs, 0)
    rounds = round_robin_schedule(len(players), state.plan.order)
    if leg >= state.legs or index >= len(rounds):
        return []
    pairs = [(players[a - 1], players[b - 1]) for a, b in rounds[index]]
    return [(b, a, leg + 1) if leg % 2 else (a, b, leg + 1) for a, b in pairs]


ROUND_ROBIN = STAGE_KINDS.add(RoundRobin())
