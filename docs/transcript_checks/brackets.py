"""The matches of a bracket, as its numbers of seats and survivors make them."""

from collections import namedtuple

Match = namedtuple("Match", "number round distance sources part to_go")
"""``sources``: ("seat", n), ("winner", match) or ("loser", match); ``distance``: rounds to the
last one; ``part``: "" or "third", "upper", "lower", "final", "again"; ``to_go``: rounds of that
part after it."""

CROSSINGS = {
    1: (),
    2: (0,),
    3: (0, 1),
    4: (0, 2, 0),
    5: (0, 4, 1, 1),
    6: (0, 8, 2, 3, 0),
    7: (0, 16, 4, 6, 0, 1),
    8: (0, 32, 8, 12, 1, 2, 0),
}
"""By the rounds of the upper bracket: the loser of match m of upper round j drops to place
m XOR the j-th number of the lower bracket (docs/rules-sources.md)."""


def slots(seats, survivors):
    """Return the seeds in the order of the slots: for eight 1 8 4 5 2 7 3 6."""
    size, parts = survivors, [[seed] for seed in range(1, survivors + 1)]
    while size < seats:
        size *= 2
        parts = [[slot for seed in part for slot in (seed, size + 1 - seed)] for part in parts]
    return [seed for part in parts for seed in part]


def single(seats, survivors, third_place):
    """Return the matches of a knock-out, round by round; byes are matches too."""
    sources, matches, rounds = [("seat", seed) for seed in slots(seats, survivors)], [], 0
    while survivors * 2**rounds < seats:
        rounds += 1
    for number in range(1, rounds + 1):
        pairs = [*zip(sources[::2], sources[1::2], strict=True)]
        if third_place and survivors == 1 and number == rounds > 1:
            losers = tuple(("loser", match) for _kind, match in sources)
            matches.append(Match(len(matches) + 1, number, 0, losers, "third", 0))
        sources = []
        for pair in pairs:
            matches.append(Match(len(matches) + 1, number, rounds - number, pair, "", 0))
            sources.append(("winner", len(matches)))
    return matches


class Double:
    """Builds a double elimination: a first loss drops a player down, a second puts them out."""

    def __init__(self, seats, second_final):
        self.seats, self.numbers, self.matches, self.rounds = seats, 0, [], 0
        while 2**self.rounds < seats:
            self.rounds += 1
        upper, lower = self.upper(1, [("seat", seed) for seed in slots(seats, 1)])
        for level in range(2, self.rounds + 1):
            upper, falling = self.upper(level, upper)
            lower = self.lower(2 * level - 3, lower[::2], lower[1::2])
            crossing = (*CROSSINGS[self.rounds], 0)[level - 1]
            down = [falling[place ^ crossing] for place in range(len(falling))]
            lower = self.lower(2 * level - 2, down, lower)
        ends = tuple(source for source in (*upper, *lower) if source is not None)
        final = self.add(2 * self.rounds, ends, "final", 0)
        if second_final:
            both = (("loser", final), ("winner", final))
            self.add(2 * self.rounds + 1, both, "again", 0)

    def add(self, number, sources, part, to_go):
        """Add a match of this round of the event; return its number."""
        self.numbers += 1
        distance = max(0, 2 * self.rounds - number)
        self.matches.append(Match(self.numbers, number, distance, sources, part, to_go))
        return self.numbers

    def upper(self, level, sources):
        """Add an upper round; return where its winners and losers come from."""
        winners, losers = [], []
        for pair in zip(sources[::2], sources[1::2], strict=True):
            number = self.add(
                1 if level == 1 else 2 * level - 2, pair, "upper", self.rounds - level
            )
            bye = any(kind == "seat" and seed > self.seats for kind, seed in pair)
            winners.append(("winner", number))
            losers.append(None if bye else ("loser", number))
        return winners, losers

    def lower(self, level, firsts, seconds):
        """Add a lower round; who has no opponent is passed on, and the number stays free."""
        winners = []
        for first, second in zip(firsts, seconds, strict=True):
            if first is None or second is None:
                self.numbers += 1
                winners.append(first or second)
            else:
                to_go = 2 * self.rounds - 2 - level
                number = self.add(level + 1, (first, second), "lower", to_go)
                winners.append(("winner", number))
        return winners


def shape(plan):
    """Return the matches of a planned bracket, in the order of their numbers."""
    seats = len(plan["groups"][0]["seats"])
    if plan["survivors"] < 1:
        raise ValueError("a bracket that leaves nobody")
    if plan["kind"] == "knockout":
        return single(seats, plan["survivors"], plan["third_place"])
    return Double(seats, plan["second_final"]).matches if seats > 1 else []
