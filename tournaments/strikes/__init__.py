"""Strikes: the group matches of a player who left early become void, and count again when lifted.

``services`` strikes a player and lifts it, ``strike_context`` says what that would change.
Who may be struck: ``players.selectors.returns``; who is struck gets no result
(``players.services.departures.check_not_struck``).
"""
