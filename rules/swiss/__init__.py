"""Swiss pairing: exact, and provably so on every call.

The aim, in this order: no rematch and no pair that the organiser keeps apart; the least sum of
squared differences of points; players who floated before float again last; a seeded order.

``search`` splits the field at big score levels, ``segments`` solves what lies between two of them
exactly, ``levels`` pairs the big levels themselves, ``broken`` is for fields that no pairing
without a broken rule exists for, ``rounds`` knows players, byes and reasons.
"""
