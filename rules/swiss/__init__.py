"""Swiss pairing: optimal, and certified as such on every call.

The objectives, in this order: no rematch and no pair that the organiser keeps apart; minimum sum
of squared differences of points; players who floated before float again last; a seeded random
order.

``rounds`` splits the field at big score levels, solves the parts between two of them exactly, pairs
the big levels themselves with the library's minimum-cost matching, and handles byes, reasons and
fields that no pairing without a violation exists for; ``lineup`` has the players.
"""
