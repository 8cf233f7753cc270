"""Ties: how level players are separated when criteria do not.

``decisions`` applies lots (``draws``) and tiebreaker matches to standings: of several, the latest
that covers a whole set of level players and separates somebody counts; it also makes these matches,
and finds ties that matter. ``explanations`` explains each rank.
"""
