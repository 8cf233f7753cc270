"""A knock-out by tables as it was played: who meets whom, who goes on, and the order at its end."""

MISSING = 9
"""The place of a seed who was not at the table, or had none there."""
POWERS = (3, 2, 1)
"""A step ends with so many players as the usual size has to one of these powers."""


class Cut:
    """The cut of one stage; seeds are its seats, from 0, ``played`` the tables of each round."""

    final = {}
    """The ends of matches that places name: a cut gives none."""

    def __init__(self, plan, seats, played):
        self.seats, self.played = seats, played
        self.usual = plan.get("own", {}).get("sizes", [4])[0]

    def step(self, left):
        """Return the seeds with a bye and the tables of the seeds that are left."""
        if len(left) == self.usual:
            return [], [[*left]]
        goal = next(self.usual**n for n in POWERS if self.usual**n < len(left))
        count = (len(left) - goal) // (self.usual - 1)
        byes, playing = left[: goal - count], left[goal - count :]
        rows = [playing[at : at + count] for at in range(0, len(playing), count)]
        turned = [row[::-1] if turn % 2 else row for turn, row in enumerate(rows)]
        return [*byes], [list(table) for table in zip(*turned, strict=True)]

    def rounds(self):
        """Return the byes and tables of every round made, and of the next one if there is one."""
        left, found = [*range(len(self.seats))], []
        for at in range(len(self.played) + 1):
            byes, tables = self.step(left)
            found.append((byes, tables))
            if len(left) == self.usual or at == len(self.played):
                break
            left = sorted(byes + [self.winner(at, table) for table in tables])
        return found

    def places_at(self, at, seeds):
        """Return the places of the seeds of a table in a round."""
        of = {self.seats[seed]: seed for seed in seeds if self.seats[seed] is not None}
        for table in self.played[at]:
            if of.keys() & set(table.seats):
                places = table.places or [2] * len(table.seats)
                both = zip(table.seats, places, strict=True)
                return {of[player]: place for player, place in both if player in of and place}
        return {}

    def winner(self, at, seeds):
        """Return the seed that goes on from a table; of several level ones the best.

        Once the next step is made it is who sits there, whatever a result was corrected to.
        """
        if at + 1 < len(self.played):
            sat = {player for table in self.played[at + 1] for player in table.seats}
            on = [seed for seed in seeds if self.seats[seed] in sat]
            if len(on) == 1:
                return on[0]
        places = self.places_at(at, seeds)
        return min(seeds, key=lambda seed: (places.get(seed, MISSING), seed))

    def seated(self, at):
        """Return the players of each table and bye of a round as they would be, in its order."""
        byes, tables = self.rounds()[at]
        found = [[self.seats[seed] for seed in each] for each in (*tables, *([b] for b in byes))]
        there = [[player for player in each if player is not None] for each in found]
        return [each for each in there if each]

    def order(self):
        """Return the players, best first."""
        out, places, won = {}, {}, None
        for at, (_byes, tables) in enumerate(self.rounds()[: len(self.played)]):
            for table in tables:
                winner = self.winner(at, table)
                if len(tables) == 1 and len(table) == self.usual and not _byes:
                    places, won = self.places_at(at, table), winner
                else:
                    out |= {seed: at for seed in table if seed != winner}
        last = len(self.played)
        seeds = sorted(
            range(len(self.seats)),
            key=lambda seed: (
                -out.get(seed, last),
                seed != won,
                places.get(seed, MISSING) if seed not in out else 0,
                seed,
            ),
        )
        return [self.seats[seed] for seed in seeds if self.seats[seed] is not None]

    def by_last_match(self, out):
        """Return some players in classes by how far they came: each alone."""
        return [[player] for player in self.order() if player in out]
