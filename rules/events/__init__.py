"""Rules of running an event.

``lifecycle`` has the allowed state transitions, ``clock`` the clock of a round, ``deck_checks`` and
``penalties`` the judges' work, ``timetable`` the times of a day, ``questions`` what is asked at
registration, ``held_standings`` what is held back, ``own_page`` the state of a player's own page,
``ledger`` the hash chain of the log.
"""
