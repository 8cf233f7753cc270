"""Pairs of players that Swiss rounds keep apart: clubmates, and pairs that organisers add.

``selectors.pairs_to_avoid`` collects them when a round is drafted, which stores them
(``Round.apart``), so that ``verify`` can recompute the pairing. They are kept apart as far as a
pairing allows it.
"""
