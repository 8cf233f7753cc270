"""Decklists of an event: handing in, the lock, drafts, versions, and shown lists.

``services`` stores a submission (every one is kept, one counts), opens a list for one player after
the lock, and shows all lists after the event. ``selectors.versions`` has the submissions of a
player, and tells whether a list can be changed now. ``selectors.rules`` returns the rules of the
event: those in effect today until it starts, then those fixed at the start. Who may read a list is
decided by ``tournaments.core.visibility`` alone; what a reader may not see answers 404, or 403 to
somebody who belongs to the event.

Pages: ``views.player`` has the player's own, on the editor of ``views.staff``; ``views.shown`` has
lists that are open to others, printable sheets, and what was played. ``api`` is the endpoint of one
player's list.
"""
