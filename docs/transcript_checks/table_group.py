"""The numbers that players of a stage of tables made, by criterion, from their results."""

from fractions import Fraction

from transcript_checks.table_results import made_at


class TableGroup:
    """Players, their tables that count, and what each criterion gives them."""

    def __init__(self, worth, usual, players, tables):
        """Take what places are worth, the usual size, players in seat order and all tables."""
        self.worth, self.usual = worth, usual
        self.players = [player for player in players if player is not None]
        self.floor = Fraction(1, usual) if worth.floor is None else worth.floor
        self.most = worth.by_place[0] if worth.by_place else worth.first
        self.own = {player: [] for player in self.players}
        for table in tables:
            if table.places is not None:
                seats = zip(table.seats, table.places, made_at(worth, table), strict=True)
                for player, place, points in seats:
                    self.own[player].append((table, place, points))

    @property
    def numbers(self):
        """Return the criteria that give one number a player, by key."""
        return NUMBERS

    def number(self, key, player):
        """Return a player's number under a criterion; raises KeyError for an unknown one."""
        return NUMBERS[key](self, player)

    def made(self, player):
        """Return a player's points."""
        return sum(points for _table, _place, points in self.own[player])

    def byes(self, player):
        """Return how often a player rested and had the points of a bye."""
        return sum(len(t.seats) == 1 and place == 1 for t, place, _points in self.own[player])

    def met(self, player):
        """Return everybody who sat at a table with a player; who did twice stands twice."""
        tables = [table for table, _place, _points in self.own[player]]
        return [other for table in tables for other in table.seats if other != player]

    def won(self, player):
        """Return the tables that a player won alone, byes too."""
        own = self.own[player]
        return [t for t, place, _points in own if place == 1 and t.places.count(1) == 1]

    def beaten(self, player):
        """Return how many different players sat at tables that a player won alone."""
        return len({other for table in self.won(player) for other in table.seats} - {player})

    def places_made(self, player):
        """Return how often a player had place 1, 2, … at a table of two and more."""
        places = [place for table, place, _points in self.own[player] if table.seats[1:]]
        return tuple(places.count(place) for place in range(1, 6))

    def own_share(self, player):
        """Return the points out of those that winning every table gives, at least the floor."""
        byes = self.byes(player)
        made, rested = self.made(player), byes * self.worth.bye
        most = (len(self.own[player]) - byes) * self.most
        if self.worth.bye_counts:
            most += rested
        else:
            made -= rested
        return max(self.floor, Fraction(made) / most) if most else self.floor

    def opponents_share(self, player):
        """Return the mean of the shares of those met; a bye adds a usual table at the floor."""
        shares = [self.own_share(other) for other in self.met(player)]
        if self.worth.bye_adds:
            shares += [self.floor] * self.byes(player) * (self.usual - 1)
        return sum(shares) / Fraction(len(shares)) if shares else Fraction(0)

    def opponents_average(self, player):
        """Return the mean of the points of those met; 0 without any."""
        points = [self.made(other) for other in self.met(player)]
        return Fraction(sum(points)) / len(points) if points else Fraction(0)


NUMBERS = {
    "points": TableGroup.made,
    "wins": lambda g, p: len(g.won(p)),
    "places_made": TableGroup.places_made,
    "own_share": TableGroup.own_share,
    "opponents_share": TableGroup.opponents_share,
    "opponents_average": TableGroup.opponents_average,
    "beaten": TableGroup.beaten,
}
"""The criteria that give one number a player (places: several, compared in turn)."""
