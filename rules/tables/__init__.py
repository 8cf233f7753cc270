"""Rounds of tables of three to five players: how many tables, who sits where, in which order.

Source: tables, 2 and 5. ``sizes`` says how many tables of each size there are, ``field`` what a
set of tables costs, ``neighbours`` the set to begin with, ``search`` improves it, ``exact`` finds
the best of all for few players, ``seat_order`` says who begins, and ``rounds`` puts them together.
``cut`` has the sizes and tables of a knock-out by tables. Chance is a digest of the seed.
"""
