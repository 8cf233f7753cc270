"""The public page of every player of an event: record, rank, matches, way through the stages.

What a player alone sees is ``tournaments.personal``. Everybody who may read the event may read it,
and it is kept finished. ``selectors`` composes it from the facts of the event; its lines of
matches and its road are those of ``tournaments.personal``. Whether the decklist is shown is asked
of ``core.visibility`` (``{% list_of %}``).

``selectors`` has a person's page across events, which an account chooses to be shown on its
own page (``services``): the players' pages of the account then lead there. It is read anew with
each request.
"""
