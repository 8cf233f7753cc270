"""The judge's phone: the tables of the round as a grid, calls, extra time, penalties.

``selectors`` has the grid, what waits for a judge (``judging.selectors.open_calls``, whatever their
round, and disputes; the oldest first), and the sheet of a table; ``views`` the reasons in one
tap, with the usual next step for each player. What is done is stored by the services of
``tournaments.clock``, ``judging``, ``penalties`` and ``checks``; ``back`` in a form brings the
reader here again.
"""
