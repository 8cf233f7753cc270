"""Pages for everybody: the list of events, an event's page and its players.

They are composed from the selectors of other features; who sees decklists and Leaders is decided
by ``tournaments.core.visibility``.
"""
