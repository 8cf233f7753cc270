"""Undo and redo of acts, by the lines of the event's log.

Each act is undone in one of two ways, or stays for a stated reason, as its declaration in
``acts.py`` of its feature says (``core.acts``). Which rows come back is said by the service of the
act: it names its tables to ``undoable``. An inverse (in ``inverses.py`` or ``services.py`` of the
feature) computes the reverse from the log line. Otherwise the service runs the act inside
``services.undoable``, which compares the event's rows before and after and stores the difference
with the line (``KeptRows``), which has its digest (``chain.lines``): if they differ, nothing
is undone. ``services.undo`` applies it backwards and refuses if other rows depend on the result;
``services.redo`` takes an undo back.

Nothing runs out by the clock; ``templatetags.event_head`` shows the button to organisers. Acts on
rounds, results and settings are undone in reverse order; acts that stand by themselves (penalties
that decide no match, minutes, roles, notes, players before the start) at any time. An undo writes a
line ``act.undone`` with a difference of its own, so redo (``act.redone``) is the same step once
more, as long as no other act on play came after. Both restore every row with key and timestamps,
but reports and versions of matches only grow: a restored result is a new report. Differences use
keys of this installation and are not archived, so a restored event can undo acts with an inverse
only. A start can be undone while no round exists; its draw stays on record.

``tests/tournaments/core/test_acts.py`` fails for an act that can be undone and has no scene in
``tests/scenes/``.
"""
