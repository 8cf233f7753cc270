"""Penalties: given by judges, removed by organiser or head judge, counted where standings ask.

``services`` stores and removes them; a disqualification also withdraws the player. ``selectors``
lists them for staff and players, counts them for standings (``penalty_count``), and proposes a
graver one for repeated infractions. The scale is in ``rules.events``.
"""
