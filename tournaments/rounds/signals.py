"""Signals of rounds, sent within the transaction of the act, with the event locked.

``tournaments.start`` connects them; what a receiver raises undoes the act.
"""

from django.dispatch import Signal

round_published = Signal()
"""Sent with ``event``, ``ordinal`` and ``by`` after a round is published."""
before_discard = Signal()
"""Sent with ``event`` and ``by`` before a round is deleted together with its results."""
