"""Ties: how level players are separated when criteria do not.

``decisions`` applies lots (``draws``) and tiebreaker matches (``extra_matches``) to standings: of
several, the latest that covers a whole set of level players and separates somebody counts;
``decisions`` finds ties that matter; ``decisions`` explains each rank.
"""
