"""Swiss pairing: optimal, and certified as such on every call.

The objectives, in this order: no rematch and no pair that the organiser keeps apart; minimum sum
of squared differences of points; players who floated before float again last; a seeded random
order.

``search`` splits the field at big score levels, ``segments`` solves the parts between two of them
exactly, ``levels`` pairs the big levels themselves, ``matching`` wraps the library's minimum-cost
matching, and ``rounds`` handles players, byes, reasons and fields that no pairing without a
violation exists for.
"""
