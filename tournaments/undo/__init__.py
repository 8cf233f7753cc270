"""Undo and redo of acts, by the lines of the event's log.

Each act is undone in one of two ways, or stays for a stated reason; ``selectors`` has the lists
(``INVERTED``, ``KEPT``, ``WHY_NOT``). Which rows come back is said by the service of the act: it
names its tables to ``undoable``. An inverse (``services/inverses.py``) computes the reverse
from the log line. Otherwise the service runs the act inside ``services.row_diff.undoable``, which
compares the event's rows before and after and stores the difference with the line (``KeptRows``);
``services/row_restore.py`` applies it backwards and refuses if other rows depend on the result.
``services/undo.py`` has the two services.

Nothing runs out by the clock; ``templatetags.undo_offer`` shows the button to organisers. Acts on
rounds, results and settings are undone in reverse order; acts that stand by themselves
(penalties, minutes, roles, notes, players before the start) at any time. An undo writes a line
``act.undone`` with a difference of its own, so redo (``act.redone``) is the same step once more, as
long as no other act on play came after. Both restore every row with key and timestamps, but
reports and versions of matches only grow: a restored result is a new report. Differences use keys
of this installation and are not archived, so a restored event can undo acts with an inverse only.
A start can be undone while no round exists; its draw stays on record.

``tests/tournaments/undo/test_undo_everything.py`` fails for a new action that is in none of the
lists, or has no scene in ``tests/scenes/``.
"""
