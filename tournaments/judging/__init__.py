"""Judges at work: calls to tables, rulings, staff notes, announcements.

``services`` has calls of players and of the desk (made, taken, closed by a judge or, left over, by
the next round or the end of the stage), and what judges write. The log records that something was
written; the words stay with their match, as they may name cards. Deck checks are in
``tournaments.checks``, penalties in ``tournaments.penalties``, the rulings of an event in
``tournaments.events``.
"""
