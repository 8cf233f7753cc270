"""Penalties: given by judges, removed by organiser or head judge, counted where standings ask.

``services`` stores and removes them; a disqualification also withdraws the player, a match loss
decides their match if it has no result yet. ``selectors`` lists them for staff and players, says
what was stored, and proposes a more severe one for repeated infractions. The scale
is in ``rules.events.penalties``, its levels in ``models.check``; ``tournaments.core.event_state``
counts them for standings.
"""
