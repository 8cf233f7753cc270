"""Players (entries): registration, the staff's table, check-in, departures, late entries.

``services.entries`` enters players, moves them up or lets them in, makes the personal link by which
a player without account is recognised, and stores what a player answers to the questions of the
event, which is read by that player and the staff alone: it is in no line of the log, and in no
page, endpoint or file for others. ``services.departures`` withdraws, disqualifies and readmits, and
stores that a player who has left asks to come back, which the staff refuse, or readmit the player.
``services.late_entries`` adds players to Swiss rounds after the start and stores the rounds they
missed: a late entry is a seat named "late 14" in the event's stored plan, held by player 14.
``inverses`` undoes entries and changes. ``views.access`` finds the player
of a request and is for players, ``views.players`` and ``views.player`` for the staff.
"""
