"""The public page of a match: who plays, the result, and what follows for each player.

Everybody who may read the event may read it, and it is kept finished. ``selectors`` composes it
from the facts of the event, whose brackets ``tournaments.diagrams`` draws. A report that no result
follows from yet, penalties and notes are the staff's page of the match (``tournaments.results``).
"""
