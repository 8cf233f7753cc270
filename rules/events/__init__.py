"""Rules of running an event.

``lifecycle`` has the allowed state transitions, ``clock`` the clock of a round, ``deck_checks``
and ``penalties`` the judges' work, ``log_chain`` the hash chain of the log.
"""
