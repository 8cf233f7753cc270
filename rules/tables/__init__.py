"""Rounds of tables of three to five players: how many tables, who sits where, in which order.

Source: tables, 2 and 5. ``field`` says what a set of tables costs and who begins; ``rounds`` how
many tables of each size there are, also in a knock-out by tables, finds the best set for few
players, and improves one step by step for many. Chance is a digest of the seed.
"""
