"""One code for everybody: a phone asks to sign in as a player, and the staff confirms it.

``rules.events.joining`` has codes and limits. A request (``models.JoinClaim``) stands outside the
log, the archive and the version of the event, so a hall that joins throws no finished page away;
only ``services`` that confirm or refuse one write a line. Its secret is on the asking phone alone:
in a cookie (``views``), or in the header of a program (``api``). What the desk shows of those
that wait has a poll of its own. Who holds a player already, an account or a link
that was opened or mailed (``PersonalLink.unopened``), is told on the own page and may refuse.
"""
