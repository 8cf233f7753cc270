"""A bracket as it was played: who won and lost each match, and how far everybody came."""

from collections import namedtuple

from transcript_checks.brackets import shape

Ended = namedtuple("Ended", "winner loser decided")


class BracketPlay:
    """The bracket of one stage with its results; ``known`` are the results by match number."""

    def __init__(self, plan, seats, results):
        self.plan, self.seats, self.matches = plan, seats, shape(plan)
        self.known = {one.number: one for one in results}
        self.made = max((m.round for m in self.matches if m.number in self.known), default=0)
        self.ended = {}
        for match in self.matches:
            self.ended[match.number] = self.end_of(match)
        self.final = dict(self.ended)  # both matches of a grand final as one
        for match in self.matches:
            if match.part == "again":
                self.final[match.sources[0][1]] = self.ended[match.number]

    def side(self, source):
        """Return the player whom a source gives, and whether that is decided."""
        kind, number = source
        if kind == "seat":
            return (self.seats[number - 1] if number <= len(self.seats) else None), True
        ended = self.ended[number]
        return (ended.winner if kind == "winner" else ended.loser), ended.decided

    def end_of(self, match):
        """Return where a match leads; who has no opponent advances without one."""
        if match.number in self.known:
            one = self.known[match.number]
            both = {"a": (one.a, one.b), "b": (one.b, one.a)}.get(one.winner, (None, None))
            return Ended(*both, one.winner is not None)
        (a, a_known), (b, b_known) = map(self.side, match.sources)
        if not (a_known and b_known):
            return Ended(None, None, False)
        if match.part == "again" and not self.needed(match):
            return Ended(b, a, True)
        if a is None or b is None:
            return Ended(b if a is None else a, None, True)
        return Ended(None, None, match.round <= self.made)

    def needed(self, match):
        """Return whether the second match of a grand final is played."""
        first = self.known.get(match.sources[0][1])
        return first is not None and self.ended[first.number].winner not in (None, first.a)

    def levels(self):
        """Return each player's distance from winning, 0 for the winner, as far as known."""
        return self.double_levels() if self.plan["kind"] != "knockout" else self.single_levels()

    def single_levels(self):
        """Return the levels of a knock-out; the match for third place ranks two."""
        levels = {}
        for match in self.matches:
            one = self.known.get(match.number)
            ended = self.ended[match.number]
            for player in (one.a, one.b) if one else ():
                lost = player == ended.loser
                if self.plan["survivors"] > 1:
                    lost = player != ended.winner
                near = 2 * (match.part == "third") + lost
                levels[player] = 4 + match.distance if match.distance else near
        return {player: level for player, level in levels.items() if player is not None}

    def double_levels(self):
        """Return the levels of a double elimination: the later in the lower bracket, the better."""
        lower = {
            number: match.to_go
            for match in self.matches
            if match.part == "lower"
            for kind, number in match.sources
            if kind == "loser"
        }
        levels = dict.fromkeys((p for p in self.seats if p is not None), 0)
        for match in self.matches:
            one = self.known.get(match.number)
            away = match.to_go if match.part == "lower" else lower.get(match.number, 0)
            for player in (one.a, one.b) if one else ():
                if player is not None:
                    levels[player] = 0 if match.part in ("final", "again") else 2 + away
        final = next(match for match in self.matches if match.part == "final")
        ended = self.final[final.number]
        both = enumerate((ended.winner, ended.loser))
        return levels | {player: level for level, player in both if player is not None}

    def by_last_match(self, out):
        """Return some players in classes by their last match, the later the better."""
        levels = self.levels()
        players = [player for player in levels if player in out]
        return [
            [player for player in players if levels[player] == level]
            for level in sorted({levels[player] for player in players})
        ]
