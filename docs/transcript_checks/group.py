"""The numbers that players of one group made, by criterion, from their results."""

from fractions import Fraction

LEAST = Fraction(1, 3)
"""The least share of points or games, also of who has none, where the plan names no other."""


class Group:
    """Players, their results that count, and what each criterion gives them."""

    def __init__(self, points, players, results, shares):
        """Take the points (win, draw, loss), players in seat order, results, the plan's shares."""
        self.points, self.players = points, [p for p in players if p is not None]
        self.shares, self.least = shares, Fraction(shares.get("floor", LEAST))
        self.results = [one for one in results if one.winner not in (None, "void")]
        self.own = {player: [] for player in self.players}
        for one in self.results:
            for player, other, side in ((one.a, one.b, "a"), (one.b, one.a, "b")):
                if player is not None:
                    self.own[player].append((other, one, side))

    def among(self, kept):
        """Return the group of some of its players, without matches against the others."""
        inside = {*kept, None}
        results = [one for one in self.results if {one.a, one.b} <= inside]
        return Group(self.points, [p for p in self.players if p in inside], results, self.shares)

    def worth(self, one, side):
        """Return the points of one match for a side."""
        win, draw, loss = self.points
        return win if one.winner == side else draw if one.winner == "draw" else loss

    def made(self, player):
        """Return a player's points."""
        return sum(self.worth(one, side) for _other, one, side in self.own[player])

    def met(self, player):
        """Return a player's opponents; who was met twice stands twice."""
        return [other for other, _one, _side in self.own[player] if other is not None]

    def scores(self, player):
        """Return the score made and conceded; matches without an opponent bring none."""
        pairs = [
            one.score if side == "a" else one.score[::-1]
            for other, one, side in self.own[player]
            if one.score and other is not None
        ]
        return sum(own for own, _given in pairs), sum(given for _own, given in pairs)

    def games(self, player):
        """Return the games won, drawn and played, over the matches whose games are known."""
        known = [(one.games, side) for _other, one, side in self.own[player] if one.games]
        byes = [one for other, one, side in self.own[player] if other is None and won_by(one, side)]
        won_without = int(self.shares.get("bye_games", 0))
        known += [((won_without, 0, 0), "a") for one in byes if not one.games]
        won = sum(games[side == "b"] for games, side in known)
        return won, sum(games[2] for games, _s in known), sum(sum(games) for games, _s in known)

    def match_share(self, player):
        """Return the share of the points that could be had; at least the least."""
        counts = [
            (one, side)
            for other, one, side in self.own[player]
            if "byes" not in self.shares or other is not None or not won_by(one, side)
        ]
        most = len(counts) * self.points[0]
        made = sum(self.worth(one, side) for one, side in counts)
        if "draw" in self.shares:
            drawn = sum(one.winner == "draw" for one, _side in counts)
            made = sum(won_by(one, side) for one, side in counts)
            most, made = len(counts), made + drawn * Fraction(self.shares["draw"])
        return max(self.least, Fraction(made) / most) if most > 0 else self.least

    def game_share(self, player):
        """Return (3 won + drawn) / (3 played); at least the least."""
        won, drawn, played = self.games(player)
        return max(self.least, Fraction(3 * won + drawn, 3 * played)) if played else self.least

    def mean(self, share, player):
        """Return the mean of a share over the opponents; the least without any."""
        met = self.met(player)
        return sum(map(share, met)) / Fraction(len(met)) if met else self.least

    def opponents(self, player):
        """Return the points of a player's opponents, the lowest first."""
        return sorted(self.made(other) for other in self.met(player))

    def sonneborn_berger(self, player):
        """Return the points of beaten opponents and half of those of drawn ones."""
        parts = {"a": (1, "a"), "b": (1, "b"), "draw": (Fraction(1, 2), None)}
        total = Fraction(0)
        for other, one, side in self.own[player]:
            share, winner = parts.get(one.winner, (0, None))
            if other is not None and share and winner in (side, None):
                total += share * self.made(other)
        return total

    def clean_wins(self, player):
        """Return the matches won without a lost or drawn game; byes do not count."""
        return sum(
            one.winner == side and sum(one.games) == one.games[side == "b"]
            for other, one, side in self.own[player]
            if one.games and other is not None
        )

    @property
    def numbers(self):
        """Return the criteria that give one number a player, by key."""
        return NUMBERS

    def number(self, key, player):
        """Return a player's number under a criterion; raises KeyError for an unknown one."""
        return NUMBERS[key](self, player)


NUMBERS = {
    "points": Group.made,
    "wins": lambda g, p: sum(one.winner == side for _other, one, side in g.own[p]),
    "score_for": lambda g, p: g.scores(p)[0],
    "score_difference": lambda g, p: g.scores(p)[0] - g.scores(p)[1],
    "opponents_points": lambda g, p: sum(g.opponents(p)),
    "buchholz_cut1": lambda g, p: sum(g.opponents(p)[1:]),
    "buchholz_median": lambda g, p: sum(g.opponents(p)[1:-1]),
    "sonneborn_berger": Group.sonneborn_berger,
    "opponents_match_win": lambda g, p: g.mean(g.match_share, p),
    "opponents_opponents_match_win": lambda g, p: g.mean(lambda q: g.mean(g.match_share, q), p),
    "game_win": Group.game_share,
    "opponents_game_win": lambda g, p: g.mean(g.game_share, p),
    "wins_fewer_games": Group.clean_wins,
}
"""The criteria that give one number a player, the higher the better."""


def won_by(one, side):
    """Return whether a side won a match."""
    return one.winner == side


def split(level, number):
    """Return level players in classes by a number, the highest first."""
    return [[p for p in level if number[p] == n] for n in sorted({number[p] for p in level})[::-1]]


def head_to_head(group, level, uefa):
    """Return level players in classes by the matches among them, again among who stays level.

    Where not all have met, only who stays ahead whatever the missing matches bring is placed.
    """
    inside = set(level)
    own = {p: [each for each in group.own[p] if each[0] in inside] for p in level}
    points = {p: sum(group.worth(one, side) for _o, one, side in own[p]) for p in level}
    missing = {p: len(level) - 1 - len({other for other, _one, _s in own[p]}) for p in level}
    classes = [level]
    if any(own.values()) and any(missing.values()):
        low, high = min(group.points), max(group.points)
        best = max(level, key=lambda p: points[p] + missing[p] * low)
        rest, floor = [p for p in level if p != best], points[best] + missing[best] * low
        if all(floor > points[p] + missing[p] * high for p in rest):
            classes = [[best], rest]
    elif any(own.values()):
        classes = split(level, {p: figures(own[p], points[p]) for p in level} if uefa else points)
    if len(classes) == 1:
        return classes
    return [
        smaller
        for same in classes
        for smaller in (head_to_head(group, same, uefa) if len(same) > 1 else [same])
    ]


def figures(own, points):
    """Return points, score difference and score made in some matches of a player."""
    pairs = [one.score if side == "a" else one.score[::-1] for _o, one, side in own if one.score]
    made, given = (sum(pair[at] for pair in pairs) for at in (0, 1))
    return points, made - given, made
