"""Judges at work: calls to tables, rulings, staff notes, announcements.

``services.calls`` has calls of players, ``services.notes`` everything written by judges. The log
records that something was written; the words stay with their match, as they may name cards. Deck
checks are in ``tournaments.checks``, penalties in ``tournaments.penalties``.
"""
